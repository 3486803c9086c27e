/* SPDX-License-Identifier: BSD-3-Clause
 * Streams of DMAs between a rank's local store and somewhere else, with several under way: how bandwidth is measured. */
#pragma once

#include "validate/rig.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one rank streams. */
struct stream {
  unsigned rank;
  uint64_t ea; /* other end; the stream uses `slots` times `nbytes` from there, in turn */
  bool put;
  uint32_t nbytes;         /* of one DMA */
  unsigned depth;          /* DMAs kept under way, at most 32 */
  unsigned slots;          /* DMAs that find room side by side in the buffers */
  unsigned count;          /* DMAs in all */
  uint64_t started, ended; /* first issue, last completion; set by the run */
};

/* A depth that keeps a queue of 16 commands full, as far as the buffers of a rank hold DMAs of NBYTES side by side. */
enum { STREAM_DEPTH = 16, STREAM_BUFFER = 131072 };

/* Return how many DMAs of NBYTES find room side by side in STREAM_BUFFER bytes, at most STREAM_DEPTH and at least 1. */
unsigned stream_slots(size_t nbytes);

/* Return how many DMAs of NBYTES make a stream in which start and end do not count: 1 MiB, and at least 64 DMAs. */
unsigned stream_count(size_t nbytes);

/* Run COUNT streams, at most one per rank of RIG, whose buffers hold the slots of each.
 * returns: bytes per cycle of all together, from the first issue to the last completion. */
double stream_run(struct rig *rig, struct stream *streams, size_t count);
