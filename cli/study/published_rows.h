/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements of a user, from a file of csv: one row each, compared with the simulation by `published`. */
#pragma once

#include "validate/papers/published.h"

/* The rows of a file. */
struct measured_rows {
  struct published_entry *entries;
  size_t n;
  char *text; /* of the file; the entries point to the cells */
};

/* Read the measurements in file PATH for the machine PLATFORM. The first line names the columns of
 * published_rows.c; later lines that are empty or begin with # are passed over.
 * errors: FILE:LINE: an unknown, missing or repeated column, algorithm, benchmark or unit, a value that is no
 *   number above 0, a repeated id, another number of cells; no such file; no rows.
 * owner: the caller, with measured_rows_fini, also after an error. */
int measured_rows_read(struct measured_rows *rows, const char *path, const struct platform *platform,
                       struct err *err);
void measured_rows_fini(struct measured_rows *rows);
