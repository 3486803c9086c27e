/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/cluster/outer.h"

#include "algos/cluster/node_major.h"
#include "algos/shape/tree.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "algos/step/ranks.h"

/* Return the effective address of the data of the PPE's current call. */
static uint64_t data_ea(const struct cluster_call *cluster) {
  return cluster_call_ea(cluster, cluster->ncalls);
}

void outer_put(const struct coll_group *group, unsigned to, size_t offset, size_t nbytes) {
  const struct cluster_call *cluster = group->cluster;
  net_put(cluster->place.machines[to], data_ea(cluster) + offset, (uint32_t)nbytes);
}

void outer_wait(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes) {
  const struct cluster_call *cluster = group->cluster;
  net_wait(cluster->place.machines[from], data_ea(cluster) + offset, (uint32_t)nbytes);
}

void outer_receive(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes) {
  const struct cluster_call *cluster = group->cluster;
  net_wait(cluster->place.machines[from], cluster->work_ea + offset, (uint32_t)nbytes);
}

void outer_combine(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes) {
  const struct cluster_call *cluster = group->cluster;
  outer_receive(group, from, offset, nbytes);
  if (nbytes) {
    step_ppe_combine(&(struct combine){.op = group->op, .type = group->type, .nbytes = nbytes},
                     data_ea(cluster) + offset, cluster->work_ea + offset);
  }
}

/* --- barriers and reductions ---
 *
 * Barriers, by messages of no bytes, and reductions to the root's node, and for all nodes.
 *
 *   bruck                node i to i + 2^k, for k = 0, 1, ...; ceil(log2 N) rounds
 *   binomial             node v, counted from the root's node, receives and combines the partial result of
 *                        v + 2^k, for k = 0, 1, ...
 *   recursive doubling   partners at distance 1, 2, 4, ... exchange all data and combine
 *   halving-doubling     partners at distance N/2, N/4, ... exchange halves of the part still to be combined;
 *                        then, at distance 1, 2, ..., partners exchange combined parts
 *
 * The last two ways work on a power of two of nodes: the nodes beyond give their data to a partner before and
 * get the result from the partner afterwards.
 * source: Thakur, Rabenseifner, Gropp 2005, as in MPICH2; bruck: MPICH2, by Ali, Midkiff, Pai 2010, section
 * 6.1. */

void outer_reduce(const struct coll_group *group, unsigned way) {
  unsigned n = group->cluster->place.nodes, own = outer_from_root(group, group->cluster->place.node);
  struct tree tree = {.team = team_of_all(n)};
  (void)way;
  for (unsigned i = tree_nchildren(tree, own); i-- > 0;) {
    outer_combine(group, outer_to_node(group, tree_child_of(tree, own, i)), 0, group->nbytes);
  }
  if (own) {
    outer_put(group, outer_to_node(group, tree_parent(tree, own)), 0, group->nbytes);
  }
}

/* Give each of the CORE nodes, NODE among them, the sum of the data of all CORE nodes. */
static void doubling(const struct coll_group *group, unsigned core, unsigned node) {
  size_t nbytes = layout_buffer_bytes(group);
  for (unsigned distance = 1; distance < core; distance *= 2) {
    outer_put(group, node ^ distance, 0, nbytes);
    outer_combine(group, node ^ distance, 0, nbytes);
  }
}

static void halving_doubling(const struct coll_group *group, unsigned core, unsigned node) {
  unsigned first = 0; /* first of the pieces still combined by this node */
  for (unsigned distance = core / 2; distance; distance /= 2) {
    unsigned kept = node & distance ? first + distance : first,
             given = node & distance ? first : first + distance;
    struct span out = layout_pieces(group, given, given + distance, core),
                own = layout_pieces(group, kept, kept + distance, core);
    outer_put(group, node ^ distance, out.offset, out.nbytes);
    outer_combine(group, node ^ distance, own.offset, own.nbytes);
    first = kept;
  }
  for (unsigned distance = 1; distance < core; distance *= 2) {
    unsigned begin = node & ~(distance - 1), other = begin ^ distance;
    struct span out = layout_pieces(group, begin, begin + distance, core),
                in = layout_pieces(group, other, other + distance, core);
    outer_put(group, node ^ distance, out.offset, out.nbytes);
    outer_wait(group, node ^ distance, in.offset, in.nbytes);
  }
}

