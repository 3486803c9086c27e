/* SPDX-License-Identifier: BSD-3-Clause
 * The origin of a file of results: program, build, arguments, machines, plugins, day and time. */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* The origin of rows, besides the program and the build. */
struct provenance {
  const char *command;    /* sub-command */
  char *const *arguments; /* words after the sub-command */
  size_t narguments;
  struct platform *const *platforms; /* all platforms used */
  size_t nplatforms;
  char *const *plugins; /* loaded files */
  size_t nplugins;
};

/* Return the content of `provenance` in JSON output: commit, compiler, simgrid, date, plugins (file and
 * checksum).
 * owner: the caller. */
json_t *provenance_to_json(const struct provenance *provenance);

/* Write the content of provenance_to_json and PROVENANCE as lines `NAME: VALUE`, each after PREFIX. */
void provenance_write(const struct provenance *provenance, const char *prefix, FILE *stream);

/* Return the lines of provenance_write, without a prefix.
 * owner: the caller frees the text. */
char *provenance_lines(const struct provenance *provenance);
