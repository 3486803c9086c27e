/* SPDX-License-Identifier: BSD-3-Clause
 * One data ring of the EIB: which transfers run on it, and when the next one may start. */
#pragma once

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

/* A way along a ring, in the ring's own direction of travel. Its places are counted on from place 0, also past the last
 * one: a place that it takes on its second lap has its number plus that of the units. */
struct ring_path {
  uint64_t places;      /* set of the places it takes, by these numbers */
  uint32_t units;       /* the same, by plain numbers */
  uint32_t from_origin; /* cycles that a beat takes from place 0 to the sender */
  uint32_t travel;      /* cycles that a beat takes from the sender to the receiver */
  uint32_t hops;
};

/* Return the path of HOPS hops from place FROM; what a unit sends to itself takes the place where it enters. */
struct ring_path ring_path(const struct ring_figures *figures, unsigned from, unsigned hops);

/* A transfer that is under way, or was. */
struct ring_transfer {
  uint64_t places;
  uint32_t units;
  int64_t leave; /* when another one that follows it without a gap would leave place 0 */
  uint64_t end;  /* the cycle after the last beat has reached its target */
};

struct ring {
  _Alignas(64) const struct ring_figures *figures;
  uint64_t next_start;                                /* the start interval is over */
  uint64_t free_at;                                   /* that, and there is room for one more transfer */
  unsigned first_over;                                /* the transfer that ends before the others */
  struct ring_transfer transfers[RING_TRANSFERS_MAX]; /* transfers_max of them */
};

/* Make RING empty; FIGURES must outlive it. */
void ring_init(struct ring *ring, const struct ring_figures *figures);

/* Return the later of LEAVE and when a transfer along PATH, counted in the same way, can follow TRANSFER, with which it
 * shares places: on the same lap, or on the one before or behind. */
static inline int64_t
ring_follow(const struct ring_figures *figures, const struct ring_path *path,
            const struct ring_transfer *transfer, int64_t leave)
{
  uint64_t ahead = transfer->places, mine = path->places;
  int64_t follow = transfer->leave;
  leave = ahead & mine && follow > leave ? follow : leave;
  if ((ahead | mine) >> figures->nunits) {
    int64_t lap = (int64_t)(figures->nunits * figures->hop);
    leave = ahead >> figures->nunits & mine && follow + lap > leave ? follow + lap : leave;
    leave = ahead << figures->nunits & mine && follow - lap > leave ? follow - lap : leave;
  }
  return leave;
}

/* Return the first cycle, not before AT, at which a transfer along PATH may start as far as is known now: the ring
 * accepts a start, has room for one more transfer, and no place of the path is taken when the first beat gets there.
 * source: Krolak 2005 (start interval); Kistler, Perrone, Petrini 2006 (three transfers that do not overlap). */
static inline uint64_t
ring_ready(const struct ring *ring, const struct ring_path *path, uint64_t at)
{
  uint64_t ready = at > ring->free_at ? at : ring->free_at;
  int64_t leave = (int64_t)ready - path->from_origin;
  const struct ring_transfer *transfer = ring->transfers, *end = transfer + ring->figures->transfers_max;
  do {
    if (transfer->units & path->units) {
      leave = ring_follow(ring->figures, path, transfer, leave);
    }
  } while (++transfer < end);
  return (uint64_t)(leave + path->from_origin);
}

/* Start a transfer along PATH at cycle AT, at which the ring is ready.
 * returns: the cycle after its last beat. */
uint64_t ring_start(struct ring *ring, const struct ring_path *path, uint64_t at);
