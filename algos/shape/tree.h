/* SPDX-License-Identifier: BSD-3-Clause
 * Teams of ranks, and trees of the ranks of a team. A team is some of the ranks in an order, so that a
 * program for all ranks also serves the ranks of a chip.
 *
 * The k-nomial tree: parents, and the order of children. The tree of degree 2 is the binomial tree, the tree
 * of degree 1 the chain.
 *
 * Members are numbered from the root. In the tree of degree k the number of a parent is the number of the
 * child without its lowest nonzero digit to the base k; in each phase every informed member informs k - 1
 * others.
 * source: Velamati et al. 2007, section 5.1 (TREE); degree 1 for pipelines: section 6.1. */
#pragma once

#include "algos/step/group.h"
#include "algos/step/ranks.h"

/* Members 0 .. n - 1. */
struct team {
  const unsigned *rank_of, *place_of; /* NULL: member i of a group without a team is rank i */
  unsigned first, n;
};

/* Return all N ranks in ascending order. */
static inline struct team team_of_all(unsigned n) {
  return (struct team){.n = n};
}

/* Return the ranks on CHIP. */
static inline struct team team_of_chip(const struct coll_group *group, unsigned chip) {
  return (struct team){.rank_of = group->by_chip,
                       .place_of = group->place_of,
                       .first = group->chip_first[chip],
                       .n = group->chip_first[chip + 1] - group->chip_first[chip]};
}

/* Return the N members of TEAM from FIRST on. */
static inline struct team team_part(struct team team, unsigned first, unsigned n) {
  team.first += first;
  team.n = n;
  return team;
}

/* Return the rank of MEMBER, and the member of RANK. */
static inline unsigned team_rank(struct team team, unsigned member) {
  return team.rank_of ? team.rank_of[team.first + member] : team.first + member;
}

static inline unsigned team_member(struct team team, unsigned rank) {
  return (team.place_of ? team.place_of[rank] : rank) - team.first;
}

/* Return the rank that leads CHIP when ROOT leads its own chip: the rank in ROOT's place on CHIP, or the last
 * rank of CHIP if CHIP has fewer ranks. */
static inline unsigned team_leader(const struct coll_group *group, unsigned chip, unsigned root) {
  struct team team = team_of_chip(group, chip), home = team_of_chip(group, group->chip_of[root]);
  unsigned place = team_member(home, root);
  return team_rank(team, place < team.n ? place : team.n - 1);
}

/* --- trees --- */

/* A tree over the members of a team, with rank `root` on top. */
struct tree {
  struct team team;
  unsigned root;
  unsigned degree; /* 0: 2, binomial */
};

/* Return the binomial tree of all N ranks from ROOT on. */
static inline struct tree tree_binomial(unsigned n, unsigned root) {
  return (struct tree){.team = team_of_all(n), .root = root};
}

/* Return the number of RANK in TREE, counted from the root. */
static inline unsigned tree_number(struct tree tree, unsigned rank) {
  return ranks_to_virtual(team_member(tree.team, rank), team_member(tree.team, tree.root), tree.team.n);
}

/* Return the rank with NUMBER in TREE. */
static inline unsigned tree_rank(struct tree tree, unsigned number) {
  return team_rank(tree.team, ranks_from_virtual(number, team_member(tree.team, tree.root), tree.team.n));
}

static inline unsigned tree_base(struct tree tree) {
  return tree.degree ? tree.degree : 2;
}

/* Return the weight of RANK's link to its parent: the weight of the lowest nonzero digit of RANK's number;
 * for the root the first power of the degree that is not below the number of members. The children of number
 * v are v + d w for the powers w of the degree k below v's weight and d = 1 .. k - 1, if such members exist;
 * the heaviest child has the longest path below it. */
static inline unsigned tree_weight(struct tree tree, unsigned rank) {
  unsigned number = tree_number(tree, rank), base = tree_base(tree), weight = 1;
  if (base == 1) {
    return 1;
  }
  while (number ? number / weight % base == 0 : weight < tree.team.n) {
    weight *= base;
  }
  return weight;
}

