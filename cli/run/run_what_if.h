/* SPDX-License-Identifier: BSD-3-Clause
 * run --what-if: which parameter of the machine bounds a call, found by running it on machines that have a
 * better one. */
#pragma once

struct call_points;
struct session;

/* Run the calls of POINTS on their machines and on each better machine, through the ledger, and make the
 * table of SESSION.
 * returns: an exit code. */
int run_what_if(struct session *session, struct call_points *points);
