/* SPDX-License-Identifier: BSD-3-Clause
 * What `cellcoll run --critical-path` prints. */
#pragma once

#include "cli/opts.h"
#include "cli/run/run_table.h"
#include "validate/lab/call_path.h"

#include <stdbool.h>
#include <stddef.h>

/* How a critical path is shown. */
enum run_path_form {
  RUN_PATH_NONE,     /* not at all */
  RUN_PATH_STORY,    /* to people: below the table of runs, with its whole chain */
  RUN_PATH_GROUPS,   /* to people: a second table, one row of totals for each run */
  RUN_PATH_TOTALS,   /* a table of totals: a row for each cause of each run */
  RUN_PATH_SEGMENTS, /* a table of segments */
};

/* Find out how OPTS wants the critical paths of N runs to be shown.
 * errors: an unknown word. */
int run_path_form(const struct opts *opts, size_t n, enum run_path_form *form, struct err *err);

/* Create the table for FORM: RUN_PATH_GROUPS, which is to be appended, TOTALS or SEGMENTS, which takes the
 * place of that of runs; ON_NODES: some of the runs are on several nodes.
 * owner: the caller, with table_free. */
struct table *run_path_table(enum run_path_form form, bool spans_nodes);

/* Show the critical path of ROW in the way of FORM: in TABLE, made with the same ON_NODES, or for
 * RUN_PATH_STORY below it. */
void run_path_add(struct table *table, const struct run_table_row *row, enum run_path_form form,
                  bool spans_nodes);

/* Tell FOUND in lines below TABLE: causes of the cycles, the ranks in the way, and the chain, part by part.
 * SPANS_NODES: with the node of each part. */
void run_path_tell(struct table *table, const struct call_path *found, bool spans_nodes);
