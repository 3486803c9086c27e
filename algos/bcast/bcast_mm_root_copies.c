/* SPDX-License-Identifier: BSD-3-Clause
 * The root copies to all: the addresses of all ranks go up a tree, then the root reads each piece of its data once and
 * writes it to all of them.
 *
 *   addresses: all > 0   then   memory of 0 > 0 > memory of 1, of 2, ...
 *
 * source: Velamati et al. 2007, section 6.1 (G). */
#include "algos/cost/memory_cost.h"
#include "algos/memory/double_buffer.h"
#include "algos/memory/metadata.h"
#include "algos/phase/synchronize.h"

static void
run(struct coll *c)
{
  metadata_gather(c);
  if (c->rank == c->root) {
    double_buffer_copy_to_all(
      c, &(struct double_buffer_copy){
           .from = c->buffer_ea, .to = metadata_list(c, 0, 0), .nto = c->nranks - 1, .nbytes = c->nbytes});
  }
  synchronize(c, SYNCHRONIZE_BY_FLAG);
}

/* The addresses go up a tree; then the root moves the data alone. */
static double
refined(const struct cost *c)
{
  struct memory_cost memory;
  if (!memory_cost_begin(&memory, c)) {
    return NAN;
  }
  chain_up(&memory.chain, memory_cost_tree(c, METADATA_DEGREE));
  memory_model_add(&memory.model, (struct memory_task){.kind = COST_COPY1,
                                                       .nbytes = c->m,
                                                       .writes = c->p - 1,
                                                       .after = MEMORY_MODEL_AT_ONCE,
                                                       .delay = memory.chain.at[0]});
  return memory_cost_run(&memory) ? memory_cost_end(&memory) : NAN;
}

const struct algo bcast_mm_root_copies = {
  .collective = COLL_BCAST,
  .name = "mm-root-copies",
  .source = "velamati2007",
  .idea = "the root writes its data to the memory of all ranks",
  .in_memory = true,
  .scratch = metadata_scratch,
  .run = run,
  .refined = refined,
};
