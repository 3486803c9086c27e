/* SPDX-License-Identifier: BSD-3-Clause
 * The second table of `--calls`: the calls of a program. */
#pragma once

#include "cli/run/run_table.h"

struct session;
struct points;

/* Create the table of calls.
 * owner: TABLE, to which it is appended. */
struct table *run_calls_new(struct table *table);

/* Check that all POINTS are programs.
 * returns: an exit code. */
int run_calls_check(struct session *session, const struct points *points);

/* Add the calls of the program of ROW to CALLS, and the totals of a mean rank and of the last one. */
void run_calls_add(struct table *calls, const struct run_table_row *row);
