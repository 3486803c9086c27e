/* SPDX-License-Identifier: BSD-3-Clause
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
#include "algos/cluster/outer.h"
#include "algos/shape/tree.h"
#include "algos/step/layout.h"

void outer_reduce(const struct coll_group *group, unsigned way) {
  unsigned n = group->cluster->place.nodes, own = outer_from_root(group);
  struct tree tree = tree_binomial(n, 0);
  (void)way;
  TREE_EACH_UP(child, tree, own) {
    outer_combine(group, outer_to_node(group, child), 0, group->nbytes);
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
