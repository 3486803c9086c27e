/* SPDX-License-Identifier: BSD-3-Clause
 * Common parts of the algorithms over k-nomial trees of Velamati et al.: a degree as parameter, and
 * notifications to all children at once.
 * source: Velamati et al. 2007, sections 5.1 and 6.1 (TREE, TREEMM). */
#pragma once

#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* Return the tree of all ranks from ROOT on; parameter 0 of the algorithm is the degree. */
struct tree knomial_tree(const struct coll *c, unsigned root);

/* Raise the flag of this rank at all children in TREE. */
void knomial_notify(struct coll *c, struct tree tree);
