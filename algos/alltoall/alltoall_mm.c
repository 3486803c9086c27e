/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-all in main memory: every rank copies its blocks to the others; see memory_blocks.h.
 * source: Velamati et al. 2007, section 8. */
#include "algos/memory_blocks.h"

const struct algo alltoall_mm = {
  .collective = COLL_ALLTOALL,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies its blocks to their places",
  .in_memory = true,
  .scratch = stage_scratch,
  .run = memory_alltoall,
};
