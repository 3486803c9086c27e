/* SPDX-License-Identifier: BSD-3-Clause
 * All legal orders of a small program, one by one: who does what is known, and what docs/how-to/orders.md
 * leaves open is tried both ways. Plain and slow; of the simulator only the names of IBM's calls are the
 * same. */
#pragma once

#include "tests/bed.h"

#include <stdbool.h>

enum {
  ORDERS_SPES = 3,
  ORDERS_PLACES = 6,   /* of 16 bytes each, two on each SPE: place p is on SPE p / 2 */
  ORDERS_COMMANDS = 8, /* a flag has the number of its command */
  ORDERS_STEPS = 16,   /* of a program */
  ORDERS_LOADS = 8,
};

enum orders_kind {
  ORDERS_STORE,   /* of `value` into place `from` */
  ORDERS_LOAD,    /* of place `from`, as number `value` of all loads */
  ORDERS_PUT,     /* of the own place `from` to place `to` */
  ORDERS_GET,     /* of place `from` to the own place `to` */
  ORDERS_FLAG,    /* a put of flag `command` to SPE `to`, from `from`; ORDERS_PLACES: from no place */
  ORDERS_AWAIT,   /* of flag `command` */
  ORDERS_FINISH,  /* a wait for the tags of mask `tag` */
  ORDERS_BARRIER, /* mfc_barrier */
};

struct orders_step {
  enum orders_kind kind;
  unsigned from, to, value, command, tag;
  enum { ORDERS_FREE, ORDERS_FENCE, ORDERS_OF_TAG } order;
};

struct orders_program {
  unsigned nspes, nsteps[ORDERS_SPES], ncommands, nloads;
  struct orders_step steps[ORDERS_SPES][ORDERS_STEPS];
};

/* What came of a run: the bytes of all places at the end, and those that were loaded. */
struct orders_outcome {
  uint8_t places[ORDERS_PLACES], loads[ORDERS_LOADS];
};

/* What all legal orders of a program can do. */
struct orders_found {
  size_t nstates, noutcomes;
  struct orders_outcome *outcomes;
  bool both_ways; /* some two accesses to one place, one of which writes, come in either order */
};

/* Return the program that DICE draw. A flag is awaited once at most and by its target, after the step that
 * puts the flag in some order of all steps: no program waits for ever. */
struct orders_program orders_draw(struct dice *dice);

/* Try all legal orders of PROGRAM; place p has p + 1 at the beginning.
 * owner: the caller frees `outcomes`. */
struct orders_found orders_try(const struct orders_program *program);
