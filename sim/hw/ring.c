/* SPDX-License-Identifier: BSD-3-Clause
 * See ring.h.
 *
 * A transfer travels hop by hop: the place d hops behind its sender is taken from start + d * hop for the time of its
 * beats. All transfers of a ring move at the same speed in the same direction, so two whose paths share a place can only
 * meet at the first place that they share. Positions count in the direction of travel; a ring that turns the other way
 * is used with mirrored positions (see eib.c). */
#include "sim/hw/ring.h"

#include <assert.h>

void
ring_init(struct ring *ring, const struct ring_figures *figures)
{
  *ring = (struct ring){.figures = figures};
}

/* Forget transfers that are over at cycle AT. */
static void
drop_ended(struct ring *ring, uint64_t at)
{
  for (unsigned i = 0; i < ring->ntransfers;) {
    if (ring->transfers[i].end <= at) {
      ring->transfers[i] = ring->transfers[--ring->ntransfers];
    } else {
      i++;
    }
  }
}

static unsigned
distance(unsigned nunits, unsigned from, unsigned to)
{
  return to >= from ? to - from : to + nunits - from;
}

/* Return the first cycle at which PATH does not run into TRANSFER. */
static uint64_t
clear_of(const struct ring_figures *figures, const struct ring_transfer *transfer, struct ring_path path)
{
  unsigned behind = distance(figures->nunits, transfer->path.from, path.from);
  if (behind < transfer->path.hops) {
    return transfer->start + behind * figures->hop + figures->beats;
  }
  unsigned ahead = distance(figures->nunits, path.from, transfer->path.from);
  if (ahead < path.hops) {
    uint64_t busy_until = transfer->start + figures->beats, travel = ahead * figures->hop;
    return busy_until > travel ? busy_until - travel : 0;
  }
  return 0;
}

uint64_t
ring_ready(const struct ring *ring, struct ring_path path, uint64_t at)
{
  uint64_t ready = at > ring->next_start ? at : ring->next_start;
  for (unsigned i = 0; i < ring->ntransfers; i++) {
    uint64_t clear = clear_of(ring->figures, &ring->transfers[i], path);
    ready = clear > ready ? clear : ready;
  }
  unsigned running = 0;
  uint64_t first_end = UINT64_MAX;
  for (unsigned i = 0; i < ring->ntransfers; i++) {
    uint64_t end = ring->transfers[i].end;
    if (end > ready) {
      running++;
      first_end = end < first_end ? end : first_end;
    }
  }
  return running < ring->figures->transfers_max ? ready : first_end;
}

uint64_t
ring_start(struct ring *ring, struct ring_path path, uint64_t at)
{
  drop_ended(ring, at);
  assert(at >= ring->next_start && ring->ntransfers < ring->figures->transfers_max);
  uint64_t end = at + path.hops * ring->figures->hop + ring->figures->beats;
  ring->transfers[ring->ntransfers++] = (struct ring_transfer){.path = path, .start = at, .end = end};
  ring->next_start = at + ring->figures->start_interval;
  return end;
}
