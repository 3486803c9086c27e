/* SPDX-License-Identifier: BSD-3-Clause
 * The table of `cellcoll run`. */
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
