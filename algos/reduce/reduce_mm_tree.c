/* SPDX-License-Identifier: BSD-3-Clause
 * Tree reduction from memory to memory, as on top of send and receive: a rank combines the vector of each
 * child into the own vector, both in memory, then tells the parent the place of the own vector.
 *
 *   memory of 3 > memory of 2   memory of 2, 1 > memory of 0   with degree 2
 *
 * The paper's receive also makes a copy in the receiver's own memory; this copy is left out.
 * rounds: ceil(log_k p); for degree 1, a chain, p - 1.
 * source: Velamati et al. 2007, section 7.1 (TREEMM). */
#include "algos/memory/double_buffer.h"
#include "algos/phase/tree_ways.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  struct tree tree = knomial_tree(c, c->root);
  step_begin(c);
  TREE_EACH_UP(child, tree, c->rank) {
    uint64_t vectors[] = {c->buffer_ea, step_await_post(c, child)};
    memory_combine(
      c, &(struct memory_combine){.to = c->buffer_ea, .from = vectors, .nfrom = 2, .nbytes = c->nbytes});
  }
  if (c->rank != tree.root) {
    step_post_ea(c, tree_parent(tree, c->rank), c->buffer_ea);
  }
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo reduce_mm_tree = {
  .collective = COLL_REDUCE,
  .name = "mm-tree",
  .source = "velamati2007",
  .idea = "vectors are combined from memory to memory up a k-nomial tree",
  .in_memory = true,
  .params = {KNOMIAL_DEGREE(.initial = 3)},
  .scratch = double_buffer_scratch,
  .run = run,
};
