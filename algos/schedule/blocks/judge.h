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

/* Kinds of findings; WRONG, UNWRITTEN and RACES are a kind for each way of doing a schedule. */
enum found {
  FOUND_STUCK, /* blocks with DEPTH - 1 slots, or with any number: first a cycle; operations without an end */
  FOUND_WRONG, /* chunks of the result */
  FOUND_UNWRITTEN = FOUND_WRONG + BLOCKS_WAYS, /* reads of chunks never written */
  FOUND_RACES = FOUND_UNWRITTEN + BLOCKS_WAYS,
  FOUND_ORDERS = FOUND_RACES + BLOCKS_WAYS, /* chunks of an all-reduce, in different orders on ranks */
  FOUND_REFUSALS,                           /* of RCCL, and the two following */
  FOUND_HANGS,
  FOUND_NOTES,
  FOUND_OPEN,    /* receives of GOAL of several possible messages */
  FOUND_LONG,    /* receives of GOAL of a longer message */
  FOUND_UNEQUAL, /* receives of GOAL of a shorter message */
  FOUND_KINDS
};

/* The judgement of a schedule of thread blocks, or in GOAL. */
struct judgement {
  bool ends;
  unsigned depth; /* the least number of slots for an end; 0: none, or, of GOAL, none needed */
  struct findings found[FOUND_KINDS];
  /* of thread blocks: */
  unsigned depth_narrow;       /* DEPTH if a slot holds one chunk */
  bool has_result;             /* a result is defined */
  size_t nresults;             /* chunks of the result, on all ranks */
  unsigned roots[BLOCKS_WAYS]; /* of a collective with a root: the rank with the fewest wrong chunks */
  /* of GOAL: */
  bool is_undecided;    /* too many orders */
  unsigned least, most; /* number of ranks that the end of a rank depends on, in one order; 0: not known */
};

struct algo;
struct goal;

/* The schedule in a file, of one of both forms, and the judgement. */
struct judged {
  struct blocks *schedule; /* NULL: the other one */
  struct goal *goal;
  uint64_t sum; /* checksum of the contents of the file */
  struct judgement judgement;
};

/* Judge the schedule in JUDGED, in place of an earlier judgement; release all of JUDGED. */
void judged_make(struct judged *judged);
void judged_fini(struct judged *judged);

/* Return the races of JUDGEMENT, in the way with more races. */
const struct findings *judgement_races(const struct judgement *judgement);

/* Tell whether a result of JUDGEMENT is wrong; whether the schedule never ends, is wrong, or races. */
bool judgement_is_wrong(const struct judgement *judgement);
bool judgement_fails(const struct judgement *judgement);

/* Return the smallest number of slots for SCHEDULE to end, each with room for PER_SLOT chunks; 0: none. */
unsigned judge_depth(const struct blocks *schedule, unsigned per_slot);

/* --- as algorithms of the catalogue --- */

/* The parameters of a schedule as an algorithm, in this order; EAGER is one of GOAL. */
enum { PARAM_DEPTH, PARAM_SLOT, PARAM_EAGER };

/* Judge the schedule in JUDGED, and add the schedule to the catalogue as the algorithm NAME. A barrier in
 * GOAL is verified as one.
 * returns: the algorithm, owner of the contents of JUDGED, as long as the program; NULL after an error.
 * errors: no algorithm of the catalogue can have the collective; the name is taken. */
const struct algo *judged_add(struct judged *judged, const char *name, struct err *err);

/* Return the root of the schedule in JUDGED, in the way that is played. */
unsigned judged_root(const struct judged *judged);

/* Return the schedule of ALGO, and the judgement; NULL: ALGO is of another kind. */
const struct judged *judged_of_algo(const struct algo *algo);
