/* SPDX-License-Identifier: BSD-3-Clause
 * Local store based tree for reductions of data in main memory: pieces of 8 KiB are combined on the way up a
 * k-nomial tree, from local store to local store; degree 1 is a pipeline. See memory_tree.h.
 *
 *   3 > 2 > 0   1 > 0   with degree 2; every rank reads its own data from memory, rank 0 writes the result
 *                       there
 *
 * source: Velamati et al. 2007, section 7.1 (TREE). */
#include "algos/memory/double_buffer.h"
#include "algos/memory/memory_tree.h"
#include "algos/phase/tree_ways.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  memory_tree_reduce(c, knomial_tree(c, c->root));
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo reduce_mm_ls_tree = {
  .collective = COLL_REDUCE,
  .name = "mm-ls-tree",
  .source = "velamati2007",
  .idea = "pieces of 8 KiB are combined from local store to local store up a k-nomial tree",
  .in_memory = true,
  .params = {KNOMIAL_DEGREE(.initial = 3, .compared = {1, 2, 3})},
  .scratch = double_buffer_scratch,
  .run = run,
};
