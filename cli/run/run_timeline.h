/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of `cellcoll run --timeline`. */
#pragma once

#include <stddef.h>

struct blade;
struct rig_spec;
struct session;

/* A call that is drawn. */
struct run_timeline_call {
  struct blade *blade;
  const struct rig_spec *spec;
};

/* Check before anything is run that what SESSION asks for, NRUNS runs, can be drawn.
 * returns: an exit code. */
int run_timeline_check(struct session *session, size_t nruns);

/* Draw the N CALLS, one or two, which are known to end, to where SESSION says.
 * returns: an exit code. */
int run_timeline_write(struct session *session, const struct run_timeline_call calls[], size_t n);