void outer_allreduce(const struct coll_group *group, unsigned way) {
  unsigned n = group->cluster->place.nodes, node = group->cluster->place.node, core = ranks_floor_power(n);
  size_t nbytes = layout_buffer_bytes(group);
  if (node >= core) {
    outer_put(group, node - core, 0, nbytes);
    outer_wait(group, node - core, 0, nbytes);
    return;
  }
  if (node + core < n) {
    outer_combine(group, node + core, 0, nbytes);
  }
  (way == OUTER_ALL_DOUBLING ? doubling : halving_doubling)(group, core, node);
  if (node + core < n) {
    outer_put(group, node + core, 0, nbytes);
  }
}

void outer_barrier(const struct coll_group *group, unsigned way) {
  unsigned n = group->cluster->place.nodes, node = group->cluster->place.node;
  if (way == OUTER_DOUBLING) {
    outer_allreduce(group, OUTER_ALL_DOUBLING); /* without data */
    return;
  }
  for (unsigned distance = 1; distance < n; distance *= 2) {
    outer_put(group, (node + distance) % n, 0, 0);
    outer_wait(group, (node + n - distance) % n, 0, 0);
  }
}

/* --- broadcasts ---
 *
 * Broadcasts to the nodes, counted from the root's node on.
 *
 *   binomial            node v < 2^k sends all data to v + 2^k, for k = 0, 1, ...; ceil(log2 N) rounds
 *   chain               node v sends received data on to v + 1, in pieces of 16 KiB
 *   scatter-allgather   the root's node deals N pieces down a binomial tree; then all go round the ring of
 *                       nodes, piece by piece */

static void binomial(const struct coll_group *group) {
  unsigned n = group->cluster->place.nodes, own = outer_from_root(group, group->cluster->place.node);
  unsigned distance = own ? ranks_floor_power(own) : 0;
  if (own) {
    outer_wait(group, outer_to_node(group, own - distance), 0, group->nbytes);
  }
  for (distance = own ? 2 * distance : 1; own + distance < n; distance *= 2) {
    outer_put(group, outer_to_node(group, own + distance), 0, group->nbytes);
  }
}

static void chain(const struct coll_group *group) {
  unsigned n = group->cluster->place.nodes, own = outer_from_root(group, group->cluster->place.node);
  size_t at = 0;
  do {
    size_t nbytes = group->nbytes - at < OUTER_CHAIN_PIECE ? group->nbytes - at : OUTER_CHAIN_PIECE;
    if (own) {
      outer_wait(group, outer_to_node(group, own - 1), at, nbytes);
    }
    if (own + 1 < n) {
      outer_put(group, outer_to_node(group, own + 1), at, nbytes);
    }
    at += nbytes;
  } while (at < group->nbytes);
}

/* Deal the pieces of all nodes down a tree; the pieces of a subtree are contiguous. */
static void deal(const struct coll_group *group, unsigned n, unsigned own) {
  struct tree tree = {.team = team_of_all(n)};
  if (own) {
    struct span part = layout_pieces(group, own, own + tree_weight(tree, own), n);
    outer_wait(group, outer_to_node(group, tree_parent(tree, own)), part.offset, part.nbytes);
  }
  for (struct tree_child child = tree_first(tree, own); tree_has(child); child = tree_next(child)) {
    unsigned next = tree_child_rank(child);
    struct span part = layout_pieces(group, next, next + tree_weight(tree, next), n);
    outer_put(group, outer_to_node(group, next), part.offset, part.nbytes);
  }
}

