/* SPDX-License-Identifier: BSD-3-Clause
 * A schedule of thread blocks, or in GOAL, as an algorithm of the catalogue. */
#pragma once

#include "algos/schedule/blocks/goal.h"

struct algo;

/* The parameters of a schedule as an algorithm, in this order; EAGER is one of GOAL. */
enum { PARAM_DEPTH, PARAM_SLOT, PARAM_EAGER };

/* Judge the schedule in JUDGED, and add the schedule to the catalogue as the algorithm NAME; the contents of
 * the file have checksum SUM. A schedule in GOAL that is a barrier is verified as one.
 * returns: the algorithm, owner of the contents of JUDGED, as long as the program; NULL after an error, and
 * the contents are released.
 * errors: no algorithm of the catalogue can have the collective; the name is taken. */
const struct algo *judged_add(struct judged *judged, const char *name, uint64_t sum, struct err *err);

/* Return the schedule of ALGO, and the judgement; NULL: ALGO is of another kind. */
const struct judged *judged_of_algo(const struct algo *algo);
