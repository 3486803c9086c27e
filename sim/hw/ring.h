/* SPDX-License-Identifier: BSD-3-Clause
 * One data ring of the EIB: which transfers run on it, and when the next one may start. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
  RING_UNITS_MAX = 32,     /* units on a ring: a set of them is a 32-bit mask */
  RING_TRANSFERS_MAX = 16, /* transfers at a time on one ring */
};

/* The figures of a ring, in SPU cycles. */
struct ring_figures {
  unsigned nunits;
  unsigned transfers_max;  /* at a time */
  uint64_t start_interval; /* between two starts */
  uint64_t hop;            /* from one unit to the next */
  uint64_t beats;          /* for which a transfer occupies a place it passes */
};

/* A way along a ring, in the ring's own direction of travel. */
struct ring_path {
  uint8_t from; /* position of the sender */
  uint8_t hops;
};

/* A transfer under way. */
struct ring_transfer {
  struct ring_path path;
  uint64_t start, end; /* first cycle; cycle after the last beat has reached its target */
};

struct ring {
  const struct ring_figures *figures;
  uint64_t next_start;
  unsigned ntransfers;
  struct ring_transfer transfers[RING_TRANSFERS_MAX];
};

/* Make RING empty; FIGURES must outlive it. */
void ring_init(struct ring *ring, const struct ring_figures *figures);

/* Return the first cycle, not before AT, at which a transfer along PATH may start as far as is known now: the ring
 * accepts a start, has room for one more transfer, and no place of the path is taken when the first beat gets there.
 * source: Krolak 2005 (start interval); Kistler, Perrone, Petrini 2006 (three transfers that do not overlap). */
uint64_t ring_ready(const struct ring *ring, struct ring_path path, uint64_t at);

/* Start a transfer along PATH at cycle AT, at which the ring is ready.
 * returns: the cycle after its last beat. */
uint64_t ring_start(struct ring *ring, struct ring_path path, uint64_t at);
