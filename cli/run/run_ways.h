/* SPDX-License-Identifier: BSD-3-Clause
 * Ways to look at the calls of `cellcoll run`, see the table of cmd_run.c. */
#pragma once

#include "cli/opts.h"
#include "cli/run/run_table.h"

#include <stdbool.h>
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

/* --- --critical-path: run_path.c --- */

/* How a critical path is shown. */
enum run_path_form {
  RUN_PATH_NONE,     /* not at all */
  RUN_PATH_STORY,    /* to people: below the table of runs, with its whole chain */
  RUN_PATH_GROUPS,   /* to people: a second table, one row of totals for each run */
  RUN_PATH_TOTALS,   /* a table of totals: a row for each cause of each run */
  RUN_PATH_CALLS,    /* likewise for each line and call of a program */
  RUN_PATH_SEGMENTS, /* a table of segments */
};

/* The form, and what the runs have: several nodes; names of steps, of schedules; programs of several
 * calls. */
struct run_path_look {
  enum run_path_form form;
  bool spans_nodes, has_steps, has_programs;
};

/* Find out how OPTS wants the critical paths of N runs to be shown.
 * errors: an unknown word. */
int run_path_form(const struct opts *opts, size_t n, enum run_path_form *form, struct err *err);

/* Create the table for LOOK: RUN_PATH_GROUPS, which is to be appended, TOTALS or SEGMENTS, which takes the
 * place of that of runs.
 * owner: the caller, with table_free. */
struct table *run_path_table(const struct run_path_look *look);

/* Show the critical path of ROW: in TABLE, made for LOOK, or for RUN_PATH_STORY below it. */
void run_path_add(struct table *table, const struct run_table_row *row, const struct run_path_look *look);

/* --- --calls and --alone, the calls of a program: run_calls.c --- */

/* Create the table of calls; ALONE: also with the cycles of each call alone on the machine.
 * owner: TABLE, to which it is appended. */
struct table *run_calls_new(struct table *table, bool alone);

/* Check that all POINTS are programs, as OPTION needs.
 * returns: an exit code. */
int run_calls_check(struct session *session, const char *option, const struct points *points);

/* Add the calls of the program of ROW to CALLS, and the totals of a mean rank and of the last one. With
 * --alone the ledger of SESSION makes each call alone. */
void run_calls_add(struct session *session, struct table *calls, const struct run_table_row *row);
