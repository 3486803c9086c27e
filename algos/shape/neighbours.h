/* SPDX-License-Identifier: BSD-3-Clause
 * Parent and children of a rank when all ranks report to one rank, or to their parents in a d-ary tree, among
 * all ranks or on each chip alone. A set of ranks is a word with bit r for rank r, as in a signal register.
 * source: Gaona, Fernandez, Acacio 2009, sections 3.1 and 3.2, figures 2 and 3. */
#pragma once

#include "algos/shape/tree.h"

/* The relations of one rank, at most 16 ranks in all. */
struct neighbours {
  unsigned parent;   /* the rank itself: no parent */
  uint32_t children; /* set */
  uint32_t remote;   /* children that lead other chips: served first */
};

/* The first parameter of algorithms with trees: children of a rank, the leaders of other chips aside. */
#define NEIGHBOURS_DEGREE \
  { \
    .name = "degree", .least = 2, .most = COLL_SIGNAL_BITS - 1, .initial = 2, .compared = {2, 3}, \
    .of_ranks = true \
  }

/* How to find the neighbours of RANK: a function of this type, `neighbours` of struct algo. */
typedef struct neighbours neighbours_of(const struct coll_group *group, unsigned rank);

/* All report to the root. */
neighbours_of neighbours_star;

/* The same in a tree. */
neighbours_of neighbours_tree;

/* All ranks of a chip report to the chip's leader, without a parent; the root leads the own chip. */
neighbours_of neighbours_star_on_chip;
neighbours_of neighbours_tree_on_chip;

/* The same, and the leaders of the other chips are further children of the root, so that one message to each
 * of these chips is enough. */
neighbours_of neighbours_star_of_blade;
neighbours_of neighbours_tree_of_blade;

/* Return the leaders of all chips but the chip of RANK. */
uint32_t neighbours_other_leaders(const struct coll_group *group, unsigned rank);

/* Return the maximum number of children of a rank in the algorithm of GROUP with any root; 0 if the algorithm
 * has no neighbours. */
unsigned neighbours_most_children(const struct coll_group *group);

/* --- the complete d-ary tree of a struct tree: number v has the children d v + 1 .. d v + d --- */

/* Return the parent of RANK, not the root. */
static inline unsigned dary_parent(struct tree tree, unsigned rank) {
  return tree_rank(tree, (tree_number(tree, rank) - 1) / tree.degree);
}

/* Return the number of children of RANK, and the rank of child I of RANK. */
static inline unsigned dary_nchildren(struct tree tree, unsigned rank) {
  unsigned first = tree_number(tree, rank) * tree.degree + 1;
  unsigned left = first < tree.team.n ? tree.team.n - first : 0;
  return left < tree.degree ? left : tree.degree;
}

static inline unsigned dary_child(struct tree tree, unsigned rank, unsigned i) {
  return tree_rank(tree, tree_number(tree, rank) * tree.degree + 1 + i);
}
