/* SPDX-License-Identifier: BSD-3-Clause
 * A schedule: the transfers of a collective as a list of operations between places. One process could do the
 * operations one after the other, in the order of the list. A place is a rank: place 0 is the root, the
 * places of a chip follow one another, the root's chip comes first.
 *
 * Waits and notifications are not in the list. schedule_derive derives both, so that a schedule has no races:
 * docs/how-to/text-algorithms.md. */
#pragma once

#include "algos/step/collective.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coll;
struct coll_group;
struct err;

enum {
  SCHEDULE_PLACES_MAX = 256,
  SCHEDULE_DEPTH_MAX = 15, /* transfers of a place under way */
  SCHEDULE_PIECES_MAX = 1024,
  SCHEDULE_OPERATIONS_MAX = 200000,
};

/* No event, operation, place or flag. */
#define SCHEDULE_NONE UINT_MAX

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
  COMMAND_ENTER,
  COMMAND_START,        /* the transfer of an operation */
  COMMAND_FINISH,       /* wait for the tag of the transfer */
  COMMAND_COMBINE,      /* data brought into scratch by an operation */
  COMMAND_MERGE,        /* the same into the scratch of another operation */
  COMMAND_AWAIT,        /* a notification of a place */
  COMMAND_AWAIT_SIGNAL, /* the same by signal */
  COMMAND_AWAIT_ENTRY,  /* the flag behind the data of an operation */
  COMMAND_STEP,         /* nothing but notifications */
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
  unsigned under_way[SCHEDULE_DEPTH_MAX]; /* while deriving: by slot the operation, from 1; 0: none */
  unsigned nunder_way;
  unsigned nentries_in, nentries_out; /* flags behind data */
  unsigned nput_units;                /* units of scratch for puts of others */
  bool *units;                        /* while deriving: units of scratch of this place in use */
  size_t nunits;
};

struct schedule {
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
  bool
    *trusted;  /* [place * nplaces + other]: at the end of a call the place knows of the entry of the other */
  bool *knows; /* the same, as derived */
  struct schedule *safe; /* the same list without trust, for a call with another root than the call before;
                          * NULL: the schedule itself */
};

/* Check the data left in all regions by the operations of SCHEDULE, from the data of the collective before a
 * call. NOTE gets the first source without data, or contribution combined twice, of a schedule whose result
 * is right since no result is made of that data.
 * errors: PATH:LINE: a result made of a source without data, or with a contribution combined twice; an
 * operation foreign to the collective; an incomplete result. */
int schedule_check(const struct schedule *schedule, const char *path, struct err *note, struct err *err);

/* Derive the programs of all places. */
void schedule_derive(struct schedule *schedule);

/* Release SCHEDULE; NULL is allowed. */
void schedule_free(struct schedule *schedule);

/* Return the bytes of scratch of a call of GROUP; let a rank make the rank's part of the call. */
size_t schedule_scratch(const struct schedule *schedule, const struct coll_group *group);
void schedule_run(const struct schedule *schedule, struct coll *c);
