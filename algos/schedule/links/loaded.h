/* SPDX-License-Identifier: BSD-3-Clause
 * A schedule of others, loaded from a file in one of two forms, thread blocks or GOAL: the judgement, and the
 * algorithm of the catalogue. The judge plays a schedule without time and without a machine: does the
 * schedule end, and with how many slots, is the result right, are accesses ordered? */
#pragma once

#include "algos/step/algo.h"

#include <limits.h>
#include <stdint.h>

struct err;
struct loaded;

/* Ways of doing a schedule of thread blocks. */
enum blocks_way { BLOCKS_IN_PLACE, BLOCKS_OUT_OF_PLACE, BLOCKS_WAYS };

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

/* The judgement of a schedule. */
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
  unsigned least, most; /* number of ranks needed for the end of a rank, in one order; 0: not known */
};

/* Slots of a connection; room of a slot, in chunks; of GOAL: the most bytes of a message that needs no
 * receive. */
struct slots {
  uint64_t depth, room, eager;
};

/* The parameters of a schedule as an algorithm, in this order; EAGER is one of GOAL. */
enum { PARAM_DEPTH, PARAM_SLOT, PARAM_EAGER };

/* A form of schedules. */
struct form {
  const char *name; /* the kind of the algorithms */
  const char *idea; /* of the algorithms */
  /* as msccl_read */
  struct loaded *(*read)(const char *path, const char *text, size_t nbytes, struct err *err);
  /* complete the entry of the catalogue for the judged schedule, or refuse */
  int (*complete)(struct loaded *loaded, struct err *err);
  /* the number of slots, at least LEAST, for an end of a call with NBYTES and VALUES of parameters; 0: none;
   * UINT_MAX: no number is known */
  unsigned (*depth)(const struct loaded *loaded, const unsigned *values, unsigned least, size_t nbytes);
  void (*free)(struct loaded *loaded);
};

/* The first member of a schedule of FORM. */
struct loaded {
  struct algo algo; /* first; empty before loaded_add */
  const struct form *form;
  struct judgement judgement;
};

/* Add LOADED to the catalogue as the algorithm NAME, of a file with checksum SUM. A barrier in GOAL is
 * verified as one.
 * errors: no algorithm of the catalogue can have the collective; the name is taken. */
int loaded_add(struct loaded *loaded, const char *name, uint64_t sum, struct err *err);

void loaded_free(struct loaded *loaded);

/* Return the schedule of ALGO; NULL: ALGO is of another kind. */
const struct loaded *loaded_of(const struct algo *algo);

/* Return the root of LOADED, in the way of the algorithm. */
unsigned loaded_root(const struct loaded *loaded);

/* As the depth of the form of LOADED; if no number is known, VALUES get a slot of twice the bytes, or more,
 * for which a number is known. */
unsigned loaded_depth(const struct loaded *loaded, unsigned *values, unsigned least, size_t nbytes);

/* --- for the forms --- */

enum { LOADED_RANKS_MAX = 65536 };

/* The file under way, for messages. */
struct loading {
  const char *path;
  struct err *err;
};

/* Set the message of LOADING: PATH:LINE, and the formatted text; always -1. */
int loading_refuse(const struct loading *loading, unsigned line, const char *format, ...)
  __attribute__((format(printf, 3, 4)));

/* Add a formatted finding to FINDINGS. */
void findings_add(struct findings *findings, const char *format, ...) __attribute__((format(printf, 2, 3)));

void findings_fini(struct findings *findings);

/* Return the races of JUDGEMENT, in the way with more races. */
const struct findings *judgement_races(const struct judgement *judgement);

/* Tell whether a result of JUDGEMENT is wrong. */
bool judgement_is_wrong(const struct judgement *judgement);

/* Return the least depth for LOADED to end, as ENDS tells: above the depth of SLOTS, too small, and at most
 * MOST, large enough. */
uint64_t slots_search(bool (*ends)(const struct loaded *loaded, struct slots slots),
                      const struct loaded *loaded, struct slots slots, uint64_t most);
