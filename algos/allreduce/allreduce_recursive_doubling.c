/* SPDX-License-Identifier: BSD-3-Clause
 * All-reduction by recursive doubling: partners at distance 1, 2, 4, ... exchange whole vectors, combine the
 * vectors, and tell each other about the combination.
 *
 *   step 1   0-1 2-3 4-5 6-7
 *   step 2   0-2 1-3 4-6 5-7
 *   step 3   0-4 1-5 2-6 3-7
 *
 * rounds: log2 p, or floor(log2 p) + 2 if p is no power of two.
 * source: Ali, Midkiff, Pai 2010, section 5.5, table 5: two notifications a round besides the notification of
 * the address. */
#include "algos/cost/cost.h"
#include "algos/phase/doubling.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  doubling_allreduce(c, (struct doubling){.distance = 1, .confirm = true});
}

static double cost(const struct cost *c) {
  unsigned rounds = ranks_floor_log2(c->p);
  if (!ranks_is_power(c->p)) {
    return NAN;
  }
  double congestion = c->two_chips ? cost_congestion(c, c->m, c->p) : 0;
  return cost_rounds(c, rounds, c->m) + cost_acks(c, rounds) + rounds * cost_combine(c, c->m) + congestion;
}

const struct algo allreduce_recursive_doubling = {
  .collective = COLL_ALLREDUCE,
  .name = "recursive-doubling",
  .source = "ali2010",
  .idea = "partners at distance 1 2 4 ... exchange vectors and combine them",
  .scratch = tree_collect_scratch,
  .run = run,
  .cost = cost,
};
