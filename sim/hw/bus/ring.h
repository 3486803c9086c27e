/* SPDX-License-Identifier: BSD-3-Clause
 * One data ring of the EIB: its current transfers, and the earliest start of the next transfer. */
#pragma once

#include "platform/parameters.h"
#include "sim/base/minmax.h"

#include <assert.h>
#include <stdint.h>

/* Transfers at a time on one ring: at most, and on a Cell. */
enum { RING_TRANSFERS_MAX = 16, RING_TRANSFERS_CELL = 3 };

/* A way along a ring, in the ring's own direction of travel. */
struct ring_path {
  uint32_t behind, ahead; /* index parts, see struct ring_plan */
  uint32_t travel;        /* cycles of a beat from the sender to the receiver */
  uint16_t hops;
  uint16_t way; /* place of the rings of the path in by_age of eib.h */
};

/* Tables shared by all rings of the same parameters. */
struct ring_plan {
  struct ring_parameters parameters;
  uint32_t
    gaps[]; /* [b.behind - a.ahead]: cycles between a start along path a and a later start along path b */
};

/* Plan rings of PARAMETERS.
 * owner: the caller, who frees the plan. */
struct ring_plan *ring_plan_new(const struct ring_parameters *parameters);

/* Return the path of HOPS hops, no more than allowed, from place FROM; a transfer from a unit to itself takes
 * the place where the transfer enters. */
struct ring_path ring_path(const struct ring_parameters *parameters, unsigned from, unsigned hops);

/* A current or ended transfer. */
struct ring_transfer {
  int64_t start;
  uint32_t ahead, travel; /* places of the path */
};

/* With three transfers at a time, as on a Cell, all used members lie in one cache line. */
struct ring {
  _Alignas(64) uint64_t next_start; /* the start interval is over */
  /* as above, and the ring has room for one more transfer */
  uint64_t free_at;
  /* transfers_max transfers, ordered by their ends; all others have ended long ago */
  struct ring_transfer transfers[RING_TRANSFERS_MAX];
};

/* Make RING empty. */
void ring_init(struct ring *ring);

/* Return the first cycle, not before READY, at which a transfer along PATH may follow TRANSFER. */
static inline int64_t ring_follow(const struct ring_plan *plan, const struct ring_transfer *transfer,
                                  const struct ring_path *path, int64_t ready) {
  int64_t follow = transfer->start + plan->gaps[path->behind - transfer->ahead];
  return MAX(follow, ready);
}

/* Return the first cycle, not before AT, at which a transfer along PATH may start on RING of PLAN, given the
 * current transfers: the ring accepts a start, has room for one more transfer, and every place of the path is
 * free when the first beat arrives there.
 * source: Krolak 2005 (start interval); Kistler, Perrone, Petrini 2006 (three transfers that do not
 * overlap). */
static inline uint64_t ring_ready(const struct ring_plan *plan, const struct ring *ring,
                                  const struct ring_path *path, uint64_t at) {
  int64_t ready = (int64_t)MAX(at, ring->free_at);
#pragma GCC unroll 3
  for (unsigned i = 0; i < RING_TRANSFERS_CELL; i++) {
    ready = ring_follow(plan, &ring->transfers[i], path, ready);
  }
  for (unsigned i = RING_TRANSFERS_CELL; __builtin_expect(i < plan->parameters.transfers_max, 0); i++) {
    ready = ring_follow(plan, &ring->transfers[i], path, ready);
  }
  return (uint64_t)ready;
}

/* Start a transfer along PATH on RING of PLAN at cycle AT, at which the ring is ready.
 * returns: the cycle after the last beat. */
static inline uint64_t ring_start(const struct ring_plan *plan, struct ring *ring,
                                  const struct ring_path *path, uint64_t at) {
  const struct ring_parameters *parameters = &plan->parameters;
  struct ring_transfer *place = ring->transfers, *last = place + parameters->transfers_max - 1;
  int64_t arrival = (int64_t)(at + path->travel);
  assert(at >= ring->free_at);
  for (; place < last && place[1].start + place[1].travel <= arrival; place++) {
    place[0] = place[1];
  }
  *place = (struct ring_transfer){.start = (int64_t)at, .ahead = path->ahead, .travel = path->travel};
  int64_t over = ring->transfers[0].start + ring->transfers[0].travel + (int64_t)parameters->beats;
  ring->next_start = at + parameters->start_interval;
  ring->free_at = over > (int64_t)ring->next_start ? (uint64_t)over : ring->next_start;
  return (uint64_t)arrival + parameters->beats;
}
