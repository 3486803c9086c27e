/* SPDX-License-Identifier: BSD-3-Clause
 * Parent and children of a rank when all ranks report to one rank, or to their parents in a d-ary tree, among
 * all ranks or on each chip alone. A set of ranks is a word with bit r for rank r, as in a signal register.
 * source: Gaona, Fernandez, Acacio 2009, sections 3.1 and 3.2, figures 2 and 3. */
#pragma once

#include "algos/shape/tree.h"
#include "algos/shape/team.h"

/* The relations of one rank, at most 16 ranks in all. */
struct neighbours {
  unsigned parent;   /* the rank itself: no parent */
  uint32_t children; /* set */
  uint32_t remote;   /* children that lead other chips: served first */
};

/* The first parameter of algorithms with trees: children of a rank, the leaders of other chips aside. */
#define NEIGHBOURS_DEGREE \
  { \
    .name = "degree", .least = 2, .most = COLL_SIGNAL_BITS - 1, .initial = 2, .compared = { 2, 3 } \
  }

/* How to find the neighbours of RANK: a function of this type, `neighbours` of struct algo. */
typedef struct neighbours neighbours_of(const struct coll_group *group, unsigned rank);

/* All report to the root. */
neighbours_of neighbours_star;

/* The same in a tree. */
neighbours_of neighbours_tree;

/* All ranks of a chip report to the chip's leader, which has no parent; the root leads its own chip. */
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
