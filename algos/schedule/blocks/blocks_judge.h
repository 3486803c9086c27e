/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of the judge of thread blocks. For this folder only. */
#pragma once

#include "algos/schedule/blocks/blocks.h"

/* Return the place of step INDEX of SCHEDULE, a text_brief. */
const char *judge_place(const struct blocks *schedule, size_t index);

/* The chunks of all buffers, numbered, for one way of doing a schedule. In place, some chunks have two
 * names. */
struct cells {
  const struct blocks *schedule;
  const unsigned *order; /* all steps, each after all needs of the step */
  unsigned way;          /* enum blocks_way */
  size_t *first;         /* chunk 0 of each buffer, by rank and buffer */
  size_t *begin;         /* the first chunk of each rank, and the end */
};

/* Return the number of the chunk at OFFSET of BUFFER of RANK. */
static inline size_t cells_at(const struct cells *cells, unsigned rank, enum block_buffer buffer,
                              unsigned offset) {
  return cells->first[(size_t)rank * BUFFER_COUNT + buffer] + offset;
}

/* Judge the values in CELLS after all steps. */
void judge_values(const struct cells *cells, struct judgement *judgement);

/* Find accesses of two blocks of a rank to one chunk without an order by messages and dependencies. */
void judge_races(const struct cells *cells, struct findings *races);

/* Judge SCHEDULE as the interpreter of RCCL would: into FOUND, by kind. */
void judge_rccl(const struct blocks *schedule, struct findings *found);
