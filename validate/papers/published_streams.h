/* SPDX-License-Identifier: BSD-3-Clause
 * Streams at once, as published measurements had them: their rate, the rings they load, and which way they
 * go. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct blade;
struct err;
struct ledger;
struct profile;

enum streams_figure {
  STREAMS_TOTAL,      /* GB/s of all together */
  STREAMS_BUSIEST,    /* percent of all bus requests that went over the busiest ring */
  STREAMS_DIRECTIONS, /* how many of the ordered pairs of ranks go the way that was measured */
};

/* What is measured. */
struct streams {
  enum streams_figure figure;
  /* Streams as typed, see validate/lab/pattern.h. DIRECTIONS: for each rank the ways from which its bus
   * requests come when it reads from ranks 0, 1 and so on: `>` clockwise, `<` counterclockwise, `=` both, `.`
   * itself; ranks separated by blanks. */
  const char *text;
  unsigned depth; /* DMAs kept under way in a stream */
};

/* Who asks. */
struct streams_asked {
  struct ledger *ledger;
  struct blade *blade;
  const struct profile *profile;
  struct err *why; /* there is no value */
};

/* Find the VALUE of STREAMS, for which the ledger of ASKED is asked. Texts of STREAMS must live as long as
 * the ledger.
 * returns: whether it is known; NaN with `why` set: there is none. */
bool streams_value(const struct streams *streams, const struct streams_asked *asked, double *value);
