/* SPDX-License-Identifier: BSD-3-Clause
 * The second table of `--calls`: the calls of a program. */
#pragma once

#include "cli/run/run_table.h"

struct session;

/* Create the table of calls; ALONE: also with the cycles of each call alone on the machine.
 * owner: TABLE, to which it is appended. */
struct table *run_calls_new(struct table *table, bool alone);

/* Check that all POINTS are programs, as OPTION needs.
 * returns: an exit code. */
int run_calls_check(struct session *session, const char *option, const struct points *points);

/* Add the calls of the program of ROW to CALLS, and the totals of a mean rank and of the last one. With
 * --alone the ledger of SESSION makes each call alone. */
void run_calls_add(struct session *session, struct table *calls, const struct run_table_row *row);
