/* SPDX-License-Identifier: BSD-3-Clause
 * HybridB all-reduction: reduce-scatter by recursive halving, then the hybrid all-gather of the pieces (see
 * doubling.h).
 *
 *   steps 1..3              recursive halving   0-4 1-5 2-6 3-7, then 0-2 ..., then 0-1 ...
 *   switch=3   step 4, 5    binomial gather     0 < 1 2 < 3 4 < 5 6 < 7, then 0 < 2 4 < 6
 *              step 6       recursive doubling  0-4
 *              step 7, 8    binomial broadcast  0 > 2 4 > 6, then 0 > 1 2 > 3 4 > 5 6 > 7
 *
 * rounds: 2 log2 p + x - 1 with the switch in round x of the all-gather.
 * source: Ali, Midkiff, Pai 2010, section 5.5, table 5. */
#include "algos/cost/cost.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  halving_reduce_scatter(c, 0);
  hybrid_allgather(c);
}

static double cost(const struct cost *c) {
  size_t piece = cost_piece(c);
  return cost_reduce_scatter(c, piece) + cost_hybrid_allgather(c, piece);
}

const struct algo allreduce_hybrid_b = {
  .collective = COLL_ALLREDUCE,
  .name = "hybrid-b",
  .source = "ali2010",
  .idea = "reduce-scatter by recursive halving and then the hybrid all-gather",
  .needs = NEED_POWER_OF_TWO_RANKS | NEED_SWITCH_ROUND,
  .params = HYBRID_PARAMS,
  .scratch = halving_scratch,
  .run = run,
  .cost = cost,
};
