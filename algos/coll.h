/* SPDX-License-Identifier: BSD-3-Clause
 * What a collective algorithm is: its entry in the catalogue, and the view that each rank has of a call. */
#pragma once

#include "algos/step_costs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coll;
struct notice;
struct cost;
struct err;

enum collective {
  COLL_BARRIER,
  COLL_BCAST,
  COLL_COUNT,
};

/* What an algorithm needs of a call, checked before the run; never replaced by another algorithm. */
enum coll_need {
  NEED_POWER_OF_TWO = 1,  /* ranks */
  NEED_SEVERAL_CHIPS = 2, /* ranks on more than one chip */
  NEED_EVEN_CHIPS = 4,    /* the same number of ranks on every chip, a power of two */
  NEED_SIGNAL_BITS = 8,   /* one bit of half a signal register for each rank */
};

enum {
  COLL_PARAMS_MAX = 4,
  COLL_CHOICES_MAX = 4,
  COLL_SIGNAL_BITS = 16, /* half a signal register */
  COLL_GUARD = 64,       /* bytes behind the data buffer that nobody may touch */
};

/* One value of a parameter of an algorithm. */
struct coll_choice {
  const char *word;
  const char *source; /* code base of this choice; NULL: the algorithm's own */
  unsigned needs;     /* of this choice, besides the algorithm's own */
};

/* A parameter of an algorithm; its first choice is the default. */
struct coll_param {
  const char *name;
  struct coll_choice choices[COLL_CHOICES_MAX];
};

/* One catalogue entry. */
struct algo {
  enum collective collective;
  const char *name;   /* the part after the colon */
  const char *source; /* paper and code base, which is also the name of a software-cost profile */
  const char *idea;   /* one line */
  unsigned needs;
  struct coll_param params[COLL_PARAMS_MAX];
  void (*run)(struct coll *c);             /* the program of one rank */
  double (*cost)(const struct cost *cost); /* published prediction in SPU cycles; NULL: the paper has none */
};

/* An algorithm with values for its parameters. */
struct algo_call {
  const struct algo *algo;
  unsigned choices[COLL_PARAMS_MAX];
};

/* What all ranks of a call know. */
struct coll_group {
  struct algo_call call;
  unsigned nranks, root;
  size_t nbytes; /* see cli: the whole vector, or the block of one rank */
  unsigned *spe_of, *chip_of;
  unsigned nchips;         /* chips with ranks on them, from chip 0 on */
  unsigned ranks_per_chip; /* of all but perhaps the last one */
  unsigned nrepeats;       /* calls, back to back */
  struct step_costs costs;
  void (*before_call)(
    struct coll *c); /* data is put into the buffer, and looked at, outside of simulated time; */
  void (*after_call)(struct coll *c); /* either may be NULL */
  uint32_t ls_base;                   /* local store address from which the call may use the local store */
  uint32_t ls_bytes;                  /* size of the local store */
};

/* One rank's view of the call. The first part is what an algorithm reads; the rest belongs to the vocabulary (step.c). */
struct coll {
  unsigned rank, nranks, root;
  size_t nbytes;
  uint8_t *buffer; /* in local store, at the same address on every rank */
  const struct coll_group *group;

  struct notice *arrays;        /* notification arrays, in local store */
  uint32_t *posted, *taken;     /* per peer: addresses sent, addresses received */
  uint32_t *notified, *awaited; /* per peer: flags sent, flags received */
  uint32_t signals;             /* bits read from the signal register and not yet awaited */
  unsigned ncalls;              /* calls made before this one */
  uint64_t *entered, *left;     /* per call: cycle */
  uint64_t delay;               /* cycles by which this rank enters each call late */
  void *owner;                  /* for before_call and after_call */
};

/* Return the name of COLLECTIVE as typed on the command line, and what it does. */
const char *coll_name(enum collective collective);
const char *coll_description(enum collective collective);

/* Return what the needs of CALL forbid about GROUP's ranks, formatted into TEXT; NULL when the call can be served. */
const char *coll_refuse(const struct coll_group *group, char *text, size_t size);

/* Return the bytes of local store that a call of GROUP takes from ls_base on. */
size_t coll_footprint(const struct coll_group *group);

/* Return the local store address of the data buffer in such a call. */
uint32_t coll_buffer_address(const struct coll_group *group);

/* Prepare rank RANK's view.
 * owner: the caller, with coll_fini. */
void coll_init(struct coll *c, const struct coll_group *group, unsigned rank);

/* Release what C allocated. */
void coll_fini(struct coll *c);

/* Find arrays and buffer in the local store of the calling SPE program, which is rank C. */
void coll_enter(struct coll *c);

/* The SPE program of a rank: ARGUMENT is its struct coll. Makes the calls and notes entries and exits. */
void coll_main(void *argument);
