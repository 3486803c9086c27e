/* SPDX-License-Identifier: BSD-3-Clause
 * The refined cost of notifications: when each rank has heard what it waits for, as a recurrence over the steps of an
 * algorithm.
 *
 * A flag that rank a raises at time t is noticed by rank b at t + L(1), on a chip or across; a rank spends `issue`, on a chip or
 * across, on raising a flag and `handle` on a flag that it has found up. The bookkeeping of a step is in `issue`, and so in
 * L(1). So a rank that raises one and waits for another goes on at
 *
 *   max(own + issue + handle, other + L(1))
 *
 * The recurrence lets waits overlap where the published equations add them up. Where the code base waits until a flag has left, that
 * wait is in `issue`. Of flags that are raised behind one another a rank raises one each `issue more`, and waits for all of them
 * together. */
#pragma once

#include "algos/cost/cost.h"
#include "algos/shape/tree.h"

enum { CHAIN_RANKS_MAX = 1024 };

/* Times of all ranks in cycles; all begin at 0. */
struct chain {
  struct cost cost;
  double at[CHAIN_RANKS_MAX];
  double settled[CHAIN_RANKS_MAX]; /* when what each has raised with chain_tell_more has left */
};

/* Let ranks tell each other by WAY from now on. */
static inline void
chain_by(struct chain *chain, unsigned way)
{
  chain->cost.way = way | COST_WITH_STEPS;
}

/* Begin, with all ranks of COST at 0.
 * returns: whether there are few enough of them. */
static inline bool
chain_begin(struct chain *chain, const struct cost *cost)
{
  *chain = (struct chain){.cost = *cost};
  chain_by(chain, cost->way);
  return cost->p <= CHAIN_RANKS_MAX;
}

static inline bool
chain_across(const struct chain *chain, unsigned a, unsigned b)
{
  unsigned chip = chain->cost.spes_per_chip;
  return a / chip != b / chip;
}

/* Return L(1) from rank A to rank B. */
static inline double
chain_flag(const struct chain *chain, unsigned a, unsigned b)
{
  return chain_across(chain, a, b) ? cost_ack_across(&chain->cost) : cost_ack(&chain->cost);
}

/* Return what rank A spends on a flag for rank B until it has left, for which nobody waits with a signal. */
static inline double
chain_issue(const struct chain *chain, unsigned a, unsigned b)
{
  bool waits = chain_across(chain, a, b) && !(chain->cost.way & COST_BY_SIGNALS);
  return waits ? cost_issue_across(&chain->cost) : cost_issue(&chain->cost);
}

/* Let rank B wait for a flag that rank A raised at time RAISED. */
static inline void
chain_hear(struct chain *chain, unsigned b, unsigned a, double raised)
{
  double there = raised + chain_flag(chain, a, b), busy = chain->at[b] + cost_handle(&chain->cost);
  chain->at[b] = there > busy ? there : busy;
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

/* The same when others follow; A goes on `issue more` later. */
static inline double
chain_tell_more(struct chain *chain, unsigned a, unsigned b)
{
  double raised = chain->at[a];
  chain->settled[a] = fmax(chain->settled[a], raised + chain_issue(chain, a, b));
  chain->at[a] += cost_issue_more(&chain->cost);
  return raised;
}

/* Let rank A wait until these have left. */
static inline void
chain_settle(struct chain *chain, unsigned a)
{
  chain->at[a] = fmax(chain->at[a], chain->settled[a]);
}

/* Return the time of the last rank. */
static inline double
chain_end(const struct chain *chain)
{
  double last = 0;
  for (unsigned r = 0; r < chain->cost.p; r++) {
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
  unsigned p = chain->cost.p, m = ranks_floor_power(p);
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

/* Let all ranks tell the root up TREE: each its parent, when it has heard its children, the one with the shortest path below
 * first. */
static inline void
chain_up(struct chain *chain, struct tree tree)
{
  for (unsigned r = chain->cost.p; r-- > 0;) {
    for (unsigned i = tree_nchildren(tree, r); i-- > 0;) {
      unsigned child = tree_child_of(tree, r, i);
      chain_hear(chain, r, child, chain_tell(chain, child, r));
    }
  }
}

/* Let the root tell all ranks down TREE by TELL, chain_tell or chain_tell_more: each its children, when it has heard its parent,
 * the one with the longest path below first. */
static inline void
chain_down(struct chain *chain, struct tree tree, double (*tell)(struct chain *chain, unsigned a, unsigned b))
{
  for (unsigned r = 0; r < chain->cost.p; r++) {
    for (struct tree_child child = tree_first(tree, r); tree_has(child); child = tree_next(child)) {
      unsigned to = tree_child_rank(child);
      chain_hear(chain, to, r, tell(chain, r, to));
    }
    chain_settle(chain, r);
  }
}
