/* SPDX-License-Identifier: BSD-3-Clause
 * See ring.h.
 *
 * A transfer travels hop by hop: the place d hops behind its sender is taken from start + d * hop for the time of its
 * beats. All transfers of a ring move at the same speed in the same direction. So when it is asked whether a path is free,
 * each of its places is known by the cycle at which a transfer that gets there just in time would have left place 0: the
 * latest of these counts, whatever the hops in between. Positions count in the direction of travel; a ring that turns the
 * other way is used with mirrored positions (see eib.c).
 *
 * A ring has room for as many transfers as may be under way. A new one replaces the one that ends first, which must be
 * over. */
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

/* Note that the places of PATH are free for those who could have left place 0 at cycle LEAVE. */
static void
take_places(struct ring *ring, struct ring_path path, int64_t leave)
{
  unsigned n = ring->figures->nunits, end = path.from + ring_places(path), turn = end < n ? end : n;
  int64_t round = (int64_t)(n * ring->figures->hop);
  for (unsigned place = path.from; place < turn; place++) {
    ring->leave[place] = leave;
    ring->leave[place + n] = leave - round;
  }
  for (unsigned place = turn; place < end; place++) {
    ring->leave[place] = leave;
    ring->leave[place - n] = leave + round;
  }
}

uint64_t
ring_start(struct ring *ring, struct ring_path path, uint64_t at)
{
  const struct ring_figures *figures = ring->figures;
  assert(at >= ring->free_at);
  uint64_t end = at + path.hops * figures->hop + figures->beats;
  take_places(ring, path, (int64_t)(at + figures->beats) - (int64_t)(path.from * figures->hop));
  ring->ends[ring->first_over] = end;
  unsigned first = 0;
  for (unsigned i = 1; i < figures->transfers_max; i++) {
    first = ring->ends[i] < ring->ends[first] ? i : first;
  }
  ring->first_over = first;
  ring->next_start = at + figures->start_interval;
  ring->free_at = ring->ends[first] > ring->next_start ? ring->ends[first] : ring->next_start;
  return end;
}
