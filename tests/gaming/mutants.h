/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives of every kind with one flaw each, and beside each kind the sound one. */
#pragma once

#include "algos/step/coll.h"
#include "algos/step/step.h"

#include <stddef.h>

struct mutant {
  struct algo algo;
  const char
    *expected[3]; /* all in the verdict on some point, the first point that fails; none: it is sound */
};

/* Lists that end with an entry without a program: what moves data, what combines it, what waits, what touches
 * what is not its own, what does so on a PPE, what is wrong at few points. */
extern const struct mutant mutants_of_moves[];
extern const struct mutant mutants_of_reductions[];
extern const struct mutant mutants_of_waits[];
extern const struct mutant mutants_of_places[];
extern const struct mutant mutants_of_ppes[];
extern const struct mutant mutants_of_points[];

/* The same for a machine of 32 SPEs. */
extern const struct mutant mutants_of_many_ranks[];

/* The root's part of a broadcast: tell all others where its buffer is, and wait until they have taken it. */
static inline void mutant_give(struct coll *c) {
  for (unsigned i = 1; i < c->nranks; i++) {
    step_post(c, (c->root + i) % c->nranks, c->buffer);
  }
  for (unsigned i = 1; i < c->nranks; i++) {
    step_await_taken(c, (c->root + i) % c->nranks);
  }
}

/* The head of an entry for the program of FAMILY with FLAW, which is the only value of the parameter. */
#define MUTANT(of, family, defect) \
  .algo.collective = of, .algo.name = #family "-" #defect, .algo.source = "ali2010", .algo.idea = #defect, \
  .algo.run = family, .algo.params = {{.name = "flaw", .least = defect, .most = defect, .initial = defect}}
