/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-all in main memory: every rank copies its blocks to the others; see memory_blocks.h.
 * All tell each other where their buffers are; then all copy p blocks of m bytes each at the same time, sharing memory.
 * source: Velamati et al. 2007, section 8. */
#include "algos/cost/memory_cost.h"
#include "algos/memory/memory_blocks.h"

/* See above. */
static double
refined(const struct cost *c)
{
  struct memory_cost memory;
  if (!memory_cost_begin(&memory, c)) {
    return NAN;
  }
  memory_cost_tell_all(&memory);
  for (unsigned r = 0; r < c->p; r++) {
    memory_model_add(&memory.model, (struct memory_task){.kind = COST_BLOCKS1,
                                                         .rank = r,
                                                         .nbytes = c->m,
                                                         .writes = c->p,
                                                         .after = MEMORY_MODEL_AT_ONCE,
                                                         .delay = memory.chain.at[r]});
  }
  return memory_cost_run(&memory) ? memory_cost_end(&memory) : NAN;
}

const struct algo alltoall_mm = {
  .collective = COLL_ALLTOALL,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies its blocks to their places",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = memory_alltoall,
  .refined = refined,
};

/* The same of blocks of different sizes. */
const struct algo alltoallv_mm = {
  .collective = COLL_ALLTOALLV,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies what blocks it has to their places",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = memory_alltoall,
};
