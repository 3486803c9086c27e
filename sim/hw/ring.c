/* SPDX-License-Identifier: BSD-3-Clause
 * See ring.h.
 *
 * A transfer travels hop by hop: the place d hops behind its sender is taken from start + d * hop for the time of its
 * beats. All transfers of a ring move at the same speed in the same direction. So when it is asked whether a path is free,
 * a transfer that shares places with it is known by one cycle: when another one that follows it without a gap would have
 * left place 0. Positions count in the direction of travel; a ring that turns the other way is used with mirrored
 * positions (see route.c).
 *
 * A ring has room for as many transfers as may be under way. A new one replaces the one that ends first, which must be
 * over: then all its places are free. */
#include "sim/hw/ring.h"

#include <assert.h>

struct ring_path
ring_path(const struct ring_figures *figures, unsigned from, unsigned hops)
{
  struct ring_path path = {
    .from_origin = (uint32_t)(from * figures->hop), .travel = (uint32_t)(hops * figures->hop), .hops = hops};
  for (unsigned place = from; place < from + (hops ? hops : 1); place++) {
    path.places |= UINT64_C(1) << place;
    path.units |= UINT32_C(1) << place % figures->nunits;
  }
  return path;
}

void
ring_init(struct ring *ring, const struct ring_figures *figures)
{
  *ring = (struct ring){.figures = figures};
}

uint64_t
ring_start(struct ring *ring, const struct ring_path *path, uint64_t at)
{
  const struct ring_figures *figures = ring->figures;
  struct ring_transfer *transfers = ring->transfers;
  assert(at >= ring->free_at);
  uint64_t end = at + path->travel + figures->beats;
  transfers[ring->first_over] =
    (struct ring_transfer){.places = path->places,
                           .units = path->units,
                           .leave = (int64_t)(at + figures->beats) - path->from_origin,
                           .end = end};
  unsigned first = 0;
  for (unsigned i = 1; i < figures->transfers_max; i++) {
    first = transfers[i].end < transfers[first].end ? i : first;
  }
  ring->first_over = first;
  ring->next_start = at + figures->start_interval;
  ring->free_at = transfers[first].end > ring->next_start ? transfers[first].end : ring->next_start;
  return end;
}