/* Return the parent of RANK, which is not the root. */
static inline unsigned tree_parent(struct tree tree, unsigned rank) {
  unsigned number = tree_number(tree, rank), base = tree_base(tree), weight = tree_weight(tree, rank);
  return tree_rank(tree, base == 1 ? number - 1 : number - number / weight % base * weight);
}

/* A place among the children of a rank. */
struct tree_child {
  struct tree tree;
  unsigned parent; /* number */
  unsigned weight; /* 0: past the last child */
  unsigned digit;
};

/* Return the place of the first existing child from CHILD on. */
static inline struct tree_child tree_child_from(struct tree_child child) {
  while (child.weight && child.parent + child.digit * child.weight >= child.tree.team.n) {
    child.weight /= tree_base(child.tree) > 1 ? tree_base(child.tree) : 2;
    child.digit = 1;
  }
  return child;
}

static inline struct tree_child tree_first(struct tree tree, unsigned rank) {
  unsigned base = tree_base(tree), weight = tree_weight(tree, rank);
  return tree_child_from((struct tree_child){
    .tree = tree, .parent = tree_number(tree, rank), .weight = base == 1 ? 1 : weight / base, .digit = 1});
}

static inline struct tree_child tree_next(struct tree_child child) {
  unsigned base = tree_base(child.tree);
  if (++child.digit >= base) {
    child.digit = 1;
    child.weight /= base > 1 ? base : 2;
  }
  return tree_child_from(child);
}

/* Return the rank at the place CHILD. */
static inline unsigned tree_child_rank(struct tree_child child) {
  return tree_rank(child.tree, child.parent + child.digit * child.weight);
}

/* A loop over the places of the children of RANK in TREE, the heaviest child first. */
#define TREE_EACH(child, tree, rank) \
  for (struct tree_child child = tree_first((tree), (rank)); child.weight; child = tree_next(child))

/* Return how many children RANK has. */
static inline unsigned tree_nchildren(struct tree tree, unsigned rank) {
  unsigned n = 0;
  TREE_EACH(child, tree, rank) {
    n++;
  }
  return n;
}

/* Return child I of RANK, heaviest first. */
static inline unsigned tree_child_of(struct tree tree, unsigned rank, unsigned i) {
  struct tree_child child = tree_first(tree, rank);
  while (i-- > 0) {
    child = tree_next(child);
  }
  return tree_child_rank(child);
}

/* A loop over the children of RANK in TREE, which CHILD is one after the other, the lightest child first. */
#define TREE_EACH_UP(child, tree, rank) \
  for (unsigned left_ = tree_nchildren((tree), (rank)), child; \
       left_-- > 0 && (child = tree_child_of((tree), (rank), left_), true);)

/* The ranks whose numbers in TREE are NUMBER .. NUMBER + WEIGHT - 1: a rank and all its descendants. */
struct subtree {
  struct tree tree;
  unsigned number, weight;
};

/* Return the subtree of RANK. */
static inline struct subtree subtree_of(struct tree tree, unsigned rank) {
  return (struct subtree){tree, tree_number(tree, rank), tree_weight(tree, rank)};
}

/* Find the next consecutive ranks of SUBTREE, from *RANK on, and let *RANK be the first of these ranks: `for
 * (unsigned rank = 0, count; (count = subtree_run(subtree, &rank)); rank += count)`. All ranks are in the
 * tree of SUBTREE.
 * returns: the number of consecutive ranks; 0: no ranks are left. */
static inline unsigned subtree_run(struct subtree subtree, unsigned *rank) {
  unsigned n = subtree.tree.team.n, count = 0;
  while (*rank + count < n) {
    unsigned number = tree_number(subtree.tree, *rank + count);
    bool is_there = number >= subtree.number && number - subtree.number < subtree.weight;
    if (count && !is_there) {
      break;
    }
    count += is_there;
    *rank += !is_there;
  }
  return count;
}
