/* SPDX-License-Identifier: BSD-3-Clause
 * All-gather by recursive doubling: partners at distance 1, 2, 4, ... exchange all their blocks.
 *
 *   step 1   0-1 2-3 4-5 6-7      one block each
 *   step 2   0-2 1-3 4-6 5-7      two
 *   step 3   0-4 1-5 2-6 3-7      four
 *
 * rounds: log2 p; in the last round all messages cross between two chips.
 * source: Ali, Midkiff, Pai 2010, section 5.3, table 3. */
#include "algos/cost/cost.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  doubling_allgather(c, 1);
}

static double cost(const struct cost *c) {
  return cost_doubling(c, c->m) + cost_doubling_congestion(c, c->m);
}

const struct algo allgather_recursive_doubling = {
  .collective = COLL_ALLGATHER,
  .name = "recursive-doubling",
  .source = "ali2010",
  .idea = "partners at distance 1 2 4 ... exchange all blocks that they have",
  .needs = NEED_POWER_OF_TWO_RANKS,
  .run = run,
  .cost = cost,
};
