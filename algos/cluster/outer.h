/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives of the nodes of a hierarchical call, by messages: programs of the PPE that talks to the network
 * for its node, or of the host that does for its triblade, which is the node then (host_call.h). Nodes are
 * numbered by their outer rank. Data is in the main memory of each node, at data_ea; work_ea is room for what
 * comes in. */
#pragma once

#include "algos/cluster/cluster_call.h"

/* The outer part of the call of GROUP, on whatever talks to the network: that of its collective, by the way
 * that its parameter `outer` names. */
void outer_own(const struct coll_group *group);

/* Send NBYTES from OFFSET of the data to node TO; or wait for as many from node FROM, and let them be
 * there. */
void outer_put(const struct coll_group *group, unsigned to, size_t offset, size_t nbytes);
void outer_wait(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes);

/* Wait for as many and let them be in the room for what comes in. */
void outer_receive(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes);

/* Wait for NBYTES from node FROM and combine them into OFFSET of the data. */
void outer_combine(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes);

/* The ways of a barrier: no node is through before all have begun. */
enum outer_barrier { OUTER_BRUCK, OUTER_DOUBLING };
void outer_barrier(const struct coll_group *group, unsigned way);

/* The ways of a broadcast of the data of the root's node. */
enum { OUTER_CHAIN_PIECE = 16384 };
enum outer_bcast { OUTER_BINOMIAL, OUTER_CHAIN, OUTER_SCATTER_ALLGATHER };
void outer_bcast(const struct coll_group *group, unsigned way);

/* Combine the data of all nodes into that of the root's, down a binomial tree: the only WAY. The data of the
 * others may be partly combined. */
void outer_reduce(const struct coll_group *group, unsigned way);

/* The ways of a reduction for all nodes. */
enum outer_allreduce { OUTER_ALL_DOUBLING, OUTER_ALL_HALVING };
void outer_allreduce(const struct coll_group *group, unsigned way);

/* The ways of a gather of the blocks of all nodes at the root's, and of a scatter from there. Blocks are in
 * the order of nodes (node_order.h); those of other nodes on the way stay in their data. */
enum outer_gather { OUTER_GATHER_BINOMIAL, OUTER_GATHER_SEQUENTIAL };
void outer_gather(const struct coll_group *group, unsigned way);
enum outer_scatter { OUTER_SCATTER_BINOMIAL, OUTER_SCATTER_SEQUENTIAL };
void outer_scatter(const struct coll_group *group, unsigned way);

/* The ways of a gather at all nodes. */
enum outer_allgather { OUTER_GATHER_DOUBLING, OUTER_GATHER_RING };
void outer_allgather(const struct coll_group *group, unsigned way);

/* The ways of an exchange of blocks that are different for each rank (node_order.h): those for other nodes
 * out of the data, those from there into the room for what comes in. */
enum outer_alltoall { OUTER_PAIRWISE, OUTER_DIRECT };
void outer_alltoall(const struct coll_group *group, unsigned way);

/* Return node NODE of the call of GROUP counted from the root's node on, and back. */
static inline unsigned outer_from_root(const struct coll_group *group, unsigned node) {
  const struct cluster_place *place = &group->cluster->place;
  return (node + place->nodes - place->root_node) % place->nodes;
}

static inline unsigned outer_to_node(const struct coll_group *group, unsigned from_root) {
  const struct cluster_place *place = &group->cluster->place;
  return (from_root + place->root_node) % place->nodes;
}
