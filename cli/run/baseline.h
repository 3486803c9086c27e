/* SPDX-License-Identifier: BSD-3-Clause
 * Results against the results of an earlier run: which calls have become slower? */
#pragma once

struct err;
struct table;

/* Read the csv file PATH, or STORE@BUILD, the calls of BUILD in a store.
 * errors: as store_open and store_find_build; unreadable; a line with more or fewer cells than the first
 * line; no
 *   column to compare. Messages begin with file and line.
 * owner: the caller, with table_free. */
struct table *baseline_read(const char *path, struct err *err);

/* Compare the column `cycles` of RESULTS and BASELINE for rows of the same call: same machine and same
 * arguments. Report on standard error the calls that are slower by more than TOLERANCE percent, and the rows
 * without a counterpart.
 * errors: no row of RESULTS is in BASELINE.
 * returns: the number of slower calls; -1 with ERR set. */
int baseline_compare(const struct table *baseline, const struct table *results, double tolerance,
                     struct err *err);
