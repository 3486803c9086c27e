/* SPDX-License-Identifier: BSD-3-Clause
 * Segmented binomial broadcast: the halves of the data go down two binomial trees, then counterparts exchange
 * the halves.
 *
 *   step 1   0 > 4 right half           the left half stays with ranks 0..3
 *   step 2   0 > 2 left    4 > 6 right
 *   step 3   0 > 1  2 > 3  left         4 > 5  6 > 7  right
 *   step 4   0 > 4  1-5  2-6  3-7       exchange; on two chips all of it crosses the BIF
 *
 * rounds: log2 p + 1 with half of the data.
 * source: Ali, Midkiff, Pai 2010, section 5.2, figure 5, table 2 (the prose has one step fewer). */
#include "algos/cost/cost.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  tree_send_segmented(c, tree_binomial(c->nranks, c->root));
}

static double cost(const struct cost *c) {
  unsigned rounds = ranks_ceil_log2(c->p);
  size_t half = c->m / 2;
  if (c->p < 4) {
    return NAN;
  }
  return c->two_chips ? (rounds - 1) * cost_round(c, half) + 2 * cost_round_across(c, half) +
                          cost_congestion(c, half, c->p - 2)
                      : (rounds + 1) * cost_round(c, half);
}

const struct algo bcast_segmented_binomial = {
  .collective = COLL_BCAST,
  .name = "segmented-binomial",
  .source = "ali2010",
  .idea = "halves of the data down two half trees and then an exchange",
  .needs = NEED_POWER_OF_TWO_RANKS,
  .run = run,
  .cost = cost,
};
