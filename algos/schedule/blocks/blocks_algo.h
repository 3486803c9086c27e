/* SPDX-License-Identifier: BSD-3-Clause
 * A schedule of thread blocks as an algorithm of the catalogue. */
#pragma once

#include "algos/schedule/blocks/goal.h"

struct algo;

/* Add SCHEDULE to the catalogue as the algorithm NAME; the contents of the file have checksum SUM.
 * returns: the algorithm, owner of SCHEDULE, as long as the program; NULL after an error.
 * errors: no algorithm of the catalogue can have the collective; the name is taken. */
const struct algo *blocks_add(struct blocks *schedule, const char *name, uint64_t sum, struct err *err);

/* The same for GOAL. A schedule that is a barrier is verified as one.
 * errors: the name is taken. */
const struct algo *goal_add(struct goal *goal, const char *name, uint64_t sum, struct err *err);
const struct goal *goal_of_algo(const struct algo *algo, const struct goal_judgement **judgement);

/* Return the schedule of ALGO, and the judgement; NULL: ALGO is of another kind. */
const struct blocks *blocks_of_algo(const struct algo *algo, const struct judgement **judgement);
