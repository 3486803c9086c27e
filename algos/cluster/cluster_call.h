/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a hierarchical algorithm on one node: the ranks there are a group of their own, and the PPE of chip 0 talks to the
 * other nodes for all of them.
 *
 *   inner     a collective of the ranks of a node; its root, the leader of the node, is the root of the whole call or the first rank
 *   handover  between the leader, or all ranks, and the PPE, through main memory and the leader's inbound mailbox
 *   outer     a collective of the PPEs, by messages between main memories
 *   release   a broadcast from the leader to the ranks of its node
 *
 * source: Ali, Midkiff, Pai 2010, section 6.1 (barrier); the other collectives by analogy. */
#pragma once

#include "algos/step/coll.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* When a rank has begun and ended the parts of its latest call, in cycles; a part that the algorithm does not have is 0. */
struct cluster_times {
  uint64_t inner_begin, inner_end, release_begin, release_end;
};

/* Where the ranks of a node are in the whole call. */
struct cluster_place {
  unsigned nodes, node;     /* nodes with ranks, and which of them this is: its outer rank */
  unsigned root_node;       /* outer rank of the node of the root */
  const unsigned *machines; /* per outer rank: its node of the machine; must outlive the call */
  unsigned nranks;          /* of the whole call */
  const unsigned
    *ranks;      /* per rank of the node: its rank in the whole call, ascending; must outlive the call */
  unsigned most; /* ranks that a node has at most */
};

struct cluster_call {
  struct cluster_place place;
  struct coll_group inner, release; /* their calls; algo NULL: the algorithm has no such part */
  struct coll **inners, **releases; /* per rank of the node: its view of them */
  struct cluster_times *times;      /* per rank of the node */
  uint64_t flags_ea, data_ea,
    work_ea;        /* in the main memory of the node: flags of ranks, data, room for what comes in */
  uint32_t line_at; /* local store address of 128 bytes for the handover */
  unsigned ncalls;  /* that the PPE has made */
};

/* Make of GROUP, all of whose other fields are set, the call of the node at PLACE.
 * owner: the caller, with cluster_call_fini. */
void cluster_call_init(struct coll_group *group, const struct cluster_place *place);

/* Release what cluster_call_init has made of GROUP. */
void cluster_call_fini(struct coll_group *group);

/* Return the bytes of main memory that a node needs for the call of GROUP: for flags; for data, and as many for what comes in: those
 * of a vector, or of all blocks. */
size_t cluster_call_flags(const struct coll_group *group);
size_t cluster_call_data(const struct coll_group *group);

/* Return what forbids the parts of the call of GROUP, formatted into TEXT; NULL: nothing. */
const char *cluster_call_refuse(const struct coll_group *group, char *text, size_t size);

/* As `scratch` of a hierarchical algorithm. */
size_t cluster_call_scratch(const struct coll_group *group);

/* The SPE program of a rank: as driver_main, with the arrays of the parts found before. */
void cluster_main(void *argument);

/* Make the inner part of the call that C is in, or the release. */
void cluster_inner(struct coll *c);
void cluster_release(struct coll *c);
