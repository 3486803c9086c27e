/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of the judge of thread blocks. For this folder only. */
#pragma once

#include "algos/schedule/blocks/blocks.h"

/* Return the place of step INDEX of SCHEDULE, a text_brief. */
const char *judge_place(const struct blocks *schedule, size_t index);

/* Judge the chunks of SCHEDULE, done in the way WAY: the result after all steps, and the order of accesses.
 * ORDER: all steps, each after all needs of the step. */
void judge_way(const struct blocks *schedule, const unsigned *order, unsigned way,
               struct judgement *judgement);

/* Judge SCHEDULE as the interpreter of RCCL would: into FOUND, by kind. */
void judge_rccl(const struct blocks *schedule, struct findings *found);
