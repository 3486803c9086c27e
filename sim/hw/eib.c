/* SPDX-License-Identifier: BSD-3-Clause
 * See eib.h.
 *
 * The data arbiter looks only at the oldest request of each on-ramp. It grants a transfer when, for one of the rings that
 * go the request's way, the sender's on-ramp, the ring, and (when the first beat gets there) the receiver's off-ramp are
 * free. It runs when data becomes ready at an idle on-ramp, which is known before, and at the earliest cycle at which one of the waiting
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
  uint64_t at;         /* first cycle at which it may start, as far as is known now */
  uint64_t next_start; /* of the ring */
  unsigned ring;
  struct ring_path path;
  bool awaits_receiver; /* only the receiver keeps it from starting now */
};

static void arbitrate(struct event *event);

void
eib_init(struct eib *eib, struct blade *blade, unsigned chip)
{
  *eib = (struct eib){.blade = blade, .chip = chip};
  command_bus_init(&eib->command_bus, blade, chip);
  eib_reset(eib);
}

void
eib_reset(struct eib *eib)
{
  command_bus_reset(&eib->command_bus);
  eib->arbitration = (struct event){.run = arbitrate};
  eib->waiting = eib->claiming = 0;
  eib->priority = UINT32_C(1) << eib->blade->memory_unit;
  eib->last = eib->blade->figures.ring.nunits - 1;
  memset(eib->queues, 0, sizeof eib->queues);
  memset(eib->not_before, 0, sizeof eib->not_before);
  memset(eib->on_ramps, 0, sizeof eib->on_ramps);
  memset(eib->off_ramps, 0, sizeof eib->off_ramps);
  for (unsigned i = 0; i < eib->blade->figures.nrings; i++) {
    ring_init(&eib->rings[i], &eib->blade->figures.ring);
  }
}

/* Find the ring, of those from number FIRST up to number END, which all turn the same way, on which a transfer along PATH
 * can start first; of equal ones the one that has been idle longest. *BEST is replaced if it is worse. RECEIVER is the
 * cycle from which on the off-ramp is free. */
static inline void
improve(const struct eib *eib, unsigned first, unsigned end, struct ring_path path, uint64_t receiver,
        struct choice *best)
{
  const struct figures *figures = &eib->blade->figures;
  uint64_t now = des_now(), travel = path.hops * figures->ring.hop;
  uint64_t earliest = receiver > now + travel ? receiver - travel : now;
  if (path.hops > figures->max_hops) {
    return;
  }
  for (unsigned i = first; i < end; i++) {
    const struct ring *ring = &eib->rings[i];
    if (earliest == best->at && ring->next_start >= best->next_start) {
      continue;
    }
    uint64_t at = ring_ready(ring, path, earliest);
    if (at < best->at || (at == best->at && ring->next_start < best->next_start)) {
      best->at = at;
      best->next_start = ring->next_start;
      best->ring = i;
      best->path = path;
      best->awaits_receiver = earliest > now && at == earliest;
    }
  }
}

/* Find the ring on which REQUEST can start first; *BEST must be as bad as can be. */
static inline void
choose(const struct eib *eib, const struct bus_request *request, struct choice *best)
{
  const struct figures *figures = &eib->blade->figures;
  unsigned n = figures->ring.nunits, from = request->from, to = request->to;
  uint64_t now = des_now(), longest = figures->max_hops * figures->ring.hop;
  uint64_t sender = eib->on_ramps[from].ready, receiver = eib->off_ramps[to].ready;
  if (sender > now) {
    best->at = sender;
  } else if (receiver > now + longest) {
    best->at = receiver - longest;
  } else {
    unsigned hops = to >= from ? to - from : to + n - from;
    struct ring_path clockwise = {.from = from, .hops = hops};
    struct ring_path back = {.from = from ? n - from : 0, .hops = hops ? n - hops : 0};
    improve(eib, 0, figures->nrings_clockwise, clockwise, receiver, best);
    improve(eib, figures->nrings_clockwise, figures->nrings, back, receiver, best);
  }
}

/* REQUEST has become the oldest one of its unit, which may not send before cycle EARLIEST. */
static void
look_at_first(struct eib *eib, const struct bus_request *request, uint64_t earliest)
{
  uint64_t at = request->event.at > earliest ? request->event.at : earliest;
  eib->receivers[request->from] = UINT32_C(1) << request->to;
  eib->not_before[request->from] = pace_ready(&eib->on_ramps[request->from], at);
}

