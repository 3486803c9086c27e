/* SPDX-License-Identifier: BSD-3-Clause
 * See eib.h.
 *
 * The data arbiter looks only at the oldest request of each on-ramp. It grants a transfer when, for one of the rings that
 * go the request's way, the sender's on-ramp, the ring, and (when the first beat gets there) the receiver's off-ramp are
 * free. It runs when data becomes ready at an idle on-ramp, and at the earliest cycle at which one of the waiting
 * requests can be granted: never in vain because of time alone. A distant sender could start earlier than a close one for
 * the same free time of a receiver, since its first beat arrives later; so that close ones do not starve, a receiver that
 * the unit whose turn it is only waits for is kept for that unit. Ramps and rings only ever get busier, so the earliest
 * start found for a request remains a lower bound (not_before) until its time has come.
 *
 * Positions on a ring count in its direction of travel: those of counter-clockwise rings are mirrored.
 * source: Kistler, Perrone, Petrini 2006; Ali, Midkiff, Pai 2010, section 2; Krolak 2005. */
#include "sim/hw/eib.h"

#include "sim/base/des.h"
#include "sim/hw/arbiter.h"
#include "sim/hw/blade.h"
#include "sim/hw/bus_request.h"
#include "sim/hw/dma.h"

#include <string.h>

/* The best that can be done for one request. */
struct choice {
  uint64_t at; /* first cycle at which it may start, as far as is known now */
  unsigned ring;
  struct ring_path path;
  bool awaits_receiver; /* only the receiver keeps it from starting now */
};

static void command_run(struct event *event);
static void arbitrate(struct event *event);

void
eib_init(struct eib *eib, struct blade *blade, unsigned chip)
{
  *eib = (struct eib){.blade = blade, .chip = chip};
  eib_reset(eib);
}

void
eib_reset(struct eib *eib)
{
  unsigned last_unit = eib->blade->figures.ring.nunits - 1;
  eib->command_bus = (struct eib_command_bus){.event.run = command_run, .last = last_unit};
  eib->arbitration = (struct event){.run = arbitrate};
  eib->waiting = eib->claiming = 0;
  eib->priority = UINT32_C(1) << eib->blade->memory_unit;
  eib->last = last_unit;
  memset(eib->queues, 0, sizeof eib->queues);
  memset(eib->not_before, 0, sizeof eib->not_before);
  memset(eib->on_ramps, 0, sizeof eib->on_ramps);
  memset(eib->off_ramps, 0, sizeof eib->off_ramps);
  for (unsigned i = 0; i < eib->blade->figures.nrings; i++) {
    ring_init(&eib->rings[i], &eib->blade->figures.ring);
  }
}

/* --- command bus --- */

static void
command_schedule(struct eib *eib)
{
  struct eib_command_bus *bus = &eib->command_bus;
  uint64_t now = des_now();
  des_schedule(&bus->event, now > bus->free_at ? now : bus->free_at, DES_COMMAND, eib->chip);
}

void
eib_ask(struct eib *eib, unsigned unit)
{
  struct eib_command_bus *bus = &eib->command_bus;
  bus->asking |= UINT32_C(1) << unit;
  if (!bus->event.pending) {
    command_schedule(eib);
  }
}

static void
command_run(struct event *event)
{
  struct eib *eib = EVENT_OWNER(event, struct eib, command_bus.event);
  struct eib_command_bus *bus = &eib->command_bus;
  unsigned unit = arbiter_next(bus->asking, 0, bus->last);
  bus->asking &= ~(UINT32_C(1) << unit);
  bus->last = unit;
  bool coherent = dma_granted(eib->requesters[unit]);
  const struct figures *figures = &eib->blade->figures;
  bus->free_at = des_now() + (coherent ? figures->coherent_interval : figures->command_interval);
  dma_pump(eib->requesters[unit]);
  if (bus->asking && !bus->event.pending) {
    command_schedule(eib);
  }
}

/* --- data arbiter --- */

/* Return the way from unit FROM to unit TO in the direction of travel of RING. */
static struct ring_path
path_on(const struct figures *figures, unsigned ring, unsigned from, unsigned to)
{
  unsigned n = figures->ring.nunits;
  if (ring >= figures->nrings_clockwise) {
    from = from ? n - from : 0;
    to = to ? n - to : 0;
  }
  return (struct ring_path){.from = (uint8_t)from, .hops = (uint8_t)(to >= from ? to - from : to + n - from)};
}

