/* SPDX-License-Identifier: BSD-3-Clause
 * Ways of data up to a root: common parts of reductions and gathers. */
#pragma once

#include "algos/phase/parts.h"
#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* The scratch of tree_collect_combine: the vector of another rank. */
size_t tree_collect_scratch(const struct coll_group *group);

/* Take the whole vector of rank FROM and combine the vector into the own vector. */
void tree_collect_combine(struct coll *c, unsigned from);

/* Combine the vectors of all ranks of TREE, binomial, into the vector of its root: the lightest child first,
 * since the lightest child reports first. The vector of each other rank then holds the combination of its
 * subtree. */
void tree_collect_reduce(struct coll *c, struct tree tree);

/* Gather the parts of all ranks whose numbers differ from ROOT only below SPAN, a power of two, at ROOT. Part
 * v is the part of rank v xor ROOT.
 *
 *   step 1   0 < 1   2 < 3   4 < 5   6 < 7      one part each
 *   step 2   0 < 2           4 < 6              two
 *   step 3   0 < 4                              four */
void tree_collect_gather(struct coll *c, unsigned root, unsigned span);
