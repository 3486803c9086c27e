/* SPDX-License-Identifier: BSD-3-Clause
 * Results of checks as JUnit XML, which systems for continuous integration read. */
#pragma once

#include <stddef.h>

struct err;

/* One check. */
struct junit_case {
  char *suite; /* equal ones follow each other */
  char *class, *name;
  const char *failure; /* NULL: passed */
};

struct junit {
  struct junit_case *cases;
  size_t n;
  const char *broken; /* why some are missing, reported as an error; NULL: none is */
};

/* Write JUNIT to PATH, all of it or nothing.
 * errors: the file cannot be written. */
int junit_write(const struct junit *junit, const char *path, struct err *err);
