/* SPDX-License-Identifier: BSD-3-Clause
 * Hybrid all-gather: binomial gather before the round of the switch, recursive doubling among the roots from
 * then on, binomial broadcast at the end; doubling.h has the steps.
 *
 * rounds: log2 p + x - 1 with the switch in round x; p / 2^(x - 1) messages cross at once.
 * source: Ali, Midkiff, Pai 2010, section 5.3, figure 6, table 3. */
#include "algos/cost/cost.h"
#include "algos/phase/doubling.h"

static double cost(const struct cost *c) {
  return cost_hybrid_allgather(c, c->m);
}

const struct algo allgather_hybrid = {
  .collective = COLL_ALLGATHER,
  .name = "hybrid",
  .source = "ali2010",
  .idea = "binomial gather then recursive doubling among the roots then binomial broadcast",
  .needs = NEED_POWER_OF_TWO_RANKS | NEED_SWITCH_ROUND,
  .params = HYBRID_PARAMS,
  .run = hybrid_allgather,
  .cost = cost,
};
