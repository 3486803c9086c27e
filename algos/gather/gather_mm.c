/* SPDX-License-Identifier: BSD-3-Clause
 * Gather in main memory: every rank copies a block to the root; see memory_blocks.h.
 * source: Velamati et al. 2007, section 8. */
#include "algos/memory/memory_blocks.h"

const struct algo gather_mm = {
  .collective = COLL_GATHER,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies its block to the root",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = memory_gather,
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
