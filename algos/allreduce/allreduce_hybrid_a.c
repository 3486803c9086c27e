/* SPDX-License-Identifier: BSD-3-Clause
 * HybridA all-reduction: whole vectors up binomial trees before the round of the switch, recursive doubling
 * among the roots of the trees from then on, the result down the trees.
 *
 *   switch=3   step 1   0 < 1   2 < 3   4 < 5   6 < 7
 *              step 2   0 < 2           4 < 6
 *              step 3   0-4
 *              step 4   0 > 2           4 > 6
 *              step 5   0 > 1   2 > 3   4 > 5   6 > 7
 *
 * rounds: log2 p + x - 1 with the switch in round x; p / 2^(x - 1) messages cross at once.
 * source: Ali, Midkiff, Pai 2010, section 5.5, table 5; rank counts that are no power of two are ours. */
#include "algos/cost/cost.h"
#include "algos/phase/doubling.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  struct tree tree = hybrid_tree(c);
  tree_collect_reduce(c, tree);
  if (c->rank == tree.root) {
    doubling_allreduce(c, (struct doubling){.distance = 1U << (coll_value(c, 0) - 1)});
  }
  tree_send_binomial(c, tree, parts_all(c));
}

static double cost(const struct cost *c) {
  unsigned rounds = ranks_floor_log2(c->p), before = c->values[0] - 1;
  if (!c->two_chips || !ranks_is_power(c->p)) {
    return NAN;
  }
  double sum = 2 * before * cost_round(c, c->m) + rounds * cost_combine(c, c->m);
  for (unsigned k = before + 1; k <= rounds; k++) {
    sum += cost_hybrid_round(c, k, c->m);
  }
  return sum;
}

const struct algo allreduce_hybrid_a = {
  .collective = COLL_ALLREDUCE,
  .name = "hybrid-a",
  .source = "ali2010",
  .idea = "up binomial trees then recursive doubling among their roots then down the trees",
  .needs = NEED_SWITCH_ROUND,
  .params = HYBRID_PARAMS,
  .scratch = tree_collect_scratch,
  .run = run,
  .cost = cost,
};
