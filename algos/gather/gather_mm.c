/* SPDX-License-Identifier: BSD-3-Clause
 * Gather in main memory: every rank copies a block to the root; a pairwise exchange of flags ends the call.
 * Blocks without bytes are not copied.
 *
 *   metadata   0 > 4   then 0 > 2  4 > 6   then 0 > 1  2 > 3  4 > 5  6 > 7   the place of the root's buffer
 *   data       every rank copies a block to the root's buffer
 *
 * rounds: ceil(log2 n) of metadata; n - 1 blocks are copied, all at the same time.
 * source: Velamati et al. 2007, sections 4 (double buffering), 6.1 (metadata first, then copies by all ranks)
 * and 8 (the name of this collective, without a description; assumed to follow the broadcasts). */
#include "algos/memory/double_buffer.h"
#include "algos/phase/doubling.h"
#include "algos/shape/tree.h"
#include "algos/step/layout.h"

static void run(struct coll *c) {
  struct span block = layout_block(c->group, c->rank);
  struct tree tree = tree_binomial(c->nranks, c->root);
  step_begin(c);
  uint64_t root = c->rank == c->root ? c->buffer_ea : step_await_post(c, tree_parent(tree, c->rank));
  TREE_EACH(child, tree, c->rank) {
    step_post_ea(c, tree_child_rank(child), root);
  }
  if (c->rank != c->root) {
    step_begin(c);
    double_buffer_copy(c, root + block.offset, c->buffer_ea + block.offset, block.nbytes);
  }
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo gather_mm = {
  .collective = COLL_GATHER,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies its block to the root",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = run,
};

/* The same of blocks of different sizes. */
const struct algo gatherv_mm = {
  .collective = COLL_GATHERV,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank that has a block copies it to the root",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = run,
};
