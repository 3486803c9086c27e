/* SPDX-License-Identifier: BSD-3-Clause
 * All-reduction by reduce-scatter, gather and broadcast: Rabenseifner's reduction to rank 0, then a broadcast
 * of the result down a binomial tree.
 *
 *   steps 1..3   recursive halving      0-4 1-5 2-6 3-7, then 0-2 ..., then 0-1 ...
 *   steps 4..6   binomial gather        0 < 1 2 < 3 4 < 5 6 < 7, then 0 < 2 4 < 6, then 0 < 4
 *   steps 7..9   binomial broadcast     0 > 4, then 0 > 2 4 > 6, then 0 > 1 2 > 3 4 > 5 6 > 7
 *
 * rounds: 3 log2 p.
 * source: Ali, Midkiff, Pai 2010, section 5.5, table 5; the table's broadcast has the size of a piece, the
 * algorithm needs the size of the vector. */
#include "algos/cost/cost.h"
#include "algos/phase/doubling.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  struct tree tree = tree_binomial(c->nranks, 0);
  halving_reduce_scatter(c, 0);
  tree_collect_gather(c, 0, c->nranks);
  tree_send_binomial(c, tree, parts_all(c));
}

static double cost(const struct cost *c) {
  size_t piece = cost_piece(c);
  return cost_reduce_scatter(c, piece) + cost_doubling(c, piece) +
         cost_rounds(c, ranks_floor_log2(c->p), c->m);
}

const struct algo allreduce_scatter_gather_bcast = {
  .collective = COLL_ALLREDUCE,
  .name = "scatter-gather-bcast",
  .source = "ali2010",
  .idea = "reduce-scatter and binomial gather and then a binomial broadcast",
  .needs = NEED_POWER_OF_TWO_RANKS,
  .scratch = halving_scratch,
  .run = run,
  .cost = cost,
};
