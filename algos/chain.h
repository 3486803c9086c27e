/* SPDX-License-Identifier: BSD-3-Clause
 * The refined cost of notifications: when each rank has heard what it waits for, as a recurrence over the steps of an
 * algorithm.
 *
 * A flag that rank a raises at time t is noticed by rank b at t + L(1), on a chip or across; a rank spends `issue` on
 * raising a flag and `handle` on one that it has found up. So a rank that raises one and waits for another goes on at
 *
 *   max(own + issue + handle, other + L(1))
 *
 * This lets waits overlap where the published equations add them up. */
#pragma once

#include "algos/cost.h"

enum { CHAIN_RANKS_MAX = 1024 };

/* Times of all ranks in cycles; all begin at 0. */
struct chain {
  const struct cost *cost;
  double at[CHAIN_RANKS_MAX];
};

/* Begin, with all ranks of COST at 0.
 * returns: whether there are few enough of them. */
static inline bool
chain_begin(struct chain *chain, const struct cost *cost)
{
  *chain = (struct chain){.cost = cost};
  return cost->p <= CHAIN_RANKS_MAX;
}

/* Return L(1) from rank A to rank B. */
static inline double
chain_flag(const struct chain *chain, unsigned a, unsigned b)
{
  unsigned chip = chain->cost->spes_per_chip;
  return a / chip == b / chip ? cost_ack(chain->cost) : cost_ack_across(chain->cost);
}

/* Let rank B wait for a flag that rank A raised at time RAISED. */
static inline void
chain_hear(struct chain *chain, unsigned b, unsigned a, double raised)
{
  double there = raised + chain_flag(chain, a, b), busy = chain->at[b] + cost_handle(chain->cost);
  chain->at[b] = there > busy ? there : busy;
}

/* Let rank A raise a flag.
 * returns: when; A goes on `issue` later. */
static inline double
chain_tell(struct chain *chain, unsigned a)
{
  double raised = chain->at[a];
  chain->at[a] += cost_issue(chain->cost);
  return raised;
}

/* Return the time of the last rank. */
static inline double
chain_end(const struct chain *chain)
{
  double last = 0;
  for (unsigned r = 0; r < chain->cost->p; r++) {
    last = chain->at[r] > last ? chain->at[r] : last;
  }
  return last;
}
