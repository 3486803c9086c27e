/* SPDX-License-Identifier: BSD-3-Clause
 * Round trips between two ranks on an idle machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct blade;
struct profile;

/* The content of the messages. */
enum pingpong_kind {
  PINGPONG_FLAG,        /* a flag */
  PINGPONG_SIGNAL,      /* a signal */
  PINGPONG_FLAG_STEP,   /* a flag with the bookkeeping of a step */
  PINGPONG_SIGNAL_STEP, /* the same with a signal */
  PINGPONG_DATA,        /* an address; the other side then gets the data */
};

struct pingpong {
  struct blade *blade;
  const struct profile *profile;
  enum pingpong_kind kind;
  size_t nbytes; /* DATA: of the message */
};

/* Return the round trip between the ranks on SPE 0 and on SPE in SPU cycles.
 * source: Ali, Midkiff, Pai 2010, figure 3. */
double pingpong_between(const struct pingpong *pingpong, unsigned spe);

/* Return the mean round trip over all other SPEs of chip 0, or over the SPEs of the next chip. */
double pingpong_mean(const struct pingpong *pingpong, bool across);
