/* SPDX-License-Identifier: BSD-3-Clause
 * All-reduction by reduce-scatter and all-gather: recursive halving, then recursive doubling.
 *
 *   step 1   0-4 1-5 2-6 3-7      half the vector, combined
 *   step 2   0-2 1-3 4-6 5-7      a quarter
 *   step 3   0-1 2-3 4-5 6-7      one piece of eight
 *   step 4   0-1 2-3 4-5 6-7      one piece
 *   step 5   0-2 1-3 4-6 5-7      two
 *   step 6   0-4 1-5 2-6 3-7      four
 *
 * rounds: 2 log2 p.
 * source: Ali, Midkiff, Pai 2010, section 5.5, table 5. */
#include "algos/cost/cost.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  halving_reduce_scatter(c, 0);
  doubling_allgather(c, 1);
}

static double cost(const struct cost *c) {
  size_t piece = cost_piece(c);
  return cost_reduce_scatter(c, piece) + cost_doubling(c, piece) + cost_doubling_congestion(c, piece);
}

const struct algo allreduce_scatter_allgather = {
  .collective = COLL_ALLREDUCE,
  .name = "scatter-allgather",
  .source = "ali2010",
  .idea = "reduce-scatter by recursive halving and then recursive doubling",
  .needs = NEED_POWER_OF_TWO_RANKS,
  .scratch = halving_scratch,
  .run = run,
  .cost = cost,
};
