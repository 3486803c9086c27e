/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a hierarchical algorithm on one node. The ranks of the node form a group, and the PPE of chip 0
 * exchanges messages with the other nodes for all of the group.
 *
 *   inner     a collective of the ranks of a node. Its root is the leader of the node: the root of the whole
 *             call, or the first rank of the node
 *   handover  between the leader, or all ranks, and the PPE, through main memory and inbound mailboxes
 *   outer     a collective of the PPEs, or of the hosts of triblades (host_call.h), by messages between main
 *             memories
 *   release   a broadcast from the leader to the ranks of the node
 *
 * source: Ali, Midkiff, Pai 2010, section 6.1 (barrier); the other collectives by analogy. */
#pragma once

#include "algos/step/coll.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLUSTER_LINE = 128 /* bytes of local store for the handover */ };

/* Cycles of begin and end of a part of the latest call of a rank; 0: no such part. */
struct cluster_times {
  uint64_t begin, end;
};

/* The parts made by the ranks of a node. */
enum { CLUSTER_INNER, CLUSTER_RELEASE, CLUSTER_PARTS };

struct cluster_part {
  struct coll_group group;     /* the call; algo NULL: the algorithm has no such part */
  struct coll **ranks;         /* per rank of the node: the view of the rank */
  struct cluster_times *times; /* per rank of the node */
};

/* The hosts of triblades with ranks in a call; the arrays must outlive the struct. */
struct cluster_hosts {
  unsigned n;
  const unsigned *machines; /* per host: node number for messages */
  const unsigned *nodes;    /* per host, and one more: outer rank of the host's first node */
  const unsigned *first; /* per host, and one more: index of the host's first rank in `ranks` of the place */
};

/* The place of a node and of its ranks in the whole call. */
struct cluster_place {
  unsigned nodes, node;     /* nodes with ranks; outer rank of this node */
  unsigned root_node;       /* outer rank of the node of the root */
  const unsigned *machines; /* per outer rank: number of the node in the machine; must outlive the call */
  unsigned nranks;          /* ranks of the whole call */
  /* the ranks of the whole call, node by node, ascending on each node; must outlive the call */
  const unsigned *ranks;
  /* per outer rank, and one more: index in `ranks` of the node's first rank; must outlive the call */
  const unsigned *first;
  const struct cluster_hosts *hosts; /* hosts on the network; NULL: the PPEs are on the network */
  unsigned host;                     /* index in `hosts` of this node's host */
};

struct cluster_call {
  struct cluster_place place;
  struct cluster_part parts[CLUSTER_PARTS];
  /* addresses in the main memory of the node: flags of ranks for the PPE, data, room for arriving data */
  uint64_t flags_ea, data_ea, work_ea;
  /* distance between the two places for the data of calls, used in turn; 0: there is one place */
  size_t turn_bytes;
  uint32_t line_at;                   /* local store address of CLUSTER_LINE bytes for the handover */
  unsigned ncalls;                    /* calls completed by the PPE */
  const struct cluster_place *behind; /* in a call on a host: place of the host's first node; else NULL */
};

/* The parameter `by`: blocks move between local stores and main memory either by the leader of each node,
 * with an inner part, or by each rank for its own block, without an inner part. */
enum { CLUSTER_BY_LEADER, CLUSTER_BY_EACH };
#define CLUSTER_BY_PARAM \
  { \
    .name = "by", .choices = { \
      [CLUSTER_BY_LEADER] = {.word = "leader"}, \
      [CLUSTER_BY_EACH] = {.word = "each"} \
    } \
  }

/* Set `cluster`, `nranks_all` and `names` of GROUP, complete otherwise, for the node at PLACE.
 * owner: the caller, with cluster_call_fini. */
void cluster_call_init(struct coll_group *group, const struct cluster_place *place);

/* Release the memory allocated by cluster_call_init for GROUP. */
void cluster_call_fini(struct coll_group *group);

/* Return the bytes of main memory of a node for the call of GROUP: for flags; for the data of one call. The
 * room for data that arrives has the size of the data: a vector, all blocks, or in an all-to-all all blocks
 * for or from the ranks of the node. */
size_t cluster_call_flags(const struct coll_group *group);
size_t cluster_call_data(const struct coll_group *group);

/* Return the number of places for the data of calls, used in turn: two if the ranks of a node may begin a
 * call while others still read the data of the previous call from main memory. */
unsigned cluster_call_turns(const struct coll_group *group);

/* Return the effective address of the data of call NCALLS of CLUSTER. */
static inline uint64_t cluster_call_ea(const struct cluster_call *cluster, unsigned ncalls) {
  return cluster->data_ea + ncalls % 2 * cluster->turn_bytes;
}

/* Return the number of ranks of outer rank NODE of PLACE. */
static inline unsigned cluster_place_ranks(const struct cluster_place *place, unsigned node) {
  return place->first[node + 1] - place->first[node];
}

/* Tell whether PLACE is the root's node. */
static inline bool cluster_place_is_root(const struct cluster_place *place) {
  return place->node == place->root_node;
}

/* Return the value of parameter NAME of ALGORITHM; 0 if the algorithm has no such parameter. */
unsigned cluster_call_value(const struct algorithm *algorithm, const char *name);

/* Return the reason, formatted into TEXT, why the parts of the call of GROUP do not work; NULL: no reason. */
const char *cluster_call_refuse(const struct coll_group *group, char *text, size_t size);

/* Return the bytes of scratch of a call of GROUP: `scratch` of every hierarchical algorithm. */
size_t cluster_call_scratch(const struct coll_group *group);

/* The SPE program of a rank: find the notification arrays of the parts, then run driver_main. */
void cluster_main(void *argument);

/* The inner gather: each rank first copies its block from its buffer to the blocks of the node, which lie
 * apart from the buffer. The inner scatter: each rank copies its block back into its buffer afterwards. */
void cluster_gather_node(struct coll *c);
void cluster_scatter_node(struct coll *c);

/* Make PART of the current call of C. */
void cluster_make(struct coll *c, unsigned part);
