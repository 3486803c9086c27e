/* SPDX-License-Identifier: BSD-3-Clause
 * The binomial tree: who is whose parent, in which order children are served. */
#pragma once

#include "algos/ranks.h"

/* A binomial tree over the ranks base .. base + n - 1, with `root` (one of them) on top. */
struct tree {
  unsigned base, n, root;
};

/* Return the number of RANK in TREE, counted from the root. */
static inline unsigned
tree_number(struct tree tree, unsigned rank)
{
  return ranks_to_virtual(rank - tree.base, tree.root - tree.base, tree.n);
}

/* Return the rank with NUMBER in TREE. */
static inline unsigned
tree_rank(struct tree tree, unsigned number)
{
  return tree.base + ranks_from_virtual(number, tree.root - tree.base, tree.n);
}

/* Return the weight of RANK's link to its parent: its lowest set bit; for the root the first power of two that reaches
 * the number of ranks. The children of number v are v + w for the powers of two w below that weight, as far as there are
 * such ranks; the heaviest child has the longest path below it. */
static inline unsigned
tree_weight(struct tree tree, unsigned rank)
{
  unsigned number = tree_number(tree, rank);
  return number ? number & -number : 1U << ranks_ceil_log2(tree.n);
}

/* Return the parent of RANK, which is not the root. */
static inline unsigned
tree_parent(struct tree tree, unsigned rank)
{
  unsigned number = tree_number(tree, rank);
  return tree_rank(tree, number & (number - 1));
}

/* A place among the children of a rank: `for (c = tree_first(...); tree_has(c); c = tree_next(c))` visits the heaviest
 * child first. */
struct tree_child {
  struct tree tree;
  unsigned parent; /* number */
  unsigned weight; /* 0: past the last child */
};

/* Return the place of the heaviest of the children from weight W on downwards that exist. */
static inline struct tree_child
tree_child_from(struct tree_child child)
{
  while (child.weight && child.parent + child.weight >= child.tree.n) {
    child.weight /= 2;
  }
  return child;
}

static inline struct tree_child
tree_first(struct tree tree, unsigned rank)
{
  return tree_child_from((struct tree_child){
    .tree = tree, .parent = tree_number(tree, rank), .weight = tree_weight(tree, rank) / 2});
}

static inline bool
tree_has(struct tree_child child)
{
  return child.weight != 0;
}

static inline struct tree_child
tree_next(struct tree_child child)
{
  child.weight /= 2;
  return tree_child_from(child);
}

/* Return the rank at the place CHILD. */
static inline unsigned
tree_child_rank(struct tree_child child)
{
  return tree_rank(child.tree, child.parent + child.weight);
}
