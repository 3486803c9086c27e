/* SPDX-License-Identifier: BSD-3-Clause
 * Recursive halving: reduce-scatter, the first half of Rabenseifner's reductions. */
#pragma once

#include "algos/phase/parts.h"
#include "algos/step/step.h"

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
