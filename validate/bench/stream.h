/* SPDX-License-Identifier: BSD-3-Clause
 * Streams of DMAs between a rank's local store and another place, with several DMAs under way: the
 * measurement of bandwidth. */
#pragma once

#include "validate/bench/bench.h"
#include "validate/bench/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One stream. The streams of one rank take turns, DMA by DMA, in one program; together the streams of a rank
 * have at most 32 DMAs under way. */
struct stream {
  const char *label;
  unsigned rank, other; /* SPEs; `other` may be PATTERN_MEMORY */
  unsigned chip;        /* chip of the memory */
  bool put;
  uint32_t nbytes;         /* bytes of one DMA */
  unsigned depth;          /* DMAs kept under way, each with its own tag and its own place in the buffers */
  unsigned count;          /* DMAs in all */
  uint64_t started, ended; /* first issue, last completion; set by the run */
  /* kept by the run: */
  struct stream *next; /* next stream of the same rank */
  uint32_t offset;     /* of the stream's part of the rank's buffer */
  uint64_t ea;         /* address of the other end */
  unsigned issued;
  unsigned first_tag;
  uint32_t tags; /* tags of DMAs not known to be done */
};

/* A depth that keeps a queue of 16 commands full; the buffer size of a rank for DMAs side by side. */
enum { STREAM_DEPTH = 16, STREAM_BUFFER = 131072 };

/* Return the number of DMAs of NBYTES with room side by side in STREAM_BUFFER bytes and in the local stores
 * of MACHINE, which must have room for one; at most STREAM_DEPTH and at least 1. */
unsigned stream_depth(const struct machine *machine, size_t nbytes);

/* Return the number of DMAs of NBYTES for a stream with negligible start and end: 1 MiB, and at least 64
 * DMAs. */
unsigned stream_count(size_t nbytes);

/* Run COUNT STREAMS together on the machine of RUN; the local stores must have room for the places of all
 * streams of a rank.
 * returns: GB/s of all streams together, from the first issue to the last completion; NaN on error.
 * errors: no room in main memory. */
double stream_run(const struct bench_run *run, struct stream *streams, size_t count);

/* Return the GB/s of COUNT STREAMS together after a run, from the first issue to the last completion. */
double stream_rate(const struct bench_run *run, const struct stream *streams, size_t count);

/* --- one SPE copies from main memory to main memory, through buffers in its local store --- */

/* The size of a copy, in whole buffers. */
struct memory_copy {
  size_t nbytes, buffer;
  unsigned nbuffers; /* used in turn; with two, one buffer is read into while the other is written out */
};

/* Let the first SPE of MACHINE do COPY under the software costs of PROFILE, from and to the memory of the
 * first chip.
 * returns: the time in cycles; NAN on error.
 * errors: no room for the buffers, or in main memory. */
double memory_copy_time(struct machine *machine, const struct profile *profile,
                        const struct memory_copy *copy, struct err *err);
