/* SPDX-License-Identifier: BSD-3-Clause
 * What the ranks of a node and the PPE that talks to the network for them tell each other.
 *
 * Ranks tell the PPE by flags of 16 bytes in main memory, which it polls in its cache: each has one, and the leader another one. The
 * PPE tells the leader, or all ranks, by their inbound mailboxes. A flag holds the number of the call, from 1 on, so that calls can
 * follow one another. */
#pragma once

#include "algos/cluster/cluster_call.h"

/* On an SPE: tell the PPE that this rank has entered, and go on; wait until that has left. */
void handover_tell(struct coll *c);
void handover_settle(struct coll *c);

/* On the PPE: wait until all ranks have told, or only the leader. */
void handover_hear_all(const struct coll_group *group);
void handover_hear(const struct coll_group *group);

/* On an SPE: start to put NBYTES from FROM, in local store, to OFFSET of the data in main memory. */
void handover_start(struct coll *c, const uint8_t *from, size_t offset, size_t nbytes);

/* Tell the PPE, as the leader or as one of all ranks, that what was started is there, and wait until all of it has left. */
void handover_say(struct coll *c);
void handover_say_own(struct coll *c);

/* On the leader: start to put the blocks of its node, which an inner gather has left. On each rank: the own block. */
void handover_start_node(struct coll *c);
void handover_start_own(struct coll *c);

/* On the leader: get the blocks of its node, for an inner scatter. On each rank: the own block. */
void handover_take_node(struct coll *c);
void handover_take_own(struct coll *c);

/* On the leader: put NBYTES from OFFSET of the buffer into main memory, where they have the same offset, and say so. */
void handover_give(struct coll *c, size_t offset, size_t nbytes);

/* On the PPE: tell the leader, or all ranks; on each of them: wait for that. */
void handover_answer(const struct coll_group *group);
void handover_answer_all(const struct coll_group *group);
void handover_await(struct coll *c);

/* On the leader: get that part of the data from main memory. */
void handover_take(struct coll *c, size_t offset, size_t nbytes);

/* Tell whether C is the leader of its node. */
static inline bool
handover_is_leader(const struct coll *c)
{
  return c->rank == c->root;
}
