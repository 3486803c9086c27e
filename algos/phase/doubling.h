/* SPDX-License-Identifier: BSD-3-Clause
 * Recursive doubling: partners at distance 1, 2, 4, ... exchange their data, until all ranks have all data.
 * Recursive halving: reduce-scatter, the first half of Rabenseifner's reductions. */
#pragma once

#include "algos/phase/parts.h"
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
