/* SPDX-License-Identifier: BSD-3-Clause
 * Local store based tree broadcast of data in main memory: pieces of 16 KiB go from local store to local store down a
 * k-nomial tree, and each rank writes them to its memory; degree 1 is a pipeline. See memory_tree.h.
 *
 *   0 > 2 > 3   0 > 1   with degree 2; rank 0 reads the data from memory once
 *
 * source: Velamati et al. 2007, section 6.1 (TREE). */
#include "algos/cost/memory_cost.h"
#include "algos/memory/double_buffer.h"
#include "algos/memory/memory_tree.h"
#include "algos/phase/knomial.h"
#include "algos/phase/synchronize.h"

static void
run(struct coll *c)
{
  memory_tree_bcast(c, knomial_tree(c, c->root));
  synchronize(c, SYNCHRONIZE_BY_FLAG);
}

enum { MOST = 4 };

static double
few(const struct cost *c)
{
  struct memory_cost memory;
  struct tree tree = memory_cost_tree(c, c->values[0]);
  bool known = memory_cost_begin(&memory, c) && memory_cost_tree_bcast(&memory, tree, c->m);
  return known ? memory_cost_end(&memory) : NAN;
}

/* Four pieces, with which all buffers are used twice, tell how long more of them take. The root reads each, all others write
 * it. */
static double
refined(const struct cost *c)
{
  struct memory_model piece;
  memory_model_begin(&piece, c);
  for (unsigned r = 0; r < c->p && c->m > MOST * DOUBLE_BUFFER_BYTES; r++) {
    memory_model_add(&piece, (struct memory_task){.kind = r > 0 ? COST_WRITE1 : COST_READ1,
                                                  .rank = r,
                                                  .nbytes = DOUBLE_BUFFER_BYTES});
  }
  return memory_cost_stream(
    c, &(struct memory_stream){
         .piece = DOUBLE_BUFFER_BYTES, .most = MOST, .few = few, .busy = memory_model_busy(&piece)});
}

const struct algo bcast_mm_ls_tree = {
  .collective = COLL_BCAST,
  .name = "mm-ls-tree",
  .source = "velamati2007",
  .idea = "pieces of 16 KiB go from local store to local store down a k-nomial tree",
  .in_memory = true,
  .params = {{.name = "degree", .least = 1, .most = 16, .initial = 3, .compared = {1, 2, 3}}},
  .scratch = double_buffer_scratch,
  .run = run,
  .refined = refined,
};
