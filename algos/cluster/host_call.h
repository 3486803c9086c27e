/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a hierarchical algorithm on the host of a triblade, which talks to the network for its blades:
 * each PPE gives its host what the other nodes need, over the link between them; the hosts make the outer
 * collective; each gives its PPEs what has come.
 *
 * On a host the call has a coll_group of its own, whose ranks are those of all its blades and whose outer
 * ranks are the hosts.
 *
 * source: Ali, Midkiff, Pai 2010, section 6.2 (barrier); the other collectives by analogy. */
#pragma once

#include "algos/cluster/cluster_call.h"

/* Make of GROUP, a copy of that of a node, the call of its host, for nodes that are at PLACE and the other
 * ones. PLACE must outlive it.
 * owner: the caller, with host_call_fini. */
void host_call_init(struct coll_group *group, const struct cluster_place *place);

/* Release what host_call_init has made of GROUP. */
void host_call_fini(struct coll_group *group);

/* The program of a host: all calls of the group ARGUMENT, as driver_ppe_main. */
void host_call_main(void *argument);

/* The program of a PPE to whom the ranks of its node give before the outer part, and who answers after it:
 * all ranks, or only the leader. */
void host_call_ppe(const struct coll_group *group, bool all_give, bool all_hear);

/* The same where data goes down from the node of the root, whose leader gives before the outer part; those
 * who have heard that it is there say when they have taken it: EACH rank, or the leaders of the other
 * nodes. */
void host_call_ppe_down(const struct coll_group *group, bool each);
