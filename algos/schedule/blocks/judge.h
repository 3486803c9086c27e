/* SPDX-License-Identifier: BSD-3-Clause
 * The judge of schedules of thread blocks: does a schedule end, and with how many slots, is the result
 * right, are accesses ordered, would RCCL take the schedule? Blocks are played without time and without a
 * machine.
 *
 * A step with both ends, receiving and sending, needs the message and a free slot at once. Each connection
 * has one sender and one receiver, so the order of play changes nothing, and more slots never hurt. */
#pragma once

#include "algos/schedule/blocks/blocks.h"

enum { JUDGE_SHOWN = 3 };

/* Findings of one kind: the number, and the first ones in words. */
struct findings {
  size_t n;
  char *shown[JUDGE_SHOWN];
};

/* The result in place, or out of place. */
struct judged_result {
  bool is_claimed;           /* by the file */
  size_t nchunks;            /* of the result, on all ranks */
  struct findings wrong;     /* chunks */
  struct findings unwritten; /* reads of chunks never written */
};

enum { JUDGED_IN_PLACE, JUDGED_OUT_OF_PLACE, JUDGED_WAYS };

struct judgement {
  unsigned depth;        /* the smallest number of slots for the schedule to end; 0: none */
  unsigned depth_narrow; /* the same if a slot holds one chunk */
  struct findings stuck; /* blocks with DEPTH - 1 slots, or with any number of slots; the first is a cycle */
  bool has_result;       /* a result is defined */
  struct judged_result results[JUDGED_WAYS];
  struct findings races;
  size_t ndiffer;                         /* chunks of an all-reduce, combined in different orders by ranks */
  struct findings refusals, hangs, notes; /* of RCCL */
};

/* Return the judgement of SCHEDULE.
 * owner: the caller, with judgement_fini. */
struct judgement judge_blocks(const struct blocks *schedule);

/* Tell whether a result of JUDGEMENT is wrong; whether the schedule never ends, is wrong, or races. */
bool judgement_is_wrong(const struct judgement *judgement);
bool judgement_fails(const struct judgement *judgement);

/* Release the contents of JUDGEMENT. */
void judgement_fini(struct judgement *judgement);

/* Return the smallest number of slots for SCHEDULE to end, each with room for PER_SLOT chunks; 0: none. */
unsigned judge_depth(const struct blocks *schedule, unsigned per_slot);
