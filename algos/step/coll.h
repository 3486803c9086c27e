/* SPDX-License-Identifier: BSD-3-Clause
 * What a collective algorithm is: its entry in the catalogue, and the view that each rank has of a call. */
#pragma once

#include "algos/step/combine.h"
#include "algos/step/needs.h"
#include "algos/step/step_costs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coll;
struct coll_group;
struct notice;
struct cost;
struct err;

enum collective {
  COLL_BARRIER,
  COLL_BCAST,
  COLL_REDUCE,
  COLL_ALLREDUCE,
  COLL_ALLGATHER,
  COLL_ALLGATHERV,
  COLL_SCAN,
  COLL_GATHER,
  COLL_GATHERV,
  COLL_SCATTER,
  COLL_ALLTOALL,
  COLL_ALLTOALLV,
  COLL_COUNT,
};

enum {
  COLL_PARAMS_MAX = 4,
  COLL_CHOICES_MAX = 4,
  COLL_COMPARED_MAX = 4,
  COLL_SIGNAL_BITS = 16, /* half a signal register */
  COLL_GUARD = 64,       /* bytes behind a data buffer that nobody may touch */
};

/* One word that a parameter of an algorithm can be. */
struct coll_choice {
  const char *word;
  const char *source; /* code base of this choice; NULL: the algorithm's own */
  unsigned needs;     /* of this choice, besides the algorithm's own */
};

/* A parameter of an algorithm: one of some words, the first of which is the default, or a whole number. */
struct coll_param {
  const char *name;
  struct coll_choice choices[COLL_CHOICES_MAX]; /* no words: a number */
  unsigned least, most, initial;                /* of a number */
  unsigned compared[COLL_COMPARED_MAX];         /* numbers to compare, before a 0; none: initial */
  unsigned multiple;                            /* of which it must be one; 0: any */
};

/* One catalogue entry. */
struct algo {
  enum collective collective;
  const char *name;   /* the part after the colon */
  const char *source; /* paper and code base, which is also the name of a software-cost profile */
  const char *idea;   /* one line */
  unsigned needs;     /* enum coll_need, one or several */
  bool in_memory;     /* data lies in main memory, not in local store */
  struct coll_param params[COLL_PARAMS_MAX];
  size_t (*scratch)(const struct coll_group *group); /* bytes of local store besides the data; NULL: none */
  size_t shared;               /* bytes of main memory, zero before the first call, that all ranks know */
  void (*run)(struct coll *c); /* the program of one rank */
  void (*ppe)(
    const struct coll_group *group);          /* the program of the PPE of chip 0, for one call; NULL: none */
  double (*cost)(const struct cost *cost);    /* published prediction, SPU cycles; NAN: unknown; NULL: none */
  double (*refined)(const struct cost *cost); /* the same by our model; NULL: there is none */
};

/* An algorithm with values for its parameters. */
struct algo_call {
  const struct algo *algo;
  unsigned values[COLL_PARAMS_MAX]; /* places of words, or numbers */
};

/* What all ranks of a call know. */
struct coll_group {
  struct algo_call call;
  unsigned nranks, root;
  size_t nbytes;   /* --bytes: of the whole vector, or of the block of one rank */
  enum coll_op op; /* of a reduction */
  enum coll_type type;
  unsigned *spe_of, *chip_of; /* per rank; chips count from 0 without gaps */
  unsigned nchips;            /* chips with ranks on them */
  unsigned *by_chip;          /* the ranks in the order of their chips, on each in that of their numbers */
  unsigned *place_of;         /* per rank: its place in by_chip */
  unsigned *chip_first;       /* per chip, and one more: where its ranks begin in by_chip */
  unsigned nrepeats;          /* calls, back to back */
  struct step_costs costs;
  /* Data is put into the buffer, and looked at, outside of simulated time; either may be NULL. */
  void (*before_call)(struct coll *c);
  void (*after_call)(struct coll *c);
  uint32_t ls_base;   /* local store address from which the call may use the local store */
  uint32_t ls_bytes;  /* size of the local store */
  uint64_t shared_ea; /* effective address of algo->shared bytes of main memory */
};

/* One rank's view of the call. The first part is what an algorithm reads; the rest belongs to the vocabulary (step.c).
 * Data is in place: `buffer` holds the input before the call and the result after it, blocks as in layout.h; only the
 * all-to-alls have their input elsewhere, `in`, which they leave alone. */
struct coll {
  unsigned rank, nranks, root;
  size_t nbytes;
  uint8_t *buffer, *in;      /* in local store, at the same address on every rank; NULL: in main memory */
  uint64_t buffer_ea, in_ea; /* effective addresses of the same, also in main memory */
  uint8_t *scratch;          /* algo->scratch bytes of local store, on a 128-byte line */
  const struct coll_group *group;

  struct notice *arrays;        /* notification arrays, in local store */
  uint32_t *posted, *taken;     /* per peer: addresses sent, addresses received */
  uint32_t *notified, *awaited; /* per peer: flags sent, flags received */
  uint32_t signals;             /* bits read from the signal register and not yet awaited */
  uint32_t unsettled;           /* tags of notifications not yet waited for */
  bool unsettled_across;        /* whether one of them goes to another chip */
  bool unsettled_ack;           /* whether one of them is an acknowledgement */
  unsigned ncalls;              /* calls made before this one */
  uint64_t *entered, *left;     /* per call: cycle */
  uint64_t *delays;             /* per call: cycles by which this rank enters it late */
  void *owner;                  /* for before_call and after_call */
};

/* Return the name of COLLECTIVE as typed on the command line, and what it does. */
const char *coll_name(enum collective collective);
const char *coll_description(enum collective collective);

/* Tell whether COLLECTIVE moves data, has a root, combines elements. */
bool coll_has_data(enum collective collective);
bool coll_has_root(enum collective collective);
bool coll_combines(enum collective collective);

/* Return all needs of CALL, those of its choices included. */
unsigned coll_needs(const struct algo_call *call);

/* Return the bytes of local store that a call of GROUP takes from ls_base on. */
size_t coll_footprint(const struct coll_group *group);

/* Return the local store addresses of buffer, in and scratch in such a call. */
uint32_t coll_buffer_address(const struct coll_group *group);
size_t coll_in_address(const struct coll_group *group);
size_t coll_scratch_address(const struct coll_group *group);

/* Prepare rank RANK's view.
 * owner: the caller, with coll_fini. */
void coll_init(struct coll *c, const struct coll_group *group, unsigned rank);

/* Release what C allocated. */
void coll_fini(struct coll *c);

/* Find arrays and buffers in the local store of the calling SPE program, which is rank C. */
void coll_enter(struct coll *c);

/* Return the value of parameter INDEX of the algorithm. */
static inline unsigned
coll_value(const struct coll *c, unsigned index)
{
  return c->group->call.values[index];
}

/* The SPE program of a rank: ARGUMENT is its struct coll. Makes the calls and notes entries and exits. */
void coll_main(void *argument);

/* The PPE program of an algorithm that has one: ARGUMENT is the struct coll_group. */
void coll_ppe_main(void *argument);
