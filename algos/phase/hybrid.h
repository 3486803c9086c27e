/* SPDX-License-Identifier: BSD-3-Clause
 * Hybrids of trees and recursive doubling: up binomial trees before round x, recursive doubling among the
 * roots of these trees from round x on, down the trees at the end. Later rounds cross between chips, so a
 * later switch sends fewer messages across at once. */
#pragma once

#include "algos/phase/parts.h"
#include "algos/shape/tree.h"
#include "algos/step/step.h"

/* The parameters of these algorithms: the round of the switch. */
#define HYBRID_PARAMS \
  { \
    { .name = "switch", .least = 1, .most = 10, .initial = 3, .compared = {2, 3, 4}, .of_ranks = true } \
  }

/* Return the tree of C's rank: ranks that differ in the rounds before the switch. */
struct tree hybrid_tree(const struct coll *c);

/* Give the parts of all ranks, a power of two, to each rank.
 *
 *   switch=3   step 1     0 < 1   2 < 3   4 < 5   6 < 7     one part each
 *              step 2     0 < 2           4 < 6             two
 *              step 3     0-4                               four; switch
 *              step 4     0 > 2           4 > 6             all
 *              step 5     0 > 1   2 > 3   4 > 5   6 > 7     all
 *
 * source: Ali, Midkiff, Pai 2010, section 5.3, figure 6. */
void hybrid_allgather(struct coll *c);
