/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-all in main memory: every rank copies its blocks to the others; see memory_blocks.h. All ranks tell
 * each other the places of their buffers; then each rank copies p blocks of m bytes at the same time, sharing
 * memory.
 * source: Velamati et al. 2007, section 8. */
#include "algos/memory/memory_blocks.h"

const struct algo alltoall_mm = {
  .collective = COLL_ALLTOALL,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies its blocks to their places",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = memory_alltoall,
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