/* Find the ring on which REQUEST can start first; of equal ones the one that has been idle longest. */
static struct choice
choose(struct eib *eib, const struct bus_request *request, uint64_t now)
{
  const struct figures *figures = &eib->blade->figures;
  uint64_t sender = pace_ready(&eib->on_ramps[request->from], now);
  uint64_t receiver = pace_ready(&eib->off_ramps[request->to], 0);
  uint64_t longest = figures->max_hops * figures->ring.hop;
  struct choice best = {.at = UINT64_MAX};
  if (sender > now) {
    best.at = sender;
    return best;
  }
  if (receiver > now + longest) {
    best.at = receiver - longest;
    return best;
  }
  for (unsigned i = 0; i < figures->nrings; i++) {
    struct ring_path path = path_on(figures, i, request->from, request->to);
    if (path.hops > figures->max_hops) {
      continue;
    }
    uint64_t travel = path.hops * figures->ring.hop;
    uint64_t at = receiver > now + travel ? receiver - travel : now;
    bool awaits_receiver = at > now;
    at = ring_ready(&eib->rings[i], path, at);
    if (at < best.at || (at == best.at && eib->rings[i].next_start < eib->rings[best.ring].next_start)) {
      best = (struct choice){
        .at = at, .ring = i, .path = path, .awaits_receiver = awaits_receiver && at == receiver - travel};
    }
  }
  return best;
}

static void
dequeue(struct eib *eib, unsigned unit)
{
  struct eib_queue *queue = &eib->queues[unit];
  queue->first = queue->first->next;
  if (!queue->first) {
    queue->last = NULL;
    eib->waiting &= ~(UINT32_C(1) << unit);
  }
}

static void
grant(struct eib *eib, struct bus_request *request, const struct choice *choice)
{
  const struct figures *figures = &eib->blade->figures;
  unsigned from = request->from, to = request->to;
  uint64_t now = des_now(), travel = choice->path.hops * figures->ring.hop;
  pace_take(&eib->on_ramps[from], now, figures->ramp_interval_mcyc);
  pace_take(&eib->off_ramps[to], now + travel, figures->ramp_interval_mcyc);
  uint64_t end = ring_start(&eib->rings[choice->ring], choice->path, now);
  eib->last = from;
  dequeue(eib, from);
  blade_see(eib->blade, &(struct probe_event){.kind = PROBE_GRANT,
                                              .spe = request->dma->spe->index,
                                              .tag = request->command->tag,
                                              .nbytes = request->nbytes,
                                              .chip = eib->chip,
                                              .ring = choice->ring,
                                              .from = from,
                                              .to = to,
                                              .hops = choice->path.hops,
                                              .waited = now - request->ready_at});
  bus_request_granted(request, end);
}

/* Run the arbiter at cycle AT at the latest. */
static void
arbitrate_by(struct eib *eib, uint64_t at)
{
  if (eib->arbitration.pending) {
    if (eib->arbitration.at <= at) {
      return;
    }
    des_cancel(&eib->arbitration);
  }
  des_schedule(&eib->arbitration, at, DES_ARBITRATE, eib->chip);
}

static void
arbitrate(struct event *event)
{
  struct eib *eib = EVENT_OWNER(event, struct eib, arbitration);
  uint64_t now = des_now(), next = UINT64_MAX;
  unsigned last = eib->last;
  uint32_t claimed = 0; /* receivers whose next free time belongs to a unit that was looked at before */
  for (uint32_t left = eib->waiting; left;) {
    unsigned unit = arbiter_next(left, eib->priority, last);
    uint32_t mask = UINT32_C(1) << unit;
    left &= ~mask;
    struct bus_request *request = eib->queues[unit].first;
    uint32_t receiver = UINT32_C(1) << request->to;
    if (claimed & receiver) {
      continue;
    }
    if (eib->not_before[unit] <= now) {
      struct choice choice = choose(eib, request, now);
      eib->not_before[unit] = choice.at;
      eib->claiming = choice.awaits_receiver ? eib->claiming | mask : eib->claiming & ~mask;
      if (choice.at == now) {
        grant(eib, request, &choice);
        eib->not_before[unit] = pace_ready(&eib->on_ramps[unit], now + 1);
      }
    }
    if (eib->not_before[unit] > now && (eib->claiming & mask)) {
      claimed |= receiver;
    }
    if (eib->queues[unit].first && eib->not_before[unit] < next) {
      next = eib->not_before[unit];
    }
  }
  if (next != UINT64_MAX) {
    arbitrate_by(eib, next);
  }
}

void
eib_send(struct eib *eib, struct bus_request *request)
{
  unsigned unit = request->from;
  struct eib_queue *queue = &eib->queues[unit];
  request->next = NULL;
  blade_see_detail(eib->blade, &(struct probe_event){.kind = PROBE_READY,
                                                     .spe = request->dma->spe->index,
                                                     .chip = eib->chip,
                                                     .from = unit,
                                                     .to = request->to});
  if (queue->last) {
    queue->last->next = request;
    queue->last = request;
    return;
  }
  queue->first = queue->last = request;
  eib->waiting |= UINT32_C(1) << unit;
  eib->not_before[unit] = pace_ready(&eib->on_ramps[unit], des_now());
  arbitrate_by(eib, eib->not_before[unit]);
}
