/* SPDX-License-Identifier: BSD-3-Clause
 * See ring.h.
 *
 * A transfer travels hop by hop: the place d hops behind its sender is taken from start + d * hop for the time of its
 * beats. All transfers of a ring move at the same speed in the same direction, so what matters of a place is only when a
 * transfer must have left place 0 to get there as soon as it is free: this cycle is the same for all places of a path, and
 * comparing it with another path's needs no look at the hops in between. Positions count in the direction of travel; a
 * ring that turns the other way is used with mirrored positions (see eib.c). */
#include "sim/hw/ring.h"

#include <assert.h>

void
ring_init(struct ring *ring, const struct ring_figures *figures)
{
  *ring = (struct ring){.figures = figures};
  for (unsigned place = 0; place < 2 * RING_UNITS_MAX; place++) {
    ring->leave[place] = -(int64_t)(place * figures->hop);
  }
}

/* Forget transfers that are over at cycle AT. */
static void
drop_ended(struct ring *ring, uint64_t at)
{
  for (unsigned i = 0; i < ring->ntransfers;) {
    if (ring->ends[i] <= at) {
      ring->ends[i] = ring->ends[--ring->ntransfers];
    } else {
      i++;
    }
  }
}

uint64_t
ring_start(struct ring *ring, struct ring_path path, uint64_t at)
{
  const struct ring_figures *figures = ring->figures;
  drop_ended(ring, at);
  assert(at >= ring->free_at && ring->ntransfers < figures->transfers_max);
  uint64_t end = at + path.hops * figures->hop + figures->beats;
  ring->ends[ring->ntransfers++] = end;
  ring->next_start = at + figures->start_interval;
  ring->free_at = ring->next_start;
  if (ring->ntransfers == figures->transfers_max) {
    uint64_t first_end = end;
    for (unsigned i = 0; i < ring->ntransfers; i++) {
      first_end = ring->ends[i] < first_end ? ring->ends[i] : first_end;
    }
    ring->free_at = first_end > ring->next_start ? first_end : ring->next_start;
  }
  int64_t leave = (int64_t)(at + figures->beats) - (int64_t)(path.from * figures->hop);
  int64_t round = (int64_t)(figures->nunits * figures->hop);
  unsigned n = figures->nunits, last = path.from + ring_places(path), turn = last < n ? last : n;
  for (unsigned place = path.from; place < turn; place++) {
    ring->leave[place] = leave;
    ring->leave[place + n] = leave - round;
  }
  for (unsigned place = turn; place < last; place++) {
    ring->leave[place] = leave;
    ring->leave[place - n] = leave + round;
  }
  return end;
}
