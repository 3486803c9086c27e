/* SPDX-License-Identifier: BSD-3-Clause
 * What `cellcoll run --critical-path` prints. */
#pragma once

#include "cli/opts.h"
#include "cli/run/run_table.h"
#include "validate/lab/call/call_watch.h"

#include <stdbool.h>
#include <stddef.h>

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
