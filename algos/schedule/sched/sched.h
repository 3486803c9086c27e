/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithms as texts, NAME.sched, of the catalogue and of files: docs/how-to/text-algorithms.md. For ranks
 * and chips a text becomes a list of operations, the transfers of a collective between places. One process
 * could do the operations one after the other, in the order of the list. A place is a rank: place 0 is the
 * root, the places of a chip follow one another, the root's chip comes first.
 *
 * Waits and notifications are not in the list. sched_derive derives both, so that no text has races. */
#pragma once

#include "algos/step/algo.h"
#include "sim/base/err.h"

#include <limits.h>
#include <stdint.h>

enum {
  SCHED_PLACES_MAX = 256,
  SCHED_DEPTH_MAX = 15, /* transfers of a place under way */
  SCHED_PIECES_MAX = 1024,
  SCHED_OPERATIONS_MAX = 200000,
};

/* No event, operation, place or flag. */
#define SCHED_NONE UINT_MAX

enum operation_kind {
  OPERATION_GET,
  OPERATION_PUT,
  OPERATION_GETADD, /* the data is combined with the receiver's data */
  OPERATION_PUTADD,
  OPERATION_SIGNAL,
  OPERATION_TOGETHER, /* additions up to ROUND read the data before TOGETHER */
  OPERATION_ROUND,    /* signals before ROUND are awaited before later operations */
};

/* Regions FIRST .. FIRST + COUNT - 1 of place FROM go to place TO. A region is a piece of the vector, or a
 * piece of the block of a place. */
struct operation {
  enum operation_kind kind;
  unsigned line; /* of the text */
  unsigned from, to, first, count;
  unsigned block; /* number of the block between TOGETHER and ROUND, from 1; 0: in none */
  /* derived: */
  unsigned actor;                      /* the place with the DMA command: TO of a get, FROM of a put */
  unsigned slot, scratch;              /* of the transfer; first unit of scratch, a piece each */
  unsigned started, finished, arrived; /* events at the actor, at the actor, at TO; 0: not yet derived */
  unsigned entry_in, entry_out;        /* of the flag behind the data */
  bool combined, flagged;
};

/* Tell whether OPERATION combines data. */
static inline bool operation_adds(const struct operation *operation) {
  return operation->kind == OPERATION_GETADD || operation->kind == OPERATION_PUTADD;
}

enum command_kind {
  COMMAND_START,        /* the transfer of an operation */
  COMMAND_FINISH,       /* wait for the tag of the transfer */
  COMMAND_COMBINE,      /* data brought into scratch by an operation */
  COMMAND_MERGE,        /* the same into the scratch of another operation */
  COMMAND_AWAIT,        /* a notification of a place */
  COMMAND_AWAIT_SIGNAL, /* the same by signal */
  COMMAND_AWAIT_ENTRY,  /* the flag behind the data of an operation */
  COMMAND_STEP,         /* the beginning of a step, for a signal */
  COMMAND_NOTHING,      /* but notifications */
};

/* A notification of place TO. */
struct tell {
  unsigned to;
  bool by_signal;
};

/* A command of a place; the event of the command is the number of the command, from 1. */
struct place_command {
  enum command_kind kind;
  unsigned operation,
    other;            /* other: the place awaited; MERGE: the operation with the scratch to be merged */
  struct tell *tells; /* after the command */
  size_t ntells;
  unsigned *knows; /* while deriving: by place, the latest event known to this place after the command */
};

/* The program of a place. */
struct place_program {
  struct place_command *commands;
  size_t ncommands;
  unsigned under_way[SCHED_DEPTH_MAX]; /* while deriving: by slot the operation, from 1; 0: none */
  unsigned nunder_way;
  unsigned nentries_in, nentries_out; /* flags behind data */
  unsigned nput_units;                /* units of scratch for puts of others */
  bool *units;                        /* while deriving: units of scratch of this place in use */
  size_t nunits;
};

