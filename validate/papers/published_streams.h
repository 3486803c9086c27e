/* SPDX-License-Identifier: BSD-3-Clause
 * Streams at once, as published measurements had them: their rate and which way they go. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct blade;
struct err;
struct ledger;
struct profile;

enum streams_figure {
  STREAMS_TOTAL,           /* GB/s of all together */
  STREAMS_DIRECTION_SHARE, /* percent of all bus requests that went the way of most of them */
  STREAMS_DIRECTIONS,      /* how many of the ordered pairs of ranks go the way that was measured */
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
