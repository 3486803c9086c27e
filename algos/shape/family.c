/* SPDX-License-Identifier: BSD-3-Clause
 * See family.h. */
#include "algos/shape/family.h"

static uint32_t
bit(unsigned rank)
{
  return UINT32_C(1) << rank;
}

/* Return the family of RANK if all members of TEAM report to ROOT. */
static struct family
in_star(struct team team, unsigned root, unsigned rank)
{
  struct family family = {.parent = root};
  for (unsigned i = 0; rank == root && i < team.n; i++) {
    family.children |= bit(team_rank(team, i));
  }
  family.children &= ~bit(root);
  return family;
}

static struct family
in_tree(struct dary tree, unsigned rank)
{
  struct family family = {.parent = rank == tree.root ? rank : dary_parent(tree, rank)};
  for (unsigned i = 0; i < dary_nchildren(tree, rank); i++) {
    family.children |= bit(dary_child(tree, rank, i));
  }
  return family;
}

struct family
family_star(const struct coll_group *group, unsigned rank)
{
  return in_star(team_of_all(group->nranks), group->root, rank);
}

struct family
family_tree(const struct coll_group *group, unsigned rank)
{
  struct dary tree = {
    .team = team_of_all(group->nranks), .root = group->root, .degree = group->call.values[0]};
  return in_tree(tree, rank);
}

struct family
family_star_on_chip(const struct coll_group *group, unsigned rank)
{
  unsigned chip = group->chip_of[rank];
  return in_star(team_of_chip(group, chip), team_leader(group, chip, group->root), rank);
}

struct family
family_tree_on_chip(const struct coll_group *group, unsigned rank)
{
  unsigned chip = group->chip_of[rank];
  struct dary tree = {.team = team_of_chip(group, chip),
                      .root = team_leader(group, chip, group->root),
                      .degree = group->call.values[0]};
  return in_tree(tree, rank);
}

uint32_t
family_other_leaders(const struct coll_group *group, unsigned rank)
{
  uint32_t leaders = 0;
  for (unsigned chip = 0; chip < group->nchips; chip++) {
    leaders |= chip == group->chip_of[rank] ? 0 : bit(team_leader(group, chip, group->root));
  }
  return leaders;
}

/* Return FAMILY, of RANK on its chip, as part of the blade. */
static struct family
joined(const struct coll_group *group, struct family family, unsigned rank)
{
  if (rank == group->root) {
    family.remote = family_other_leaders(group, rank);
    family.children |= family.remote;
  } else if (family.parent == rank) {
    family.parent = group->root;
  }
  return family;
}

struct family
family_star_of_blade(const struct coll_group *group, unsigned rank)
{
  return joined(group, family_star_on_chip(group, rank), rank);
}

struct family
family_tree_of_blade(const struct coll_group *group, unsigned rank)
{
  return joined(group, family_tree_on_chip(group, rank), rank);
}

unsigned
family_most_children(const struct coll_group *group, family_of *find)
{
  unsigned most = 0;
  for (unsigned r = 0; r < group->nranks; r++) {
    unsigned n = (unsigned)__builtin_popcount(find(group, r).children);
    most = n > most ? n : most;
  }
  return most;
}
