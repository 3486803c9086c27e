/* SPDX-License-Identifier: BSD-3-Clause
 * The refined cost of collectives by ready and go: the programs of ready_go.c and child_transfers.c once more, as recurrences over
 * the times of their ranks (chain.h). Rank 0 is the root; ranks fill one chip after the other.
 *
 * A parent starts one transfer each `issue(m)` and finds one over each `handle(m)`. Its MFC serves those under way in turn,
 * a bus request of each, so that with n of them a round takes the sum of what each needs: serve(m), on a chip or across,
 * the latter with the congestion C(m, 2 k) if k parents of the level move data across at once. A transfer alone takes
 *
 *   move(m) = step(m) - 2 L(1)
 *
 * from the ready signal that is heard to the go signal, and is late by what its turn with the others costs. */
#pragma once

#include "algos/cost/chain.h"
#include "algos/shape/neighbours.h"

/* A barrier by ready_go, or by ready_go_on_chips. */
double ready_go_cost_barrier(const struct cost *cost);
double ready_go_cost_barrier_on_chips(const struct cost *cost);

/* The functions of child_transfers.h. */
double ready_go_cost_down_in_phases(const struct cost *cost);
double ready_go_cost_down_as_ready(const struct cost *cost);
double ready_go_cost_up_in_phases(const struct cost *cost);
double ready_go_cost_up_as_ready(const struct cost *cost);
