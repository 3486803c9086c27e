/* SPDX-License-Identifier: BSD-3-Clause
 * What the algorithms over k-nomial trees of Velamati et al. have in common: a degree as their parameter, and
 * notifications to all children at once.
 * source: Velamati et al. 2007, sections 5.1 and 6.1 (TREE, TREEMM). */
#pragma once

#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* Return the tree of all ranks from ROOT on whose degree is parameter 0 of the algorithm. */
struct tree knomial_tree(const struct coll *c, unsigned root);

/* Raise the flag of this rank at all its children in TREE. */
void knomial_notify(struct coll *c, struct tree tree);
