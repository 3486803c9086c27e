/* SPDX-License-Identifier: BSD-3-Clause
 * Broadcasts to the nodes, counted from the root's node on.
 *
 *   binomial            node v < 2^k sends all data to v + 2^k, for k = 0, 1, ...; ceil(log2 N) rounds
 *   chain               node v sends received data on to v + 1, in pieces of 16 KiB
 *   scatter-allgather   the root's node deals N pieces down a binomial tree; then all go round the ring of
 *                       nodes, piece by piece */
#include "algos/cluster/outer.h"
#include "algos/shape/tree.h"
#include "algos/step/layout.h"
#include "sim/base/minmax.h"

static void binomial(const struct coll_group *group) {
  unsigned n = group->cluster->place.nodes, own = outer_from_root(group);
  unsigned distance = own ? ranks_floor_power(own) : 0;
  if (own) {
    outer_wait(group, outer_to_node(group, own - distance), 0, group->nbytes);
  }
  for (distance = own ? 2 * distance : 1; own + distance < n; distance *= 2) {
    outer_put(group, outer_to_node(group, own + distance), 0, group->nbytes);
  }
}

static void chain(const struct coll_group *group) {
  unsigned n = group->cluster->place.nodes, own = outer_from_root(group);
  size_t at = 0;
  do {
    size_t nbytes = MIN(group->nbytes - at, OUTER_CHAIN_PIECE);
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
  struct tree tree = tree_binomial(n, 0);
  if (own) {
    struct span part = layout_pieces(group, own, own + tree_weight(tree, own), n);
    outer_wait(group, outer_to_node(group, tree_parent(tree, own)), part.offset, part.nbytes);
  }
  TREE_EACH(child, tree, own) {
    unsigned next = tree_child_rank(child);
    struct span part = layout_pieces(group, next, next + tree_weight(tree, next), n);
    outer_put(group, outer_to_node(group, next), part.offset, part.nbytes);
  }
}

static void scatter_allgather(const struct coll_group *group) {
  unsigned n = group->cluster->place.nodes, own = outer_from_root(group);
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
