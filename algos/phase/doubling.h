/* SPDX-License-Identifier: BSD-3-Clause
 * Recursive doubling: partners at distance 1, 2, 4, ... exchange their data, until all ranks have all data.
 * Recursive halving: reduce-scatter, the first half of Rabenseifner's reductions. Hybrids of trees and
 * recursive doubling; synchronization by recursive doubling. */
#pragma once

#include "algos/step/step.h"

/* Give the parts of all ranks, a power of two, to each rank whose number is a multiple of DISTANCE; before,
 * such a rank has DISTANCE parts from its own part on. Only these ranks may call.
 *
 *   step 1   0-1 2-3 4-5 6-7      one part each (from distance 1 on)
 *   step 2   0-2 1-3 4-6 5-7      two
 *   step 3   0-4 1-5 2-6 3-7      four
 *
 * source: Ali, Midkiff, Pai 2010, section 5.3. */
void doubling_allgather(struct coll *c, unsigned distance);

/* How vectors are combined. */
struct doubling {
  unsigned distance; /* ranks with multiples of the distance take part */
  bool confirm;      /* partners acknowledge their combination before going on */
};

/* Combine the vectors of the participating ranks into each of these vectors. Only participating ranks may
 * call. A rank beyond the largest power of two m hands its vector to the rank m places before, and gets the
 * result from this rank.
 * source: Ali, Midkiff, Pai 2010, section 5.5; without a power of two as in section 5.1. */
void doubling_allreduce(struct coll *c, struct doubling how);

/* The scratch of the function below: half the vector of another rank. */
size_t halving_scratch(const struct coll_group *group);

/* Combine the vectors of all ranks, a power of two, piece by piece: rank r ends up with piece r xor ROOT of
 * the result.
 *
 *   step 1   0-4 1-5 2-6 3-7      half the vector: ranks 0..3 keep the left half, 4..7 the right half
 *   step 2   0-2 1-3 4-6 5-7      a quarter
 *   step 3   0-1 2-3 4-5 6-7      one piece of eight
 *
 * source: Ali, Midkiff, Pai 2010, section 5.4 (Rabenseifner's reduce). */
void halving_reduce_scatter(struct coll *c, unsigned root);

/* --- hybrids ---
 *
 * Up binomial trees before round x, recursive doubling among the roots of these trees from round x
 * on, down the trees at the end. Later rounds cross between chips, so a later switch sends fewer messages
 * across at once. */

/* The parameters of hybrids: the round of the switch. */
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

/* --- synchronization: a barrier, and the end of calls kept apart by nothing else --- */

/* How ranks tell each other. */
enum synchronize_by { SYNCHRONIZE_BY_FLAG, SYNCHRONIZE_BY_SIGNAL };

/* Wait until all ranks have come here.
 *
 *   step 1   0-1 2-3 4-5 6-7        ranks beyond the largest power of two m report to
 *   step 2   0-2 1-3 4-6 5-7        rank - m before, and are released by rank - m after
 *   step 3   0-4 1-5 2-6 3-7
 *
 * source: Ali, Midkiff, Pai 2010, sections 4 and 5.1, table 1; PE of Velamati et al. 2007, section 5.1; with
 * signals PEBar of Gaona, Fernandez, Acacio 2009, section 3.1. */
void synchronize_ranks(struct coll *c, enum synchronize_by by);
