/* SPDX-License-Identifier: BSD-3-Clause
 * Simulation against published measurements. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blade;
struct err;

/* One published measurement and its simulation. */
struct published_row {
  char id[40];
  const char *quantity;
  double published, simulated;
  const char *unit;
  double error;        /* percent: 100 (simulated - published) / published */
  const char *timing;  /* what was timed */
  const char *profile; /* software costs */
  const char *source;
  /* of a collective: */
  const char *algorithm; /* NULL: it is none */
  unsigned ranks;
  size_t bytes;
  double published_ns; /* time of a call */
};

/* Return the number of rows. */
size_t published_count(void);

/* Simulate row INDEX on BLADE, which is a QS20.
 * errors: a profile that the platform does not have, fewer SPEs than the measurement used. */
int published_simulate(size_t index, struct blade *blade, struct published_row *row, struct err *err);

/* How to simulate all rows, and who takes them. */
struct published_walk {
  unsigned njobs;                              /* processes; 0: one for each processor */
  void (*progress)(size_t done, size_t total); /* called now and then; may be NULL */
  void *context;
  void (*take)(void *context, const struct published_row *row);
  void (*skip)(void *context, const char *why); /* a row that BLADE cannot serve */
};

/* Simulate all rows on BLADE; WALK takes them in their order. After an interruption some are missing.
 * errors: a process that died. */
int published_run(struct blade *blade, const struct published_walk *walk, struct err *err);