struct sched {
  enum collective collective;
  unsigned nplaces, npieces, nregions, depth;
  bool is_vector;                   /* regions are pieces of one vector; else of blocks of places */
  bool signals, fence, late, eager; /* words of the text */
  struct operation *operations;
  size_t noperations;
  unsigned last_line; /* of the text */
  /* derived: */
  struct place_program *programs;            /* by place */
  unsigned nown_units, nput_units, nentries; /* the largest of all places */
  /* [place * nplaces + other]: at the end of a call the place knows of the entry of the other */
  bool *trusted;
  /* the same list without trust, for a call with another root than the call before; NULL: the list itself */
  struct sched *safe;
};

/* Ranks and chips of a call. */
struct sched_shape {
  unsigned nranks, nchips;
  unsigned size; /* ranks on each chip; 0: chips have different numbers */
};

/* The result of the proof of a text for a shape. */
struct sched_proof {
  bool is_wrong; /* the text has a mistake; else a refused text is not for the shape, or beyond a limit */
  struct err why, note; /* the reason of a refusal; of a right text, as of sched_check */
};

/* The members of the entry of algorithm NAME_ of COLLECTIVE_, from SOURCE_, with a text. */
#define SCHED_ALGO(COLLECTIVE_, NAME_, SOURCE_) \
  .collective = (COLLECTIVE_), .name = (NAME_), .source = (SOURCE_), .refuse = sched_refuse, \
  .mistake = sched_mistake, .scratch = sched_scratch, .run = sched_run

/* The functions of these members. */
const char *sched_refuse(const struct coll_group *group, char *text, size_t size);
const char *sched_mistake(const struct coll_group *group, char *text, size_t size);
size_t sched_scratch(const struct coll_group *group);
void sched_run(struct coll *c);

/* Return the note of the proof for the call of GROUP, of a text or another algorithm; NULL: none. */
const char *sched_note(const struct coll_group *group);

/* Tell whether the first word outside comments of the N bytes of TEXT is a word of texts. */
bool sched_begins(const char *text, size_t n);

/* Add the algorithm of the N bytes of TEXT, of file PATH, to the catalogue under NAME, a lasting text.
 * Operations are checked when ranks and chips are known, before the first call.
 * returns: the algorithm, the owner of TEXT; NULL after an error, and TEXT is gone.
 * errors: PATH:LINE: a mistake; the name is taken. */
const struct algo *sched_add(char *text, size_t n, const char *path, const char *name, struct err *err);

/* Let NAME be the algorithm of TEXT, as of a file NAME.sched, in place of an earlier TEXT with this NAME.
 * errors: as sched_add; the algorithm then stays. */
int sched_replace(const char *name, const char *text, struct err *err);

/* The texts found by searches, as data (docs/found.md); ended by a NULL name. */
struct sched_found {
  const char *name, *text;
};
extern const struct sched_found scheds_found[];

/* --- from a text to the programs of all places --- */

/* Turn the N bytes of TEXT, of the file PATH, into operations for SHAPE; PROOF has empty texts.
 * returns: NULL: refused.
 * owner: the caller, with sched_free. */
struct sched *sched_expand(const char *text, size_t n, const char *path, const struct sched_shape *shape,
                           struct sched_proof *proof);

/* Let ENTRY have the collective, the number of ranks, the needs and the words in the head of TEXT; arguments
 * and errors as of sched_expand. */
int sched_head(const char *text, size_t n, const char *path, struct algo *entry, struct err *err);

/* Check the data left in all regions by the operations of SCHED, from the data of the collective before a
 * call. NOTE gets the first source without data, or contribution combined twice, of a text whose result is
 * right since no result is made of that data.
 * errors: PATH:LINE: a result made of a source without data, or with a contribution combined twice; an
 * operation foreign to the collective; an incomplete result. */
int sched_check(const struct sched *sched, const char *path, struct err *note, struct err *err);

/* Derive the programs of all places. */
void sched_derive(struct sched *sched);

/* Release SCHED; NULL is allowed. */
void sched_free(struct sched *sched);

/* Return the operations, with programs, of the algorithm of GROUP for the ranks and chips of GROUP; NULL: the
 * text is refused. */
const struct sched *sched_of(const struct coll_group *group);
