/* SPDX-License-Identifier: BSD-3-Clause
 * Node-major blocks, as in the main memory of a node: the blocks of one message are contiguous. In the
 * buffers of ranks the blocks are rank-major. Both layouts are equal if ranks are packed.
 *
 *   gather, scatter, all-gather   the blocks of the ranks of outer rank 0, of outer rank 1, and so on
 *   all-to-all, data              for outer rank 0, 1, and so on: from each rank of this node the blocks for
 *                                 the ranks there
 *   all-to-all, received          from outer rank 0, 1, and so on: from each rank there the blocks for the
 *                                 ranks of this node */
#pragma once

#include "algos/cluster/cluster_call.h"
#include "algos/step/layout.h"

/* Return the blocks of the ranks of outer ranks FIRST .. END - 1, in bytes from the first block of all. */
struct span node_major_blocks(const struct coll_group *group, unsigned first, unsigned end);

/* Return the blocks of an all-to-all for outer rank NODE in the data, and, at the same offset in the room for
 * data that arrives, from outer rank NODE. */
struct span node_major_exchanged(const struct coll_group *group, unsigned node);

/* Blocks to move between BUFFER, rank-major, and main memory, node-major: node-major places FIRST to
 * END - 1. */
struct node_major_move {
  uint8_t *buffer;
  uint64_t ea;         /* address of the block at place FIRST */
  unsigned first, end; /* places */
};

/* Start to PUT the blocks of MOVE into main memory (then handover_say can follow), or to get the blocks from
 * there. One DMA per run of ranks. */
void node_major_start(struct coll *c, const struct node_major_move *move, bool put);

/* The same for all blocks of a gather, a scatter or an all-gather, between the buffer of C and the data of
 * the call; get all blocks and wait. */
void node_major_start_all(struct coll *c, bool put);
void node_major_get_all(struct coll *c);
