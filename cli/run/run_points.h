/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of the options of a command; in cmd_run.c. */
#pragma once

struct algo_call;
struct blade;
struct call_points;
struct session;

/* Add CALL on BLADE with all ranks, seeds of the skew and sizes of SESSION to POINTS.
 * returns: an exit code.
 * errors: as sweep_profile.
 * owner: the caller frees the items. */
int run_points_add(const struct session *session, struct call_points *points, struct blade *blade,
                   const struct algo_call *call);
