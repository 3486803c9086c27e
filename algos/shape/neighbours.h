/* SPDX-License-Identifier: BSD-3-Clause
 * Who reports to whom: the parent and the children of a rank when all report to one, or to their parents in a
 * d-ary tree, among all ranks or on each chip by itself. Sets of ranks are words with bit r for rank r, as in
 * a signal register.
 * source: Gaona, Fernandez, Acacio 2009, sections 3.1 and 3.2, figures 2 and 3. */
#pragma once

#include "algos/shape/dary.h"
#include "algos/shape/team.h"

/* The relations of one rank, at most 16 ranks in all. */
struct neighbours {
  unsigned parent;   /* the rank itself: it has none */
  uint32_t children; /* set */
  uint32_t remote;   /* those of them that lead other chips: served first */
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

/* All ranks of a chip report to its leader, which has no parent; the root leads its own chip. */
neighbours_of neighbours_star_on_chip;
neighbours_of neighbours_tree_on_chip;

/* The same, and the leaders of the other chips are further children of the root, so that one message to each
 * of these chips is enough. */
neighbours_of neighbours_star_of_blade;
neighbours_of neighbours_tree_of_blade;

/* Return the leaders of all chips but that of RANK. */
uint32_t neighbours_other_leaders(const struct coll_group *group, unsigned rank);

/* Return the most children that a rank has in the algorithm of GROUP; 0 if it has no neighbours. */
unsigned neighbours_most_children(const struct coll_group *group);
