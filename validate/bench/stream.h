/* SPDX-License-Identifier: BSD-3-Clause
 * Streams of DMAs between a rank's local store and somewhere else, with several under way: how bandwidth is
 * measured. */
#pragma once

#include "validate/lab/rig.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One stream. Those of one rank take turns, DMA by DMA, in one program; together they have at most 32 DMAs
 * under way. */
struct stream {
  unsigned rank;
  uint32_t offset; /* of what it uses in the rank's buffer: `depth` times `nbytes`, in turn */
  uint64_t ea;     /* other end, as long */
  bool put;
  uint32_t nbytes;         /* of one DMA */
  unsigned depth;          /* DMAs kept under way, each with its own tag and its own place in the buffers */
  unsigned count;          /* DMAs in all */
  uint64_t started, ended; /* first issue, last completion; set by the run */
  /* kept by the run: */
  struct stream *next; /* of the same rank */
  unsigned issued;
  unsigned first_tag;
  uint32_t tags; /* that are not known to be done */
};

/* A depth that keeps a queue of 16 commands full, as far as the buffers of a rank hold DMAs of NBYTES side by
 * side. */
enum { STREAM_DEPTH = 16, STREAM_BUFFER = 131072 };

/* Return how many DMAs of NBYTES find room side by side in STREAM_BUFFER bytes, and in the local stores of
 * BLADE, which hold one; at most STREAM_DEPTH and at least 1. */
unsigned stream_depth(const struct blade *blade, size_t nbytes);

/* Return how many DMAs of NBYTES make a stream in which start and end do not count: 1 MiB, and at least 64
 * DMAs. */
unsigned stream_count(size_t nbytes);

/* Run COUNT streams on RIG, whose buffers hold what they use.
 * returns: bytes per cycle of all together, from the first issue to the last completion. */
double stream_run(struct rig *rig, struct stream *streams, size_t count);

/* Return the bytes per cycle of STREAM, which has run, from its own first issue to its own last
 * completion. */
double stream_rate(const struct stream *stream);
