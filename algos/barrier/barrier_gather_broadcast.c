/* SPDX-License-Identifier: BSD-3-Clause
 * Barrier by gather and broadcast: flags go up a binomial tree to rank 0, and the release comes down the same
 * tree.
 *
 *            0
 *        4   2   1        up: lightest child first, since the lightest child reports first
 *      6 5   3            down: heaviest child first, with the longest path below it
 *      7
 *
 * rounds: 2 ceil(log2 p).
 * source: Ali, Midkiff, Pai 2010, section 5.1, table 1. */
#include "algos/cost/cost.h"
#include "algos/shape/tree.h"
#include "algos/step/ranks.h"
#include "algos/step/step.h"

static void run(struct coll *c) {
  struct tree tree = tree_binomial(c->nranks, 0);
  TREE_EACH_UP(child, tree, c->rank) {
    step_begin(c);
    step_await(c, child);
  }
  if (c->rank != 0) {
    step_begin(c);
    step_notify(c, tree_parent(tree, c->rank));
    step_await(c, tree_parent(tree, c->rank));
  }
  TREE_EACH(child, tree, c->rank) {
    step_begin(c);
    step_notify(c, tree_child_rank(child));
  }
}

static double cost(const struct cost *c) {
  unsigned rounds = ranks_ceil_log2(c->p);
  if (!c->two_chips) {
    return 2 * rounds * cost_ack(c);
  }
  return fmax(2 * (rounds - 1) * cost_ack(c), 2 * (cost_ack_across(c) + (rounds - 1) * cost_ack(c)));
}

const struct algo barrier_gather_broadcast = {
  .collective = COLL_BARRIER,
  .name = "gather-broadcast",
  .source = "ali2010",
  .idea = "flags up a binomial tree and the release down it",
  .run = run,
  .cost = cost,
};
