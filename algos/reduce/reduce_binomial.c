/* SPDX-License-Identifier: BSD-3-Clause
 * Binomial reduction: vectors go up a binomial tree and are combined on the way; a parent takes the child
 * with the shortest path below first, since this child reports first.
 *
 *   step 1   0 < 1   2 < 3   4 < 5   6 < 7
 *   step 2   0 < 2           4 < 6
 *   step 3   0 < 4
 *
 * rounds: ceil(log2 p).
 * source: Ali, Midkiff, Pai 2010, section 5.4, table 4, which has floor(log2 p) on one chip. */
#include "algos/cost/cost.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  tree_collect_reduce(c, tree_binomial(c->nranks, c->root));
}

static double cost(const struct cost *c) {
  unsigned rounds = c->two_chips ? ranks_ceil_log2(c->p) : ranks_floor_log2(c->p);
  return cost_rounds(c, rounds, c->m) + rounds * cost_combine(c, c->m);
}

const struct algo reduce_binomial = {
  .collective = COLL_REDUCE,
  .name = "binomial",
  .source = "ali2010",
  .idea = "up a binomial tree with a combination at every parent",
  .scratch = tree_collect_scratch,
  .run = run,
  .cost = cost,
};
