/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of `cellcoll run --timeline`. */
#pragma once

#include <stddef.h>

struct call_points;
struct session;

/* Check before anything is run that what SESSION asks for, NRUNS runs, can be drawn.
 * returns: an exit code. */
int run_timeline_check(struct session *session, size_t nruns);

/* Draw the POINTS, one or two calls known to end, to the file that SESSION names.
 * returns: an exit code. */
int run_timeline_write(struct session *session, const struct call_points *points);