static void scatter_allgather(const struct coll_group *group) {
  unsigned n = group->cluster->place.nodes, own = outer_from_root(group, group->cluster->place.node);
  deal(group, n, own);
  for (unsigned round = 1; round < n; round++) {
    struct span out = layout_piece(group, (own + n - round + 1) % n, n),
                in = layout_piece(group, (own + n - round) % n, n);
    outer_put(group, outer_to_node(group, (own + 1) % n), out.offset, out.nbytes);
    outer_wait(group, outer_to_node(group, (own + n - 1) % n), in.offset, in.nbytes);
  }
}

void outer_bcast(const struct coll_group *group, unsigned way) {
  static void (*const ways[])(const struct coll_group *) = {
    [OUTER_BINOMIAL] = binomial, [OUTER_CHAIN] = chain, [OUTER_SCATTER_ALLGATHER] = scatter_allgather};
  ways[way](group);
}

/* --- gathers, scatters and all-gathers ---
 *
 * Gathers, scatters and all-gathers of the blocks of nodes.
 *
 *   binomial gather      node v, counted from the root's node, receives the blocks gathered by v + 2^k, for
 *                        k = 0, 1, ...
 *   binomial scatter     node v sends to v + 2^k the blocks of the nodes in the subtree of v + 2^k, for
 *                        k = ..., 1, 0
 *   sequential           the root's node receives from, or sends to, one node after the other
 *   recursive doubling   partners at distance 1, 2, 4, ... exchange all their blocks; nodes beyond a power of
 *                        two give their blocks to a partner before and get all blocks back afterwards
 *   ring                 each node sends the block received last to the next node, N - 1 times
 *
 * The blocks of consecutive nodes, counted from the root's node, are in one message, or in two past the last
 * node. */

/* outer_put, outer_wait or outer_receive */
typedef void exchange(const struct coll_group *group, unsigned node, size_t offset, size_t nbytes);

/* Exchange with node PEER the blocks of nodes NODES[0] .. NODES[1] - 1, without nodes beyond the last. */
static void move(const struct coll_group *group, exchange *act, unsigned peer, const unsigned nodes[2]) {
  unsigned n = group->cluster->place.nodes, end = nodes[1] < n ? nodes[1] : n;
  if (nodes[0] < end) {
    struct span blocks = node_major_blocks(group, nodes[0], end);
    act(group, peer, blocks.offset, blocks.nbytes);
  }
}

/* The same with the blocks of a subtree, and PEER, counted from the root's node. */
static void move_subtree(const struct coll_group *group, exchange *act, unsigned peer, struct subtree from) {
  unsigned n = group->cluster->place.nodes, first = outer_to_node(group, from.number),
           end = first + (from.weight < n - from.number ? from.weight : n - from.number);
  move(group, act, outer_to_node(group, peer), (unsigned[]){first, end});
  move(group, act, outer_to_node(group, peer), (unsigned[]){0, end > n ? end - n : 0});
}

/* Return the tree of the nodes, counted from the root's node: a star if SEQUENTIAL, else binomial. */
static struct tree tree_of(const struct coll_group *group, bool sequential) {
  unsigned n = group->cluster->place.nodes;
  return (struct tree){.team = team_of_all(n), .degree = sequential ? n : 2};
}

void outer_gather(const struct coll_group *group, unsigned way) {
  struct tree tree = tree_of(group, way == OUTER_GATHER_SEQUENTIAL);
  unsigned own = outer_from_root(group, group->cluster->place.node), above = tree_weight(tree, own);
  for (unsigned weight = 1; weight < above; weight *= tree.degree) {
    for (unsigned next = own + weight; next < own + tree.degree * weight && next < tree.team.n;
         next += weight) {
      move_subtree(group, outer_wait, next, (struct subtree){tree, next, weight});
    }
  }
  if (own) {
    move_subtree(group, outer_put, tree_parent(tree, own), (struct subtree){tree, own, above});
  }
}

void outer_scatter(const struct coll_group *group, unsigned way) {
  struct tree tree = tree_of(group, way == OUTER_SCATTER_SEQUENTIAL);
  unsigned own = outer_from_root(group, group->cluster->place.node);
  if (own) {
    move_subtree(group, outer_wait, tree_parent(tree, own),
                 (struct subtree){tree, own, tree_weight(tree, own)});
  }
  for (struct tree_child child = tree_first(tree, own); tree_has(child); child = tree_next(child)) {
    unsigned next = tree_child_rank(child);
    move_subtree(group, outer_put, next, (struct subtree){tree, next, child.weight});
  }
}

