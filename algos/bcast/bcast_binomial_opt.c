/* SPDX-License-Identifier: BSD-3-Clause
 * Optimised binomial broadcast: a rank serves its children one after the other, the child with the longest
 * path below it first, and waits for each acknowledgement before the next child.
 *
 *   step 1   0 > 4
 *   step 2   0 > 2   4 > 6
 *   step 3   0 > 1   2 > 3   4 > 5   6 > 7
 *
 * rounds: ceil(log2 p).
 * source: Ali, Midkiff, Pai 2010, sections 4 (figure 4(b)) and 5.2, table 2; on one chip only for powers of
 * two. */
#include "algos/cost/cost.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  struct tree tree = tree_binomial(c->nranks, c->root);
  tree_send_binomial(c, tree, parts_all(c));
}

static double cost(const struct cost *c) {
  bool published = c->two_chips || ranks_is_power(c->p);
  return published ? cost_rounds(c, ranks_ceil_log2(c->p), c->m) : NAN;
}

const struct algo bcast_binomial_opt = {
  .collective = COLL_BCAST,
  .name = "binomial-opt",
  .source = "ali2010",
  .idea = "down a binomial tree with children served in order of their paths",
  .run = run,
  .cost = cost,
};
