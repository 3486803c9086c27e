/* SPDX-License-Identifier: BSD-3-Clause
 * Decisions of `tune` and `explain` on machines drawn from what the fit of the platform leaves open. */
#pragma once

#include "validate/model/tune.h"

struct session;

/* Draw as many machines as --draws of SESSION says, make the decisions of GRID on each machine, and count for
 * each candidate of TUNING the machines on which the candidate wins.
 * errors: nothing was measured on the machine; as draws_visit and tune_run. */
int draw_machines(struct session *session, struct tuning *tuning, const struct tune_grid *grid,
                  struct err *err);