static void allgather_doubling(const struct coll_group *group) {
  unsigned n = group->cluster->place.nodes, node = group->cluster->place.node, core = ranks_floor_power(n);
  if (node >= core) {
    move(group, outer_put, node - core, (unsigned[]){node, node + 1});
    move(group, outer_wait, node - core, (unsigned[]){0, n});
    return;
  }
  if (node + core < n) {
    move(group, outer_wait, node + core, (unsigned[]){node + core, node + core + 1});
  }
  /* together with the blocks received from nodes beyond the power of two */
  for (unsigned distance = 1; distance < core; distance *= 2) {
    unsigned partner = node ^ distance, mine = node & ~(distance - 1), its = mine ^ distance;
    move(group, outer_put, partner, (unsigned[]){mine, mine + distance});
    move(group, outer_put, partner, (unsigned[]){core + mine, core + mine + distance});
    move(group, outer_wait, partner, (unsigned[]){its, its + distance});
    move(group, outer_wait, partner, (unsigned[]){core + its, core + its + distance});
  }
  if (node + core < n) {
    move(group, outer_put, node + core, (unsigned[]){0, n});
  }
}

static void ring(const struct coll_group *group) {
  unsigned n = group->cluster->place.nodes, node = group->cluster->place.node;
  for (unsigned round = 1; round < n; round++) {
    unsigned out = (node + n - round + 1) % n, in = (node + n - round) % n;
    move(group, outer_put, (node + 1) % n, (unsigned[]){out, out + 1});
    move(group, outer_wait, (node + n - 1) % n, (unsigned[]){in, in + 1});
  }
}

void outer_allgather(const struct coll_group *group, unsigned way) {
  (way == OUTER_GATHER_DOUBLING ? allgather_doubling : ring)(group);
}

/* --- exchanges ---
 *
 * Exchanges of different blocks for each rank, one message from each node to each other one.
 *
 *   pairwise   in round i node v sends to v + i and receives from v - i; if the nodes are a power of two,
 *              partners are v xor i
 *   direct     each node sends to all others, the next one first; then each node receives from all others
 *
 * source: Qian, Afsahi 2006, sections 2.1 (pairwise) and 5.3 (direct). */

/* Exchange the blocks for, or from, NODE. */
static void move_exchanged(const struct coll_group *group, exchange *act, unsigned node) {
  struct span blocks = node_major_exchanged(group, node);
  act(group, node, blocks.offset, blocks.nbytes);
}

void outer_alltoall(const struct coll_group *group, unsigned way) {
  unsigned n = group->cluster->place.nodes, node = group->cluster->place.node;
  for (unsigned i = 1; i < n; i++) {
    bool swaps = way == OUTER_PAIRWISE && ranks_is_power(n);
    move_exchanged(group, outer_put, swaps ? node ^ i : (node + i) % n);
    if (way == OUTER_PAIRWISE) {
      move_exchanged(group, outer_receive, swaps ? node ^ i : (node + n - i) % n);
    }
  }
  for (unsigned i = 1; way == OUTER_DIRECT && i < n; i++) {
    move_exchanged(group, outer_receive, (node + n - i) % n);
  }
}

/* --- the choice of the collective --- */

void outer_own(const struct coll_group *group) {
  static void (*const parts[COLL_COUNT])(const struct coll_group *group, unsigned way) = {
    [COLL_BARRIER] = outer_barrier,     [COLL_BCAST] = outer_bcast,         [COLL_REDUCE] = outer_reduce,
    [COLL_ALLREDUCE] = outer_allreduce, [COLL_ALLGATHER] = outer_allgather, [COLL_GATHER] = outer_gather,
    [COLL_SCATTER] = outer_scatter,     [COLL_ALLTOALL] = outer_alltoall,
  };
  parts[group->call.algo->collective](group, cluster_call_value(&group->call, "outer"));
}
