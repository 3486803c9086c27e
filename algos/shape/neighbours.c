/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/shape/neighbours.h"

#include "sim/base/minmax.h"

static uint32_t bit(unsigned rank) {
  return UINT32_C(1) << rank;
}

/* Return the neighbours of RANK in TREE. With a degree not below the number of members TREE is a star. */
static struct neighbours in_tree(struct tree tree, unsigned rank) {
  struct neighbours neighbours = {.parent = rank == tree.root ? rank : dary_parent(tree, rank)};
  for (unsigned i = 0; i < dary_nchildren(tree, rank); i++) {
    neighbours.children |= bit(dary_child(tree, rank, i));
  }
  return neighbours;
}

/* Return the neighbours of RANK in the tree of DEGREE of all ranks, or of the ranks on its chip. */
static struct neighbours among_all(const struct coll_group *group, unsigned degree, unsigned rank) {
  return in_tree((struct tree){team_of_all(group->nranks), group->root, degree}, rank);
}

static struct neighbours on_chip(const struct coll_group *group, unsigned degree, unsigned rank) {
  unsigned chip = group->chip_of[rank];
  return in_tree((struct tree){team_of_chip(group, chip), team_leader(group, chip, group->root), degree},
                 rank);
}

struct neighbours neighbours_star(const struct coll_group *group, unsigned rank) {
  return among_all(group, group->nranks, rank);
}

struct neighbours neighbours_tree(const struct coll_group *group, unsigned rank) {
  return among_all(group, group->call.values[0], rank);
}

struct neighbours neighbours_star_on_chip(const struct coll_group *group, unsigned rank) {
  return on_chip(group, group->nranks, rank);
}

struct neighbours neighbours_tree_on_chip(const struct coll_group *group, unsigned rank) {
  return on_chip(group, group->call.values[0], rank);
}

uint32_t neighbours_other_leaders(const struct coll_group *group, unsigned rank) {
  uint32_t leaders = 0;
  for (unsigned chip = 0; chip < group->nchips; chip++) {
    leaders |= chip == group->chip_of[rank] ? 0 : bit(team_leader(group, chip, group->root));
  }
  return leaders;
}

/* Return NEIGHBOURS, of RANK on its chip, as ranks of the blade. */
static struct neighbours joined(const struct coll_group *group, struct neighbours neighbours, unsigned rank) {
  if (rank == group->root) {
    neighbours.remote = neighbours_other_leaders(group, rank);
    neighbours.children |= neighbours.remote;
  } else if (neighbours.parent == rank) {
    neighbours.parent = group->root;
  }
  return neighbours;
}

struct neighbours neighbours_star_of_blade(const struct coll_group *group, unsigned rank) {
  return joined(group, neighbours_star_on_chip(group, rank), rank);
}

struct neighbours neighbours_tree_of_blade(const struct coll_group *group, unsigned rank) {
  return joined(group, neighbours_tree_on_chip(group, rank), rank);
}

unsigned neighbours_most_children(const struct coll_group *group) {
  neighbours_of *neighbours = group->call.algo->neighbours;
  struct coll_group call = *group;
  unsigned most = 0;
  for (unsigned r = 0; neighbours && r < group->nranks; r++) {
    call.root = r; /* no rank has more children than as the root */
    unsigned n = (unsigned)__builtin_popcount(neighbours(&call, r).children);
    RAISE(most, n);
  }
  return most;
}
