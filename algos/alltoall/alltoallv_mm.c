/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-all of blocks of different sizes in main memory; see memory_blocks.h.
 * source: Velamati et al. 2007, section 8. */
#include "algos/memory/memory_blocks.h"

const struct algo alltoallv_mm = {
  .collective = COLL_ALLTOALLV,
  .name = "mm",
  .source = "velamati2007",
  .idea = "every rank copies what blocks it has to their places",
  .in_memory = true,
  .scratch = double_buffer_scratch,
  .run = memory_alltoall,
};
