/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks in the order of nodes: as they lie in the main memory of a node, where those that one message moves
 * follow each other. In the buffers of ranks they are in the order of ranks, which packed ranks have as well.
 *
 *   gather, scatter, all-gather   the blocks of the ranks of outer rank 0, those of 1, and so on
 *   all-to-all, data              for outer rank 0, 1, and so on: from each rank of this node the blocks for
 *                                 the ranks there
 *   all-to-all, what comes in     from outer rank 0, 1, and so on: from each rank there the blocks for the
 *                                 ranks of this node */
#pragma once

#include "algos/cluster/cluster_call.h"
#include "algos/step/layout.h"

/* Return the blocks of the ranks of outer ranks FIRST .. END - 1, in bytes from the first block of all. */
struct span node_order_blocks(const struct coll_group *group, unsigned first, unsigned end);

/* Return what an all-to-all has in main memory for outer rank NODE, and, in the room for what comes in, from
 * there. */
struct span node_order_exchanged(const struct coll_group *group, unsigned node);

/* Places of the order of nodes whose blocks are moved between BUFFER, where they are in the order of ranks,
 * and main memory. */
struct node_order_move {
  uint8_t *buffer;
  uint64_t ea;         /* of the block at place FIRST */
  unsigned first, end; /* places */
};

/* Start to put the blocks of MOVE into main memory, behind which handover_say can follow: one DMA for all
 * whose ranks follow each other. */
void node_order_start_put(struct coll *c, const struct node_order_move *move);

/* The same for all blocks of a gather, a scatter or an all-gather, from the buffer of C to the data of its
 * call; get them from there and wait for them. */
void node_order_start_put_all(struct coll *c);
void node_order_get_all(struct coll *c);
