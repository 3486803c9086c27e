/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a hierarchical algorithm on the host of a triblade. The host exchanges messages with the network
 * for its blades. Each PPE sends the data for other nodes to its host, over the link between blade and host.
 * The hosts make the outer collective. Each host sends the data that has arrived to its PPEs.
 *
 * On a host the call has a separate coll_group. The ranks of this group are the ranks of all blades of the
 * host; the outer ranks are the hosts.
 *
 * source: Ali, Midkiff, Pai 2010, section 6.2 (barrier); the other collectives by analogy. */
#pragma once

#include "algos/cluster/cluster_call.h"

/* Make GROUP, a copy of a node's group, the call of the node's host. PLACE is the place of the node and must
 * outlive GROUP.
 * owner: the caller, with host_call_fini. */
void host_call_init(struct coll_group *group, const struct cluster_place *place);

/* Release the memory allocated by host_call_init for GROUP. */
void host_call_fini(struct coll_group *group);

/* The program of a host: all calls of the group ARGUMENT, as driver_ppe_main. */
void host_call_main(void *argument);

/* The program of a PPE: wait for the flag of the leader (ALL_GIVE: of all ranks), make the outer part, then
 * notify the leader (ALL_HEAR: all ranks). */
void host_call_ppe(const struct coll_group *group, bool all_give, bool all_hear);

/* The program of a PPE where data goes down from the root's node: only there the PPE waits for the leader's
 * flag before the outer part. After the outer part the PPE notifies the leaders (EACH: all ranks). The ranks
 * notified send a flag when the data is taken; the root sends none unless EACH. */
void host_call_ppe_down(const struct coll_group *group, bool each);
