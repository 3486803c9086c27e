/* SPDX-License-Identifier: BSD-3-Clause
 * Results against those of an earlier run: has something become slower? */
#pragma once

#include <stddef.h>

struct err;
struct table;

/* Read the csv file PATH, or STORE@BUILD, the calls that BUILD has left in a store.
 * errors: as store_open and store_find_build; it cannot be read; a line whose cells are more or fewer than
 *   those of the first line; no column of those that are compared. Messages begin with file and line.
 * owner: the caller, with table_free. */
struct table *baseline_read(const char *path, struct err *err);

/* Compare the column `cycles` of RESULTS and BASELINE, row by row of the same call: all that it was made with
 * and the machine are equal. Say on standard error which have become slower by more than TOLERANCE percent,
 * and what has no counterpart.
 * errors: no row of RESULTS is in BASELINE.
 * returns: how many are slower; -1 with ERR set. */
int baseline_compare(const struct table *baseline, const struct table *results, double tolerance,
                     struct err *err);
