/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of `cellcoll run`: of runs, and of how much each part of the machine was used. */
#pragma once

#include "cli/opts.h"
#include "validate/lab/ledger/ledger_call.h"

struct store;

/* Create a table. As text it has the columns of what OPTS asks for, of reductions if something COMBINES, and
 * of messages if something SPANS_NODES.
 * owner: the caller, with table_free. */
struct table *run_table_new(const struct opts *opts, bool combines, bool spans_nodes);

/* Add the RESULT of POINT to TABLE. What stopped has measured nothing. */
void run_table_add(struct table *table, const struct point *point, const struct call_result *result);

/* Return the calls in STORE, those of BUILD or, if it is NULL, of all builds.
 * errors: as store_visit; NULL then.
 * owner: the caller, with table_free. */
struct table *stored_runs(struct store *store, const char *build, struct err *err);

/* --- the second table of `--counters`: run_counters.c --- */

/* What was run. */
struct run_counters_subject {
  const char *name; /* of the algorithm or benchmark */
  const struct platform *platform;
  unsigned ranks;
  size_t bytes;
  bool only_busiest; /* of several nodes: the parts that were busiest, and not all */
};

/* Create the table of counters; KIND, the name of its first column, is what is run.
 * owner: TABLE, to which it is appended. */
struct table *run_counters_new(struct table *table, const char *kind);

/* Add the use of the machine among the ROWS of SUBJECT to COUNTERS, and note the busiest part below TABLE. */
void run_counters_add(struct table *table, struct table *counters, const struct run_counters_subject *subject,
                      struct pack rows);
