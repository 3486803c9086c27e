/* SPDX-License-Identifier: BSD-3-Clause
 * Concurrent streams of published measurements: total rate, load of the rings, and directions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct blade;
struct err;
struct ledger;
struct profile;

enum streams_figure {
  STREAMS_TOTAL,      /* GB/s of all together */
  STREAMS_BUSIEST,    /* percent of all bus requests on the busiest ring */
  STREAMS_DIRECTIONS, /* number of ordered pairs of ranks with the direction measured */
};

/* A measurement of streams. */
struct streams {
  enum streams_figure figure;
  /* Streams as typed, see validate/lab/pattern.h. DIRECTIONS: for each rank the directions of bus requests to
   * the rank in reads from ranks 0, 1 and so on: `>` clockwise, `<` counterclockwise, `=` both, `.` the rank
   * itself; ranks separated by blanks. */
  const char *text;
  unsigned depth; /* DMAs kept under way in a stream */
};

/* The ledger and the machine for a question. */
struct streams_asked {
  struct ledger *ledger;
  struct blade *blade;
  const struct profile *profile;
  struct err *why; /* the reason for a missing value */
};

/* Find the VALUE of STREAMS with results from the ledger of ASKED. Texts of STREAMS must live as long as the
 * ledger.
 * returns: false while results are missing; NaN with `why` set: there is no value. */
bool streams_value(const struct streams *streams, const struct streams_asked *asked, double *value);
