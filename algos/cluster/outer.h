/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives of the nodes of a hierarchical call, by messages. The programs run on the PPE of each node, or
 * on the host of each triblade; then the triblade is the node (host_call.h). Nodes are numbered by outer
 * rank. Data is in the main memory of each node, at data_ea; work_ea is room for data that arrives. */
#pragma once

#include "algos/cluster/cluster_call.h"

/* Make the outer part of the call of GROUP: the collective of GROUP by the way named by parameter `outer`. */
void outer_own(const struct coll_group *group);

/* Send NBYTES from OFFSET of the data to node TO; or wait for NBYTES from node FROM, received into OFFSET of
 * the data. */
void outer_put(const struct coll_group *group, unsigned to, size_t offset, size_t nbytes);
void outer_wait(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes);

/* Wait for NBYTES from node FROM, received into OFFSET of the room for arrivals. */
void outer_receive(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes);

/* outer_put, outer_wait or outer_receive. */
typedef void outer_exchange(const struct coll_group *group, unsigned node, size_t offset, size_t nbytes);

/* Wait for NBYTES from node FROM and combine the bytes into OFFSET of the data. */
void outer_combine(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes);

/* The ways of a barrier: no node leaves before all nodes have entered. */
enum outer_barrier { OUTER_BRUCK, OUTER_DOUBLING };
void outer_barrier(const struct coll_group *group, unsigned way);

/* The ways of a broadcast of the data of the root's node. */
enum { OUTER_CHAIN_PIECE = 16384 };
enum outer_bcast { OUTER_BINOMIAL, OUTER_CHAIN, OUTER_SCATTER_ALLGATHER };
void outer_bcast(const struct coll_group *group, unsigned way);

/* Combine the data of all nodes into the data of the root's node, up a binomial tree: the only WAY.
 * Afterwards the data of other nodes may be partly combined. */
void outer_reduce(const struct coll_group *group, unsigned way);

/* The ways of a reduction for all nodes. */
enum outer_allreduce { OUTER_ALL_DOUBLING, OUTER_ALL_HALVING };
void outer_allreduce(const struct coll_group *group, unsigned way);

/* The ways of a gather of the blocks of all nodes at the root's node, and of a scatter from there. Blocks are
 * node-major (handover.h). Blocks that a node has passed on remain in its data. */
enum outer_gather { OUTER_GATHER_BINOMIAL, OUTER_GATHER_SEQUENTIAL };
void outer_gather(const struct coll_group *group, unsigned way);
enum outer_scatter { OUTER_SCATTER_BINOMIAL, OUTER_SCATTER_SEQUENTIAL };
void outer_scatter(const struct coll_group *group, unsigned way);

/* The ways of a gather at all nodes. */
enum outer_allgather { OUTER_GATHER_DOUBLING, OUTER_GATHER_RING };
void outer_allgather(const struct coll_group *group, unsigned way);

/* The ways of an exchange of different blocks for each rank (handover.h): blocks for other nodes are sent
 * from the data, blocks from other nodes are received into the room for data that arrives. */
enum outer_alltoall { OUTER_PAIRWISE, OUTER_DIRECT };
void outer_alltoall(const struct coll_group *group, unsigned way);

/* Return the number of this node of the call of GROUP, counted from the root's node on; the node with the
 * number FROM_ROOT. */
static inline unsigned outer_from_root(const struct coll_group *group) {
  const struct cluster_place *place = &group->cluster->place;
  return (place->node + place->nodes - place->root_node) % place->nodes;
}

static inline unsigned outer_to_node(const struct coll_group *group, unsigned from_root) {
  const struct cluster_place *place = &group->cluster->place;
  return (from_root + place->root_node) % place->nodes;
}
