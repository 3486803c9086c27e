/* SPDX-License-Identifier: BSD-3-Clause
 * The complete d-ary tree over a team, another shape of a struct tree: number v has the children d v + 1 .. d
 * v + d.
 * source: Gaona, Fernandez, Acacio 2009, section 3.1 (tree topology). */
#pragma once

#include "algos/shape/tree.h"

/* Return the parent of RANK, which is not the root. */
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