/* Take the first request out of the queue of UNIT; the next one cannot start in the same cycle. */
static void
dequeue(struct eib *eib, unsigned unit)
{
  struct eib_queue *queue = &eib->queues[unit];
  queue->first = queue->first->next;
  if (queue->first) {
    queue->first->before = NULL;
    look_at_first(eib, queue->first, des_now() + 1);
  } else {
    queue->last = NULL;
    eib->waiting &= ~(UINT32_C(1) << unit);
    eib->not_before[unit] = UINT64_MAX;
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
  blade_see(eib->blade, &(struct probe_event){.kind = PROBE_GRANT,
                                              .spe = request->dma->issuer,
                                              .tag = request->command->tag,
                                              .nbytes = request->nbytes,
                                              .chip = eib->chip,
                                              .ring = choice->ring,
                                              .from = from,
                                              .to = to,
                                              .hops = choice->path.hops,
                                              .queued = eib_queued(eib, from),
                                              .waited = now - request->event.at});
  dequeue(eib, from);
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

/* Grant the oldest request of UNIT if it can start now; else note when to look at it again. */
static void
try_to_start(struct eib *eib, unsigned unit)
{
  uint32_t mask = UINT32_C(1) << unit;
  struct bus_request *request = eib->queues[unit].first;
  struct choice choice = {.at = UINT64_MAX, .next_start = UINT64_MAX};
  choose(eib, request, &choice);
  if (choice.at == des_now()) {
    eib->claiming &= ~mask;
    grant(eib, request, &choice);
  } else {
    eib->claiming = choice.awaits_receiver ? eib->claiming | mask : eib->claiming & ~mask;
    eib->not_before[unit] = choice.at;
  }
}

/* Look at the units of the set WAITING, one level of priority, in the order of their turns after unit LAST.
 * CLAIMED are the receivers whose next free time belongs to a unit that was looked at before: others with ready data pass
 * them over.
 * returns: the earliest cycle at which one of those that were not passed over may start. */
static uint64_t
serve_level(struct eib *eib, uint32_t waiting, unsigned last, uint32_t *claimed)
{
  uint64_t now = des_now(), next = UINT64_MAX;
  for (uint32_t left = waiting; left;) {
    unsigned unit = arbiter_next(left, 0, last);
    uint32_t mask = UINT32_C(1) << unit, receiver = eib->receivers[unit];
    left &= ~mask;
    if (*claimed & receiver && eib->queues[unit].first->event.at <= now) {
      continue;
    }
    if (eib->not_before[unit] <= now) {
      try_to_start(eib, unit);
    }
    if (eib->claiming & mask) {
      *claimed |= receiver;
    }
    next = eib->not_before[unit] < next ? eib->not_before[unit] : next;
  }
  return next;
}

/* Look at all waiting units.
 * returns: when to run again. */
static uint64_t
serve_all(struct eib *eib)
{
  unsigned last = eib->last;
  uint32_t claimed = 0, waiting = eib->waiting;
  uint64_t next = serve_level(eib, waiting & eib->priority, last, &claimed);
  uint64_t other = serve_level(eib, waiting & ~eib->priority, last, &claimed);
  return other < next ? other : next;
}

/* Return the waiting units whose time has come; *NEXT becomes the time of the first of the others. */
static inline uint32_t
due_units(const struct eib *eib, uint64_t *next)
{
  uint64_t now = des_now(), first = UINT64_MAX;
  uint32_t due = 0;
  for (uint32_t left = eib->waiting; left; left &= left - 1) {
    uint64_t at = eib->not_before[__builtin_ctz(left)];
    bool is_due = at <= now;
    due |= is_due ? left & -left : 0;
    at = is_due ? UINT64_MAX : at;
    first = at < first ? at : first;
  }
  *next = first;
  return due;
}

/* Nearly always the time of one unit has come and nobody claims a receiver: then turns do not matter. */
static void
arbitrate(struct event *event)
{
  struct eib *eib = EVENT_OWNER(event, struct eib, arbitration);
  uint64_t next;
  uint32_t due = due_units(eib, &next);
  bool simple = !eib->claiming && (due & (due - 1)) == 0;
  if (simple) {
    unsigned unit = (unsigned)__builtin_ctz(due);
    try_to_start(eib, unit);
    next = eib->not_before[unit] < next ? eib->not_before[unit] : next;
  }
  if (!simple || eib->claiming) {
    next = serve_all(eib);
  }
  if (next != UINT64_MAX) {
    arbitrate_by(eib, next);
  }
}

/* Tell whether the data of A is sent before that of B. */
static inline bool
is_before(const struct event *a, const struct event *b)
{
  return a->at != b->at ? a->at < b->at : a->order < b->order;
}

/* Put REQUEST in its place in QUEUE, nearly always the last one. */
static void
enqueue(struct eib_queue *queue, struct bus_request *request)
{
  struct bus_request *before = queue->last, *after = NULL;
  while (before && is_before(&request->event, &before->event)) {
    after = before;
    before = before->before;
  }
  request->before = before;
  request->next = after;
  *(before ? &before->next : &queue->first) = request;
  *(after ? &after->before : &queue->last) = request;
}

void
eib_send(struct eib *eib, struct bus_request *request)
{
  struct eib_queue *queue = &eib->queues[request->from];
  enqueue(queue, request);
  if (queue->first == request) {
    eib->waiting |= UINT32_C(1) << request->from;
    look_at_first(eib, request, 0);
    arbitrate_by(eib, eib->not_before[request->from]);
  }
}

unsigned
eib_queued(const struct eib *eib, unsigned unit)
{
  unsigned count = 0;
  const struct bus_request *request = eib->queues[unit].first;
  for (; request && request->event.at <= des_now(); request = request->next) {
    count++;
  }
  return count;
}
