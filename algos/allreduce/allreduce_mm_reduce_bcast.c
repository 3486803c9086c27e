/* SPDX-License-Identifier: BSD-3-Clause
 * All-reduce of data in main memory: the tree over local stores combines all data at rank 0, then the same
 * tree spreads the result; see memory_tree.h.
 *
 *   3 > 2 > 0   1 > 0   then   0 > 2 > 3   0 > 1   with degree 2
 *
 * source: Velamati et al. 2007, sections 6.1 and 7.1 (TREE); section 8 (all-reduce, without details). */
#include "algos/memory/double_buffer.h"
#include "algos/memory/memory_tree.h"
#include "algos/phase/tree_ways.h"
#include "algos/phase/doubling.h"

static void run(struct coll *c) {
  struct tree tree = knomial_tree(c, 0);
  memory_tree_reduce(c, tree);
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
  memory_tree_bcast(c, tree);
  synchronize_ranks(c, SYNCHRONIZE_BY_FLAG);
}

const struct algo allreduce_mm_reduce_bcast = {
  .collective = COLL_ALLREDUCE,
  .name = "mm-reduce-bcast",
  .source = "velamati2007",
  .idea = "reduced to rank 0 over local stores up a k-nomial tree and spread down the same tree",
  .in_memory = true,
  .params = {KNOMIAL_DEGREE(.initial = 3)},
  .scratch = double_buffer_scratch,
  .run = run,
};
