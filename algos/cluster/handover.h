/* SPDX-License-Identifier: BSD-3-Clause
 * What the ranks of a node and the PPE that talks to the network for them tell each other.
 *
 * Ranks tell the PPE by flags of 16 bytes in main memory, which it polls in its cache; the PPE tells the leader by its inbound
 * mailbox. A flag holds the number of the call, from 1 on, so that calls can follow one another. */
#pragma once

#include "algos/cluster/cluster_call.h"

/* On an SPE: tell the PPE that this rank has entered, and go on; wait until that has left. */
void handover_tell(struct coll *c);
void handover_settle(struct coll *c);

/* On the PPE: wait until all ranks have told, or only the leader. */
void handover_hear_all(const struct coll_group *group);
void handover_hear(const struct coll_group *group);

/* On the leader: put PART of the data into main memory, where it has the same offset, tell the PPE and wait until both have left. */
void handover_give(struct coll *c, size_t offset, size_t nbytes);

/* On the PPE: tell the leader; on the leader: wait for that. */
void handover_answer(const struct coll_group *group);
void handover_await(struct coll *c);

/* On the leader: get that part of the data from main memory. */
void handover_take(struct coll *c, size_t offset, size_t nbytes);

/* Tell whether C is the leader of its node. */
static inline bool
handover_is_leader(const struct coll *c)
{
  return c->rank == c->root;
}
