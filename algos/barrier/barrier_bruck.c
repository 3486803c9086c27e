/* SPDX-License-Identifier: BSD-3-Clause
 * Bruck's barrier (dissemination): in step k every rank raises its flag at rank + 2^k and waits for rank - 2^k.
 *
 *   step 1   0>1 1>2 2>3 3>4 4>0
 *   step 2   0>2 1>3 2>4 3>0 4>1
 *   step 3   0>4 1>0 2>1 3>2 4>3
 *
 * rounds: ceil(log2 p).
 * source: Ali, Midkiff, Pai 2010, section 5.1, table 1; DIS of Velamati et al. 2007, section 5.1. */
#include "algos/cost/chain.h"
#include "algos/step/ranks.h"
#include "algos/step/step.h"

static void
run(struct coll *c)
{
  unsigned n = c->nranks;
  for (unsigned distance = 1; distance < n; distance *= 2) {
    step_begin(c);
    step_notify(c, (c->rank + distance) % n);
    step_await(c, (c->rank + n - distance) % n);
  }
}

static double
cost(const struct cost *c)
{
  double round = c->two_chips ? fmax(cost_ack(c), cost_ack_across(c)) : cost_ack(c);
  return ranks_ceil_log2(c->p) * round;
}

/* The flags of each round; on two chips a chain of them crosses only where it passes from one to the other. */
static double
refined(const struct cost *c)
{
  struct chain chain;
  double raised[CHAIN_RANKS_MAX];
  if (!chain_begin(&chain, c)) {
    return NAN;
  }
  for (unsigned distance = 1; distance < c->p; distance *= 2) {
    for (unsigned r = 0; r < c->p; r++) {
      raised[r] = chain_tell(&chain, r, (r + distance) % c->p);
    }
    for (unsigned r = 0; r < c->p; r++) {
      unsigned from = (r + c->p - distance) % c->p;
      chain_hear(&chain, r, from, raised[from]);
    }
  }
  return chain_end(&chain);
}

const struct algo barrier_bruck = {
  .collective = COLL_BARRIER,
  .name = "bruck",
  .source = "ali2010",
  .idea = "in step k a flag to rank + 2^k and one from rank - 2^k",
  .run = run,
  .cost = cost,
  .refined = refined,
};
