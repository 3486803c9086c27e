/* SPDX-License-Identifier: BSD-3-Clause
 * Barrier over a k-nomial tree: flags go up the tree to rank 0 and down again.
 *
 *   1 2 3 > 0    5 6 7 > 4    4 > 0    then back    with degree 4
 *
 * rounds: 2 ceil(log_k p); for degree 1, a chain, 2 (p - 1).
 * source: Velamati et al. 2007, section 5.1 (TREE). */
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  struct tree tree = knomial_tree(c, 0);
  step_begin(c);
  TREE_EACH_UP(child, tree, c->rank) {
    step_await(c, child);
  }
  if (c->rank != tree.root) {
    step_notify(c, tree_parent(tree, c->rank));
    step_await(c, tree_parent(tree, c->rank));
  }
  step_begin(c);
  tree_notify_children(c, tree);
}

const struct algo barrier_knomial = {
  .collective = COLL_BARRIER,
  .name = "knomial",
  .source = "velamati2007",
  .idea = "flags up a k-nomial tree and down again",
  .params = {KNOMIAL_DEGREE(.initial = 4, .compared = {2, 4})},
  .run = run,
};
