/* SPDX-License-Identifier: BSD-3-Clause
 * Bruck's barrier (dissemination): in step k every rank raises its flag at rank + 2^k and waits for rank -
 * 2^k.
 *
 *   step 1   0>1 1>2 2>3 3>4 4>0
 *   step 2   0>2 1>3 2>4 3>0 4>1
 *   step 3   0>4 1>0 2>1 3>2 4>3
 *
 * rounds: ceil(log2 p).
 * source: Ali, Midkiff, Pai 2010, section 5.1, table 1; DIS of Velamati et al. 2007, section 5.1. */
#include "algos/cost/cost.h"
#include "algos/step/ranks.h"
#include "algos/step/step.h"

static void run(struct coll *c) {
  unsigned n = c->nranks;
  for (unsigned distance = 1; distance < n; distance *= 2) {
    step_begin(c);
    step_notify(c, (c->rank + distance) % n);
    step_await(c, (c->rank + n - distance) % n);
  }
}

static double cost(const struct cost *c) {
  double round = c->two_chips ? fmax(cost_ack(c), cost_ack_across(c)) : cost_ack(c);
  return ranks_ceil_log2(c->p) * round;
}

const struct algo barrier_bruck = {
  .collective = COLL_BARRIER,
  .name = "bruck",
  .source = "ali2010",
  .idea = "in step k a flag to rank + 2^k and one from rank - 2^k",
  .run = run,
  .cost = cost,
};
