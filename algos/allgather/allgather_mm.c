/* SPDX-License-Identifier: BSD-3-Clause
 * All-gather in main memory: every rank copies its block to all others; see memory_blocks.h.
 * source: Velamati et al. 2007, section 8. */
#include "algos/cost/memory_cost.h"
#include "algos/memory/memory_blocks.h"

/* All ranks copy at the same time. */
static double
refined(const struct cost *c)
{
  struct memory_cost memory;
  if (!memory_cost_begin(&memory, c)) {
    return NAN;
  }
  memory_cost_tell_all(&memory);
  for (unsigned r = 0; r < c->p; r++) {
    memory_model_add(&memory.model, (struct memory_task){.kind = COST_COPY1,
                                                         .rank = r,
                                                         .nbytes = c->m,
                                                         .writes = c->p - 1,
                                                         .after = MEMORY_MODEL_AT_ONCE,
                                                         .delay = memory.chain.at[r]});
  }
  return memory_cost_run(&memory) ? memory_cost_end(&memory) : NAN;
}

const struct algo allgather_mm = {
  .collective = COLL_ALLGATHER,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank reads its block once and writes it to all others",
  .in_memory = true,
  .scratch = memory_allgather_scratch,
  .run = memory_allgather,
  .refined = refined,
};

/* The same of blocks of different sizes. */
const struct algo allgatherv_mm = {
  .collective = COLL_ALLGATHERV,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank that has a block writes it to all others",
  .in_memory = true,
  .scratch = memory_allgather_scratch,
  .run = memory_allgather,
};
