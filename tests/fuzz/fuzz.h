/* SPDX-License-Identifier: BSD-3-Clause
 * Fuzz targets: each feeds a reader with any text, and demands of what it accepts that it can be shown and
 * read again. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Read TEXT, NBYTES long and followed by a NUL that does not count. */
#define TARGET(name, folders) void fuzz_##name(const char *text, size_t nbytes);
#include "tests/fuzz/targets.def"

/* End the process with a message unless CONDITION holds; other than assert in every build. */
#define FUZZ_REQUIRE(condition) \
  ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition), abort()))

enum { FUZZ_PATH_SIZE = 32 };

/* Put TEXT, NBYTES long, into a file in memory and its path into PATH.
 * returns: its descriptor, which the caller closes. */
int fuzz_file(const char *text, size_t nbytes, char path[FUZZ_PATH_SIZE]);

/* Run the program with WORDS, which end with NULL and begin with a command.
 * returns: its exit code. */
int fuzz_program(const char *const *words);

/* Run `TARGET name` on TEXT as above.
 * returns: 0; -1: there is no such target. */
int fuzz_run(const char *name, const char *text, size_t nbytes);
