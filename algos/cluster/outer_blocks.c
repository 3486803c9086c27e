/* SPDX-License-Identifier: BSD-3-Clause
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
#include "algos/cluster/handover.h"
#include "algos/cluster/outer.h"
#include "algos/shape/tree.h"
#include "sim/base/minmax.h"

/* Exchange with node PEER the blocks of nodes NODES[0] .. NODES[1] - 1, without nodes beyond the last. */
static void move(const struct coll_group *group, outer_exchange *act, unsigned peer,
                 const unsigned nodes[2]) {
  unsigned n = group->cluster->place.nodes, end = MIN(nodes[1], n);
  if (nodes[0] < end) {
    struct span blocks = handover_blocks(group, nodes[0], end);
    act(group, peer, blocks.offset, blocks.nbytes);
  }
}

/* The same with the blocks of a subtree, and PEER, counted from the root's node. */
static void move_subtree(const struct coll_group *group, outer_exchange *act, unsigned peer,
                         struct subtree from) {
  unsigned n = group->cluster->place.nodes, first = outer_to_node(group, from.number),
           end = first + MIN(from.weight, n - from.number);
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
  unsigned own = outer_from_root(group), above = tree_weight(tree, own);
  for (unsigned weight = 1; weight < above; weight *= tree.degree) {
    for (unsigned next = own + weight; next < own + tree.degree * weight && next < tree.team.n;
         next += weight) {
      move_subtree(group, outer_wait, next, (struct subtree){tree, next, weight});
    }
  }
  if (own) {
    move_subtree(group, outer_put, tree_parent(tree, own), subtree_of(tree, own));
  }
}

void outer_scatter(const struct coll_group *group, unsigned way) {
  struct tree tree = tree_of(group, way == OUTER_SCATTER_SEQUENTIAL);
  unsigned own = outer_from_root(group);
  if (own) {
    move_subtree(group, outer_wait, tree_parent(tree, own), subtree_of(tree, own));
  }
  TREE_EACH(child, tree, own) {
    unsigned next = tree_child_rank(child);
    move_subtree(group, outer_put, next, subtree_of(tree, next));
  }
}

static void doubling(const struct coll_group *group) {
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
  (way == OUTER_GATHER_DOUBLING ? doubling : ring)(group);
}
