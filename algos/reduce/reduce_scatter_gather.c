/* SPDX-License-Identifier: BSD-3-Clause
 * Rabenseifner's reduction: reduce-scatter by recursive halving, then the pieces are gathered up a binomial
 * tree.
 *
 *   step 1   0-4 1-5 2-6 3-7      half the vector, combined
 *   step 2   0-2 1-3 4-6 5-7      a quarter
 *   step 3   0-1 2-3 4-5 6-7      one piece of eight
 *   step 4   0 < 1   2 < 3   4 < 5   6 < 7      one piece
 *   step 5   0 < 2           4 < 6              two
 *   step 6   0 < 4                              four
 *
 * rounds: 2 log2 p; each rank sends and combines less than one vector in the first half.
 * source: Ali, Midkiff, Pai 2010, section 5.4, table 4. */
#include "algos/cost/cost.h"
#include "algos/phase/doubling.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  halving_reduce_scatter(c, c->root);
  tree_collect_gather(c, c->root, c->nranks);
}

static double cost(const struct cost *c) {
  size_t piece = cost_piece(c);
  return cost_reduce_scatter(c, piece) + cost_doubling(c, piece);
}

const struct algo reduce_scatter_gather = {
  .collective = COLL_REDUCE,
  .name = "scatter-gather",
  .source = "ali2010",
  .idea = "reduce-scatter by recursive halving and then a binomial gather",
  .needs = NEED_POWER_OF_TWO_RANKS,
  .scratch = halving_scratch,
  .run = run,
  .cost = cost,
};
