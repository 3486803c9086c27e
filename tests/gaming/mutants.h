/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives of every kind with one flaw each, and beside each kind the sound one. */
#pragma once

#include "algos/step/coll.h"

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

/* Define FAMILY_FLAW, the program of FAMILY with FLAW. */
#define MUTANT_PROGRAM(family, flaw) \
  static void family##_##flaw(struct coll *c) { \
    family(c, flaw); \
  }

/* The head of an entry for it. */
#define MUTANT(of, family, flaw) \
  .algo.collective = of, .algo.name = #family "-" #flaw, .algo.source = "ali2010", .algo.idea = #flaw, \
  .algo.run = family##_##flaw
