/* SPDX-License-Identifier: BSD-3-Clause
 * Ways in which data goes up to a root: what reductions and gathers have in common. */
#pragma once

#include "algos/phase/parts.h"
#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* The scratch that tree_collect_combine uses: the vector of another rank. */
size_t tree_collect_scratch(const struct coll_group *group);

/* Take the whole vector of rank FROM and combine it into the own one. */
void tree_collect_combine(struct coll *c, unsigned from);

/* Combine the vectors of all ranks of TREE, binomial, into that of its root: lightest child first, it reports
 * first. The vectors of others come to hold what is combined below them. */
void tree_collect_reduce(struct coll *c, struct tree tree);

/* Gather the parts of all ranks whose numbers differ from ROOT only below SPAN, a power of two, at ROOT. Part
 * v is that of rank v xor ROOT.
 *
 *   step 1   0 < 1   2 < 3   4 < 5   6 < 7      one part each
 *   step 2   0 < 2           4 < 6              two
 *   step 3   0 < 4                              four */
void tree_collect_gather(struct coll *c, unsigned root, unsigned span);
