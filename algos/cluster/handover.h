/* SPDX-License-Identifier: BSD-3-Clause
 * Notifications and data between the ranks of a node and the PPE, which exchanges messages between nodes.
 *
 * Ranks notify the PPE by flags of 16 bytes in main memory; the PPE polls the flags in its cache. Each rank
 * has a flag, and the leader has a second one. The PPE notifies the leader, or all ranks, by the inbound
 * mailboxes. A flag holds the number of the call, from 1 on, so that calls can follow one another.
 *
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

/* On an SPE: start the rank's flag to the PPE and go on; wait until the flag has left the local store. */
void handover_tell(struct coll *c);
void handover_settle(struct coll *c);

/* On the PPE: wait for the second flag of the leader, or for the flags of ALL ranks. */
void handover_hear(const struct coll_group *group, bool all);

/* On an SPE: send the leader's second flag, or the OWN flag of the rank, behind all data puts started before,
 * and wait until data and flag have left. */
void handover_say(struct coll *c, bool own);

/* On the leader: put the first NBYTES of the buffer into main memory, then the flag; get the whole buffer. */
void handover_give(struct coll *c, size_t nbytes);
void handover_take(struct coll *c);

/* The same for blocks. On the leader: the result of an inner gather, or the input of an inner scatter. With
 * OWN, on each rank: the rank's own block. */
void handover_give_blocks(struct coll *c, bool own);
void handover_take_blocks(struct coll *c, bool own);

/* Return the blocks of the ranks of outer ranks FIRST .. END - 1, in bytes from the first block of all. */
struct span handover_blocks(const struct coll_group *group, unsigned first, unsigned end);

/* Return the blocks of an all-to-all for outer rank NODE in the data, and, at the same offset in the room for
 * data that arrives, from outer rank NODE. */
struct span handover_exchanged(const struct coll_group *group, unsigned node);

/* Blocks to move between BUFFER, rank-major, and main memory, node-major: node-major places FIRST to
 * END - 1. */
struct handover_move {
  uint8_t *buffer;
  uint64_t ea;         /* address of the block at place FIRST */
  unsigned first, end; /* places */
};

/* Start to PUT the blocks of MOVE into main memory (then handover_say can follow), or to get the blocks from
 * there. One DMA per run of ranks. */
void handover_start(struct coll *c, const struct handover_move *move, bool put);

/* The same for all blocks of a gather, a scatter or an all-gather, between the buffer of C and the data of
 * the call; get all blocks and wait. */
void handover_start_all(struct coll *c, bool put);
void handover_get_all(struct coll *c);

/* On the PPE: notify the leader, or ALL ranks. On an SPE: wait for the PPE's notification. */
void handover_answer(const struct coll_group *group, bool all);
void handover_await(struct coll *c);

/* Tell whether C is the leader of its node. */
static inline bool handover_is_leader(const struct coll *c) {
  return c->rank == c->root;
}
