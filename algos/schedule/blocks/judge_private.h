/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of the judge. For this folder only. */
#pragma once

#include "algos/schedule/blocks/judge.h"

/* Add a formatted finding to FINDINGS. */
void findings_add(struct findings *findings, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Release FINDINGS. */
void findings_fini(struct findings *findings);

/* Format the place of step INDEX of SCHEDULE: rank, block, step, kind. The text lives until the fourth next
 * call. */
const char *judge_place(const struct blocks *schedule, size_t index);

/* An order of play: steps, each after all needs of the step. */
struct play_order {
  unsigned *steps;
  size_t n;
};

/* Limits of each connection: slots, and chunks in a slot. */
struct play_limits {
  unsigned depth, per_slot;
};

/* Play SCHEDULE within LIMITS. ORDER becomes the order of the steps, STUCK has the blocks with steps left;
 * NULL: not wanted.
 * returns: the largest number of slots in use at once; UINT_MAX: blocks do not end.
 * owner: the caller, of the steps of ORDER. */
unsigned judge_play(const struct blocks *schedule, struct play_limits limits, struct play_order *order,
                    struct findings *stuck);

/* The chunks of all buffers, numbered. In place, some chunks have two names. */
struct cells {
  const struct blocks *schedule;
  bool in_place;
  size_t *first; /* chunk 0 of each buffer, by rank and buffer */
  size_t *begin; /* the first chunk of each rank, and the end */
};

void cells_init(struct cells *cells, const struct blocks *schedule, bool in_place);
void cells_fini(struct cells *cells);

/* Return the number of the chunk at OFFSET of BUFFER of RANK. */
static inline size_t cells_at(const struct cells *cells, unsigned rank, enum block_buffer buffer,
                              unsigned offset) {
  return cells->first[(size_t)rank * BUFFER_COUNT + buffer] + offset;
}

/* Judge the values in CELLS after all steps in ORDER: into RESULT, and NDIFFER if not NULL. */
void judge_values(const struct cells *cells, const struct play_order *order, struct judged_result *result,
                  size_t *ndiffer);

/* Find accesses of two blocks of a rank to one chunk without an order by messages and dependencies. */
void judge_races(const struct cells *cells, const struct play_order *order, struct findings *races);

/* Judge SCHEDULE as the interpreter of RCCL would. */
void judge_rccl(const struct blocks *schedule, struct judgement *judgement);
