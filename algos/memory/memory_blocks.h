/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives that move blocks from main memory to main memory, each for blocks of one size or of different
 * sizes: ranks tell each other the places of their buffers, every rank copies its own blocks, and a pairwise
 * exchange of flags ends the call. Blocks without bytes are not copied.
 * source: Velamati et al. 2007, sections 4 (double buffering), 6.1 (metadata first, then copies by all ranks)
 * and 8, which names these collectives without a description: assumption that these collectives follow the
 * broadcasts. */
#pragma once

#include "algos/memory/double_buffer.h"

/* Gather.
 *
 *   metadata   0 > 4   then 0 > 2  4 > 6   then 0 > 1  2 > 3  4 > 5  6 > 7   the place of the root's buffer
 *   data       every rank copies a block to the root's buffer
 *
 * rounds: ceil(log2 n) of metadata; n - 1 blocks are copied, all at the same time. */
void memory_gather(struct coll *c);

/* All-gather.
 *
 *   metadata   every rank tells all others the place of its buffer
 *   data       every rank reads the own block once, piece by piece, and writes each piece to the buffers of
 *              all others
 *
 * rounds: n - 1 of metadata; n blocks are read and n (n - 1) written. */
void memory_allgather(struct coll *c);
size_t memory_allgather_scratch(const struct coll_group *group);

/* All-to-all.
 *
 *   metadata   every rank tells all others the place of its buffer
 *   data       every rank copies the own block, then the block for rank + 1, rank + 2, ...
 *
 * rounds: n - 1 of metadata; n^2 blocks are copied. */
void memory_alltoall(struct coll *c);
