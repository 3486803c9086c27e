/* SPDX-License-Identifier: BSD-3-Clause
 * Tree broadcast from memory to memory: a rank tells its children in a k-nomial tree the place of its data;
 * each child copies the data to its own memory through local store, then tells its own children.
 *
 *   memory of 0 > memory of 1, 2   memory of 2 > memory of 3   with degree 2
 *
 * rounds: ceil(log_k p); for degree 1, a chain, p - 1.
 * source: Velamati et al. 2007, section 6.1 (TREEMM). */
#include "algos/memory/double_buffer.h"
#include "algos/phase/tree_ways.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  struct tree tree = knomial_tree(c, c->root);
  step_begin(c);
  if (c->rank != tree.root) {
    double_buffer_copy(c, c->buffer_ea, step_await_post(c, tree_parent(tree, c->rank)), c->nbytes);
  }
  tree_post_children(c, tree, c->buffer_ea);
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo bcast_mm_tree = {
  .collective = COLL_BCAST,
  .name = "mm-tree",
  .source = "velamati2007",
  .idea = "copies from memory to memory down a k-nomial tree",
  .in_memory = true,
  .params = {KNOMIAL_DEGREE(.initial = 3)},
  .scratch = double_buffer_scratch,
  .run = run,
};
