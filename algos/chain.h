/* SPDX-License-Identifier: BSD-3-Clause
 * The refined cost of notifications: when each rank has heard what it waits for, as a recurrence over the steps of an
 * algorithm.
 *
 * A flag that rank a raises at time t is noticed by rank b at t + L(1), on a chip or across; a rank spends `issue`, on a
 * chip or across, on raising a flag and `handle` on one that it has found up. So a rank that raises one and waits for
 * another goes on at
 *
 *   max(own + issue + handle, other + L(1))
 *
 * This lets waits overlap where the published equations add them up. Of several flags that are raised in a row and waited for
 * together each takes `queue`, and the last one `issue`. */
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

/* Tell whether ranks A and B are on different chips. */
static inline bool
chain_crosses(const struct chain *chain, unsigned a, unsigned b)
{
  unsigned chip = chain->cost->spes_per_chip;
  return a / chip != b / chip;
}

/* Return L(1) from rank A to rank B. */
static inline double
chain_flag(const struct chain *chain, unsigned a, unsigned b)
{
  return chain_crosses(chain, a, b) ? cost_ack_across(chain->cost) : cost_ack(chain->cost);
}

/* Let rank B wait for a flag that rank A raised at time RAISED. */
static inline void
chain_hear(struct chain *chain, unsigned b, unsigned a, double raised)
{
  double there = raised + chain_flag(chain, a, b), busy = chain->at[b] + cost_handle(chain->cost);
  chain->at[b] = there > busy ? there : busy;
}

/* Return what rank A spends on a flag that it raises at rank B. */
static inline double
chain_issue(const struct chain *chain, unsigned a, unsigned b)
{
  return chain_crosses(chain, a, b) ? cost_issue_across(chain->cost) : cost_issue(chain->cost);
}

/* Let rank A raise a flag at rank B.
 * returns: when; A goes on `issue` later. */
static inline double
chain_tell(struct chain *chain, unsigned a, unsigned b)
{
  double raised = chain->at[a];
  chain->at[a] += chain_issue(chain, a, b);
  return raised;
}

/* Let rank A raise a flag that others follow before it waits.
 * returns: when; A goes on `queue` later. */
static inline double
chain_queue(struct chain *chain, unsigned a)
{
  double raised = chain->at[a];
  chain->at[a] += cost_queue(chain->cost);
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

/* Let ranks A and B raise flags at each other and wait for them. */
static inline void
chain_exchange(struct chain *chain, unsigned a, unsigned b)
{
  double own = chain_tell(chain, a, b), other = chain_tell(chain, b, a);
  chain_hear(chain, a, b, other);
  chain_hear(chain, b, a, own);
}

/* Recursive doubling among all ranks, as in synchronize.h: the flags of each round; only those that come late hold anybody
 * up. */
static inline void
chain_doubling(struct chain *chain)
{
  unsigned p = chain->cost->p, m = ranks_floor_power(p);
  for (unsigned r = m; r < p; r++) {
    chain_hear(chain, r - m, r, chain_tell(chain, r, r - m));
  }
  for (unsigned distance = 1; distance < m; distance *= 2) {
    for (unsigned r = 0; r < m; r++) {
      if (r & distance) {
        chain_exchange(chain, r, r - distance);
      }
    }
  }
  for (unsigned r = m; r < p; r++) {
    chain_hear(chain, r, r - m, chain_tell(chain, r - m, r));
  }
}
