/* SPDX-License-Identifier: BSD-3-Clause
 * A call as groups of ranks: where the ranks are, and the part of the call on each node; this folder only. */
#pragma once

#include "algos/cluster/cluster_call.h"
#include "validate/lab/rig/rig.h"

/* Where the ranks of a call on several nodes are. */
struct rig_layout {
  unsigned n;                   /* nodes with ranks */
  unsigned *nodes;              /* [part]: of the machine */
  unsigned *first;              /* [part], and one more: first index of the part in the lists below */
  unsigned *ranks, *spes;       /* part by part: the ranks, and the SPEs of the ranks */
  unsigned *part_of, *local_of; /* [rank]: the part, and the rank within the part */
  struct cluster_hosts hosts;   /* of triblades, with lists of the layout; n 0: there are none */
};

/* Tell whether CALL runs on the ranks of several nodes. */
bool rig_is_spread(const struct call *call);

/* List the ranks of CALL by node of PLATFORM. */
void rig_layout_init(struct rig_layout *layout, const struct platform *platform, const struct call *call);
void rig_layout_fini(struct rig_layout *layout);

/* Describe part INDEX of CALL, on a blade of PLATFORM.
 * owner: the caller, with rig_group_fini; LAYOUT must outlive the group. */
struct coll_group rig_layout_group(const struct rig_layout *layout, const struct platform *platform,
                                   const struct call *call, unsigned index);

/* Return CALL without the machine.
 * owner: the caller, with rig_group_fini. */
struct coll_group rig_call(const struct call *call);
