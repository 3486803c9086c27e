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
