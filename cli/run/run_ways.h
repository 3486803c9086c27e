/* SPDX-License-Identifier: BSD-3-Clause
 * Ways to look at the calls of `cellcoll run`, see the table of cmd_run.c. */
#pragma once

#include <stddef.h>

struct call_made;
struct point;
struct points;
struct err;
struct session;

/* --- --timeline --- */

/* Check before anything is run that what SESSION asks for, NRUNS runs, can be drawn.
 * returns: an exit code. */
int run_timeline_check(struct session *session, size_t nruns);

/* Draw the POINTS, one or two calls known to end, to the file that SESSION names.
 * returns: an exit code. */
int run_timeline_write(struct session *session, const struct points *points);

/* --- -v tells on standard error what happens; --trace writes what happens to a file --- */

/* Begin to watch the call of POINT, as SESSION says.
 * errors: NULL: as outfile_open.
 * owner: the caller, with run_verbose_end or run_trace_end; POINT lives until then. */
void *run_verbose_begin(struct session *session, struct point *point);
void *run_trace_begin(struct session *session, struct point *point);

/* End to watch the call MADE; a trace of an interrupted call can be read up to there, and that of a refused
 * call leaves no file.
 * returns: an exit code.
 * errors: as outfile_close. */
int run_verbose_end(void *watch, struct session *session, const struct call_made *made);
int run_trace_end(void *watch, struct session *session, const struct call_made *made);

/* --- --what-if: the parameter of the machine that bounds a call, found on machines with a better one --- */

/* Run the calls of POINTS on their machines and on each better machine, through the ledger, and make the
 * table of SESSION.
 * returns: an exit code. */
int run_what_if(struct session *session, struct points *points);

/* --- --baseline: results against the results of an earlier run --- */

/* Read the csv file PATH, or STORE@BUILD, the calls of BUILD in a store.
 * errors: as store_open and store_find_build; unreadable; a line with more or fewer cells than the first
 *   line; no column to compare. Messages begin with file and line.
 * owner: the caller, with table_free. */
struct table *baseline_read(const char *path, struct err *err);

/* Compare the column `cycles` of RESULTS and BASELINE for rows of the same call: same machine and same
 * arguments. Report on standard error the calls that are slower by more than TOLERANCE percent, and the rows
 * without a counterpart.
 * errors: no row of RESULTS is in BASELINE.
 * returns: the number of slower calls; -1 with ERR set. */
int baseline_compare(const struct table *baseline, const struct table *results, double tolerance,
                     struct err *err);
