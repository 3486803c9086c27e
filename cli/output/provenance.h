/* SPDX-License-Identifier: BSD-3-Clause
 * What a file of results says of its origin: program, build, arguments, machines, plugins, day and time. */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

struct platform;

/* What rows come from, besides the program and its build. */
struct provenance {
  const char *command;    /* sub-command */
  char *const *arguments; /* what was typed after it */
  size_t narguments;
  struct platform *const *platforms; /* all that were used */
  size_t nplatforms;
  char *const *plugins; /* files that were loaded */
  size_t nplugins;
};

/* Return what JSON output says under `provenance`: commit, compiler, simgrid, date, plugins (file and
 * checksum).
 * owner: the caller. */
json_t *provenance_to_json(const struct provenance *provenance);

/* Write that and all of PROVENANCE as lines `NAME: VALUE` that begin with PREFIX. */
void provenance_write(const struct provenance *provenance, const char *prefix, FILE *stream);

/* Return those lines, without a prefix.
 * owner: the caller frees them. */
char *provenance_lines(const struct provenance *provenance);
