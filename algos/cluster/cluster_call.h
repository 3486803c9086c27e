/* SPDX-License-Identifier: BSD-3-Clause
 * A call of a hierarchical algorithm on one node: the ranks there are a group of their own, and the PPE of
 * chip 0 talks to the other nodes for all of them.
 *
 *   inner     a collective of the ranks of a node; its root, the leader of the node, is the root of the whole
 *             call or the first rank
 *   handover  between the leader, or all ranks, and the PPE, through main memory and inbound mailboxes
 *   outer     a collective of the PPEs, or of the hosts of triblades (host_call.h), by messages between main
 *             memories
 *   release   a broadcast from the leader to the ranks of its node
 *
 * source: Ali, Midkiff, Pai 2010, section 6.1 (barrier); the other collectives by analogy. */
#pragma once

#include "algos/step/coll.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum { CLUSTER_LINE = 128 /* bytes of local store for the handover */ };

/* When a rank has begun and ended the parts of its latest call, in cycles; a part that the algorithm does not
 * have is 0. */
struct cluster_times {
  uint64_t inner_begin, inner_end, release_begin, release_end;
};

/* The hosts of triblades that have ranks in a call; the arrays must outlive it. */
struct cluster_hosts {
  unsigned n;
  const unsigned *machines; /* per host: its number for messages */
  const unsigned *nodes;    /* per host, and one more: the outer rank of the first node behind it */
  const unsigned *first;    /* per host, and one more: where its ranks begin in the order of nodes */
};

/* Where the ranks of a node are in the whole call. */
struct cluster_place {
  unsigned nodes, node;     /* nodes with ranks, and which of them this is: its outer rank */
  unsigned root_node;       /* outer rank of the node of the root */
  const unsigned *machines; /* per outer rank: its node of the machine; must outlive the call */
  unsigned nranks;          /* of the whole call */
  const unsigned
    *order; /* the ranks of the whole call node by node, on each ascending; must outlive the call */
  const unsigned
    *first; /* per outer rank, and one more: where its ranks begin there; must outlive the call */
  const struct cluster_hosts *hosts; /* that talk to the network; NULL: the PPE does */
  unsigned host;                     /* of them, that of this node */
};

struct cluster_call {
  struct cluster_place place;
  struct coll_group inner, release; /* their calls; algo NULL: the algorithm has no such part */
  struct coll **inners, **releases; /* per rank of the node: its view of them */
  struct cluster_times *times;      /* per rank of the node */
  uint64_t flags_ea, data_ea,
    work_ea; /* in the main memory of the node: flags of ranks, data, room for what comes in */
  /* from the data of a call to that of the next one, which have two places in turn; 0: they have one */
  size_t turn_bytes;
  uint32_t line_at;                   /* local store address of CLUSTER_LINE bytes for the handover */
  unsigned ncalls;                    /* that the PPE has made */
  const struct cluster_place *behind; /* of a call on a host: where one of its nodes is */
};

/* The parameter that says who moves blocks between local stores and main memory: the leader of each node,
 * with an inner part, or each rank its own, without. */
enum { CLUSTER_BY_LEADER, CLUSTER_BY_EACH };
#define CLUSTER_BY_PARAM \
  { \
    .name = "by", .choices = { \
      [CLUSTER_BY_LEADER] = {.word = "leader"}, \
      [CLUSTER_BY_EACH] = {.word = "each"} \
    } \
  }

/* Make of GROUP, all of whose other fields are set, the call of the node at PLACE.
 * owner: the caller, with cluster_call_fini. */
void cluster_call_init(struct coll_group *group, const struct cluster_place *place);

/* Release what cluster_call_init has made of GROUP. */
void cluster_call_fini(struct coll_group *group);

/* Return the bytes of main memory that a node needs for the call of GROUP: for flags; for the data of one
 * call, and as many for what comes in: those of a vector, of all blocks, or in an all-to-all of all blocks
 * for or from the ranks of the node. */
size_t cluster_call_flags(const struct coll_group *group);
size_t cluster_call_data(const struct coll_group *group);

/* Return in how many places the data of calls lies in turn: two if the ranks of a node may begin a call while
 * others still read what the one before has left in main memory. */
unsigned cluster_call_turns(const struct coll_group *group);

/* Return the effective address of the data of call NCALLS of CLUSTER. */
static inline uint64_t cluster_call_ea(const struct cluster_call *cluster, unsigned ncalls) {
  return cluster->data_ea + ncalls % 2 * cluster->turn_bytes;
}

/* Return how many ranks outer rank NODE of PLACE has. */
static inline unsigned cluster_place_ranks(const struct cluster_place *place, unsigned node) {
  return place->first[node + 1] - place->first[node];
}

/* Tell whether PLACE is the root's node. */
static inline bool cluster_place_is_root(const struct cluster_place *place) {
  return place->node == place->root_node;
}

/* Return the value of parameter NAME of CALL; 0: it has no such parameter. */
unsigned cluster_call_value(const struct algo_call *call, const char *name);

/* Return what forbids the parts of the call of GROUP, formatted into TEXT; NULL: nothing. */
const char *cluster_call_refuse(const struct coll_group *group, char *text, size_t size);

/* As `scratch` of a hierarchical algorithm. */
size_t cluster_call_scratch(const struct coll_group *group);

/* The SPE program of a rank: as driver_main, with the arrays of the parts found before. */
void cluster_main(void *argument);

/* The inner gather, for which each rank copies its block out of its buffer first, and the inner scatter,
 * after which each copies its block there: the blocks of a node lie apart from the buffers. */
void cluster_gather_node(struct coll *c);
void cluster_scatter_node(struct coll *c);

/* Make the inner part of the call that C is in, or the release. */
void cluster_inner(struct coll *c);
void cluster_release(struct coll *c);
