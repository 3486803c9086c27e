/* SPDX-License-Identifier: BSD-3-Clause
 * A collective algorithm: its entry in the catalogue. */
#pragma once

#include "algos/step/collective.h"
#include "algos/step/needs.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct coll;
struct coll_group;
struct cost;
struct neighbours;

enum {
  COLL_PARAMS_MAX = 4,
  COLL_CHOICES_MAX = 4,
  COLL_COMPARED_MAX = 4,
};

/* A word as the value of an algorithm's parameter. */
struct coll_choice {
  const char *word;
  const char *source; /* code base of this choice; NULL: the algorithm's own */
  unsigned needs;     /* needs of this choice, in addition to the algorithm's own */
};

/* A parameter of an algorithm. The value is one of several words (the first word is the default), a whole
 * number, or an algorithm with values for its own parameters (catalogue_inner). */
struct coll_param {
  const char *name;
  const char *algorithm; /* default algorithm, the part after the colon; NULL: the value is no algorithm */
  enum collective of;    /* collective of that algorithm */
  struct coll_choice choices[COLL_CHOICES_MAX]; /* no words: a number */
  unsigned least, most, initial;                /* bounds and default of a number */
  unsigned compared[COLL_COMPARED_MAX];         /* numbers to compare, before a 0; none: initial */
  unsigned multiple;                            /* divisor of the number; 0: any number */
  bool of_ranks; /* a number of ranks: numbers from ranks - 1 on give the same program */
  bool is_asked; /* variants have no other number than the default */
};

/* The source of algorithms without a paper, with the software costs of comparisons. */
#define ALGO_SOURCE_OWN "cellcoll"

/* One catalogue entry. */
struct algo {
  enum collective collective;
  const char *name;   /* the part after the colon */
  const char *source; /* paper and code base; also the name of a software-cost profile */
  const char *idea;   /* one line */
  unsigned needs;     /* enum coll_need, one or several */
  bool in_memory;     /* data is in main memory, not in local store */
  bool in_order;      /* combines contributions in the order of ranks, and so serves any operator */
  bool spans_nodes;   /* runs on ranks of several nodes (algos/cluster); each node calls with its own group */
  struct coll_param params[COLL_PARAMS_MAX];
  size_t (*scratch)(const struct coll_group *group); /* bytes of local store besides the data; NULL: none */
  size_t shared; /* bytes of main memory, known to all ranks, zero before the first call */
  /* the program of one rank, with a stack of 128 KiB and its own rounding mode (fesetround) */
  void (*run)(struct coll *c);
  /* the program of the PPE of chip 0, for one call; NULL: none */
  void (*ppe)(const struct coll_group *group);
  /* for algorithms by ready and go: the parent and the children of RANK (neighbours.h); NULL: others */
  struct neighbours (*neighbours)(const struct coll_group *group, unsigned rank);
  double (*cost)(const struct cost *cost); /* published prediction, SPU cycles; NAN: unknown; NULL: none */
  /* our own prediction in the manner of published ones; NULL: none */
  double (*analogy)(const struct cost *cost);
  const char *kind;  /* of a file: the part of the name before the colon; NULL: the collective */
  unsigned ranks;    /* the only number of ranks; 0: any */
  const char *sched; /* a text (algos/schedule/sched/sched.h); NULL: a C program */
  /* words of the text about notifications, such as "signals late"; NULL: none */
  const char *words;
  unsigned unit; /* sizes are multiples of so many bytes; 0: any size */
  bool is_open;  /* no result is defined, so that nothing is verified */
  /* the input lies in `in`, as for all-to-alls, and the buffer begins without input */
  bool is_apart;
  bool takes_input; /* a call may overwrite the input in `in`, or given blocks in the buffer */
  /* formats into TEXT why the call of GROUP is refused although all needs are met; NULL, or returns NULL: no
   * reason */
  const char *(*refuse)(const struct coll_group *group, char *text, size_t size);
  /* formats into TEXT a known mistake of the algorithm in the call of GROUP; NULL, or returns NULL: none */
  const char *(*mistake)(const struct coll_group *group, char *text, size_t size);
  /* formats into TEXT a way out of a deadlock of the call of GROUP; NULL: none */
  const char *(*advise)(const struct coll_group *group, char *text, size_t size);
};

/* Return how many parameters ALGO has. */
static inline unsigned algo_nparams(const struct algo *algo) {
  unsigned n = 0;
  while (n < COLL_PARAMS_MAX && algo->params[n].name) {
    n++;
  }
  return n;
}

/* Return the index of parameter NAME of ALGO; COLL_PARAMS_MAX: there is none. */
static inline unsigned algo_param(const struct algo *algo, const char *name) {
  for (unsigned i = 0; i < algo_nparams(algo); i++) {
    if (strcmp(algo->params[i].name, name) == 0) {
      return i;
    }
  }
  return COLL_PARAMS_MAX;
}

/* An algorithm and the values of its parameters. */
struct algorithm {
  const struct algo *algo;
  unsigned values[COLL_PARAMS_MAX]; /* places of words, numbers, or numbers of calls (catalogue_inner) */
};
