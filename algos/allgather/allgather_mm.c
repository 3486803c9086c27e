/* SPDX-License-Identifier: BSD-3-Clause
 * All-gather in main memory: every rank copies its block to all others; see memory_blocks.h.
 * source: Velamati et al. 2007, section 8. */
#include "algos/memory/memory_blocks.h"

const struct algo allgather_mm = {
  .collective = COLL_ALLGATHER,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank reads its block once and writes it to all others",
  .in_memory = true,
  .scratch = memory_allgather_scratch,
  .run = memory_allgather,
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
