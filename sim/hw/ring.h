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
  unsigned from; /* position of the sender */
  unsigned hops;
};

struct ring {
  const struct ring_figures *figures;
  uint64_t next_start; /* the start interval is over */
  uint64_t free_at;    /* that, and there is room for one more transfer */
  unsigned first_over; /* the transfer that ends before the others */
  uint64_t ends
    [RING_TRANSFERS_MAX]; /* of transfers_max ones: the cycle after the last beat has reached its target */
  /* By place: when a transfer that gets there just when it is free leaves place 0. Again by place + nunits, for the paths
   * that pass place 0 under way. */
  int64_t leave[2 * RING_UNITS_MAX];
};

/* Make RING empty; FIGURES must outlive it. */
void ring_init(struct ring *ring, const struct ring_figures *figures);

/* Return how many places PATH takes: what a unit sends to itself takes the place where it enters. */
static inline unsigned
ring_places(struct ring_path path)
{
  return path.hops ? path.hops : 1;
}

/* Return the first cycle, not before AT, at which a transfer along PATH may start as far as is known now: the ring
 * accepts a start, has room for one more transfer, and no place of the path is taken when the first beat gets there.
 * source: Krolak 2005 (start interval); Kistler, Perrone, Petrini 2006 (three transfers that do not overlap). */
static inline uint64_t
ring_ready(const struct ring *ring, struct ring_path path, uint64_t at)
{
  uint64_t ready = at > ring->free_at ? at : ring->free_at;
  int64_t to_sender = (int64_t)(path.from * ring->figures->hop), leave = (int64_t)ready - to_sender;
  const int64_t *place = &ring->leave[path.from], *end = place + ring_places(path);
  do {
    leave = *place > leave ? *place : leave;
  } while (++place < end);
  return (uint64_t)(leave + to_sender);
}

/* Start a transfer along PATH at cycle AT, at which the ring is ready.
 * returns: the cycle after its last beat. */
uint64_t ring_start(struct ring *ring, struct ring_path path, uint64_t at);
