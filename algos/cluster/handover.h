/* SPDX-License-Identifier: BSD-3-Clause
 * What the ranks of a node and the PPE that talks to the network for them tell each other.
 *
 * Ranks tell the PPE by flags of 16 bytes in main memory, which it polls in its cache: each has one, and the
 * leader another one. The PPE tells the leader, or all ranks, by their inbound mailboxes. A flag holds the
 * number of the call, from 1 on, so that calls can follow one another. */
#pragma once

#include "algos/cluster/cluster_call.h"

/* On an SPE: tell the PPE that this rank has entered, and go on; wait until that has left. */
void handover_tell(struct coll *c);
void handover_settle(struct coll *c);

/* On the PPE: wait until all ranks have told, or only the leader. */
void handover_hear_all(const struct coll_group *group);
void handover_hear(const struct coll_group *group);

/* On an SPE: tell the PPE, as the leader or as one of all ranks, that what was started is there, and wait
 * until all of it has left. */
void handover_say(struct coll *c);
void handover_say_own(struct coll *c);

/* On the leader: put the first NBYTES of the buffer into main memory and say so; on the leader: get all of it
 * from there. */
void handover_give(struct coll *c, size_t nbytes);
void handover_take(struct coll *c);

/* The same on the leader for the blocks of its node, which an inner gather has left, or which are for an
 * inner scatter; or on each rank for its OWN block. */
void handover_give_blocks(struct coll *c, bool own);
void handover_take_blocks(struct coll *c, bool own);

/* On the PPE: tell the leader, or all ranks; on each of them: wait for that. */
void handover_answer(const struct coll_group *group);
void handover_answer_all(const struct coll_group *group);
void handover_await(struct coll *c);

/* Tell whether C is the leader of its node. */
static inline bool handover_is_leader(const struct coll *c) {
  return c->rank == c->root;
}
