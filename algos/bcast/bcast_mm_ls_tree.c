/* SPDX-License-Identifier: BSD-3-Clause
 * Local store based tree broadcast of data in main memory: pieces of 16 KiB go from local store to local
 * store down a k-nomial tree, and each rank writes the pieces to its memory; degree 1 is a pipeline. See
 * memory_tree.h.
 *
 *   0 > 2 > 3   0 > 1   with degree 2; rank 0 reads the data from memory once
 *
 * source: Velamati et al. 2007, section 6.1 (TREE). */
#include "algos/memory/double_buffer.h"
#include "algos/memory/memory_tree.h"
#include "algos/phase/tree_ways.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  memory_tree_bcast(c, knomial_tree(c, c->root));
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo bcast_mm_ls_tree = {
  .collective = COLL_BCAST,
  .name = "mm-ls-tree",
  .source = "velamati2007",
  .idea = "pieces of 16 KiB go from local store to local store down a k-nomial tree",
  .in_memory = true,
  .params = {KNOMIAL_DEGREE(.initial = 3, .compared = {1, 2, 3})},
  .scratch = double_buffer_scratch,
  .run = run,
};
