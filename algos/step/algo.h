/* SPDX-License-Identifier: BSD-3-Clause
 * What a collective algorithm is: its entry in the catalogue. */
#pragma once

#include "algos/step/collective.h"
#include "algos/step/needs.h"

#include <stdbool.h>
#include <stddef.h>

struct coll;
struct coll_group;
struct cost;
struct neighbours;

enum {
  COLL_PARAMS_MAX = 4,
  COLL_CHOICES_MAX = 4,
  COLL_COMPARED_MAX = 4,
};

/* One word that a parameter of an algorithm can be. */
struct coll_choice {
  const char *word;
  const char *source; /* code base of this choice; NULL: the algorithm's own */
  unsigned needs;     /* of this choice, besides the algorithm's own */
};

/* A parameter of an algorithm: one of some words, the first of which is the default, a whole number, or an
 * algorithm with values for its own parameters (catalogue_inner). */
struct coll_param {
  const char *name;
  const char *algorithm; /* the default, the part after the colon; NULL: it is no algorithm */
  enum collective of;    /* of that algorithm */
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
  bool
    spans_nodes; /* runs on the ranks of several nodes (algos/cluster), each with a call of its own group */
  struct coll_param params[COLL_PARAMS_MAX];
  size_t (*scratch)(const struct coll_group *group); /* bytes of local store besides the data; NULL: none */
  size_t shared; /* bytes of main memory, zero before the first call, that all ranks know */
  /* the program of one rank, whose stack of 128 KiB and whose rounding (fesetround) are its own */
  void (*run)(struct coll *c);
  void (*ppe)(
    const struct coll_group *group); /* the program of the PPE of chip 0, for one call; NULL: none */
  /* who reports to whom, of algorithms by ready and go (neighbours.h); NULL: of others */
  struct neighbours (*neighbours)(const struct coll_group *group, unsigned rank);
  double (*cost)(const struct cost *cost);    /* published prediction, SPU cycles; NAN: unknown; NULL: none */
  double (*analogy)(const struct cost *cost); /* one of our own in the manner of published ones; NULL: none */
};

/* An algorithm with values for its parameters. */
struct algo_call {
  const struct algo *algo;
  unsigned values[COLL_PARAMS_MAX]; /* places of words, numbers, or numbers of calls (catalogue_inner) */
};
