/* SPDX-License-Identifier: BSD-3-Clause
 * Notifications and data between the ranks of a node and the PPE, which exchanges messages between nodes.
 *
 * Ranks notify the PPE by flags of 16 bytes in main memory; the PPE polls the flags in its cache. Each rank
 * has a flag, and the leader has a second one. The PPE notifies the leader, or all ranks, by the inbound
 * mailboxes. A flag holds the number of the call, from 1 on, so that calls can follow one another. */
#pragma once

#include "algos/cluster/cluster_call.h"

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

/* On the PPE: notify the leader, or ALL ranks. On an SPE: wait for the PPE's notification. */
void handover_answer(const struct coll_group *group, bool all);
void handover_await(struct coll *c);

/* Tell whether C is the leader of its node. */
static inline bool handover_is_leader(const struct coll *c) {
  return c->rank == c->root;
}
