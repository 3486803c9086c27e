/* SPDX-License-Identifier: BSD-3-Clause
 * Gather of blocks of different sizes in main memory; see memory_blocks.h.
 * source: Velamati et al. 2007, section 8. */
#include "algos/memory/memory_blocks.h"

const struct algo gatherv_mm = {
  .collective = COLL_GATHERV,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank that has a block copies it to the root",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = memory_gather,
};
