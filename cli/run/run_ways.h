/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of one command `run`, and the ways to look at the calls. Each way is a struct way of a .c file,
 * and stands in the table of cmd_run.c. */
#pragma once

#include "cli/opts.h"
#include "validate/lab/ledger/ledger_call.h"

#include <stdbool.h>
#include <stddef.h>

struct call_made;
struct err;
struct session;

/* How a critical path is shown. */
enum run_path_form {
  RUN_PATH_NONE,     /* not at all */
  RUN_PATH_STORY,    /* to people: below the table of runs, with its whole chain */
  RUN_PATH_GROUPS,   /* to people: a second table, one row of totals for each run */
  RUN_PATH_TOTALS,   /* a table of totals: a row for each cause of each run */
  RUN_PATH_CALLS,    /* likewise for each line and call of a program */
  RUN_PATH_SEGMENTS, /* a table of segments */
};

/* The calls of one command: first all points are listed, then the ledger makes the calls, then the results
 * are added to the tables. (cli/sweep.h has the progress and the messages of any command.) */
struct runs {
  struct session *session;
  const struct opts *opts;
  struct points points;
  enum run_path_form form; /* of critical paths */
  bool spans_nodes;        /* some calls need several nodes */
  bool has_steps;          /* some calls have names of steps, as of schedules */
  bool has_programs;       /* some calls are programs of several calls */
  struct table *rows;      /* the table of runs; NULL: a table of paths takes the place */
  struct table *paths, *counters, *calls, *baseline; /* NULL: none */
  const struct way *ways[OPTION_COUNT];              /* to look at the calls */
  size_t nways;
  bool served; /* a call has been made */
  bool all_ok; /* so far */
  int code;    /* the worst so far */
};

/* A way to look at calls. Functions return exit codes; NULL: nothing to do. */
struct way {
  opts_set option;                 /* 0: always */
  unsigned observers;              /* enum call_observers */
  const char *of_requests;         /* the option as typed, if the way needs bus requests; NULL: it does not */
  int (*begin)(struct runs *runs); /* before the first call */
  /* after each call that has been made */
  void (*add)(struct runs *runs, const struct point *point, const struct call_result *result);
  int (*end)(struct runs *runs);     /* after the last call */
  int (*instead)(struct runs *runs); /* in place of all other ways */
  /* Begin and end an observation of a call that the ledger does not keep. `watch` returns the observation for
   * `unwatch`; NULL: the observation cannot begin, and the error of the session is set. The point lives until
   * `unwatch`. */
  void *(*watch)(struct session *session, struct point *point);
  int (*unwatch)(void *watch, struct session *session, const struct call_made *made);
};

extern const struct way run_path, run_calls; /* run_path.c, run_calls.c; the others: run_ways.c */
extern const struct way run_verbose, run_trace, run_what_if, run_timeline, run_baseline;

/* Create the table of critical paths for the form of RUNS from RUN_PATH_GROUPS on.
 * owner: the caller, with table_free. */
struct table *run_path_table(const struct runs *runs);

/* Check that all calls of RUNS are programs, as OPTION needs.
 * returns: an exit code. */
int run_calls_check(const struct runs *runs, const char *option);

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
