/* SPDX-License-Identifier: BSD-3-Clause
 * Gather in main memory: every rank copies its block to the root; see memory_blocks.h.
 * source: Velamati et al. 2007, section 8. */
#include "algos/cost/memory_cost.h"
#include "algos/memory/memory_blocks.h"

/* The address goes down a tree, flag by flag; then all copies share memory. */
static double
refined(const struct cost *c)
{
  struct memory_cost memory;
  if (!memory_cost_begin(&memory, c)) {
    return NAN;
  }
  chain_down(&memory.chain, memory_cost_tree(c, 2), chain_tell);
  for (unsigned r = 0; r < c->p; r++) {
    struct memory_task copy = {
      .rank = r, .nbytes = r > 0 ? c->m : 0, .after = MEMORY_MODEL_AT_ONCE, .delay = memory.chain.at[r]};
    memory_cost_copy(&memory, copy);
  }
  return memory_cost_run(&memory) ? memory_cost_end(&memory) : NAN;
}

const struct algo gather_mm = {
  .collective = COLL_GATHER,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies its block to the root",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = memory_gather,
  .refined = refined,
};

/* The same of blocks of different sizes. */
const struct algo gatherv_mm = {
  .collective = COLL_GATHERV,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank that has a block copies it to the root",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = memory_gather,
};
