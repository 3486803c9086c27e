/* SPDX-License-Identifier: BSD-3-Clause
 * Recursive doubling: partners at distance 1, 2, 4, ... exchange what they have, until all have
 * everything. */
#pragma once

#include "algos/phase/parts.h"
#include "algos/step/step.h"

/* Give the parts of all ranks, of which there is a power of two, to each rank whose number is a multiple of
 * DISTANCE; before, it has the DISTANCE parts from its own on. To be called by these ranks only.
 *
 *   step 1   0-1 2-3 4-5 6-7      one part each (from distance 1 on)
 *   step 2   0-2 1-3 4-6 5-7      two
 *   step 3   0-4 1-5 2-6 3-7      four
 *
 * source: Ali, Midkiff, Pai 2010, section 5.3. */
void doubling_allgather(struct coll *c, unsigned distance);

/* How vectors are combined. */
struct doubling {
  unsigned distance; /* ranks with multiples of it take part */
  bool confirm;      /* partners tell each other that they have combined before they go on */
};

/* Combine the vectors of the ranks that take part into each of them. To be called by these ranks only. Those
 * beyond the largest power of two m hand theirs to the one m places before, and get the result from it.
 * source: Ali, Midkiff, Pai 2010, section 5.5; without a power of two as in section 5.1. */
void doubling_allreduce(struct coll *c, struct doubling how);
