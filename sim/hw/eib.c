/* SPDX-License-Identifier: BSD-3-Clause
 * See eib.h.
 *
 * The data arbiter looks only at the oldest request of each on-ramp. It grants a transfer when, for one of the rings that
 * go the request's way, the sender's on-ramp, the ring, and (when the first beat gets there) the receiver's off-ramp are
 * free. It runs when data becomes ready at an idle on-ramp, which is known before, and at the earliest cycle at which one
 * of the waiting requests can be granted: never in vain because of time alone. A distant sender could start earlier than a
 * close one for the same free time of a receiver, since its first beat arrives later; so that close ones do not starve, a
 * receiver that the unit whose turn it is only waits for is kept for that unit. Ramps and rings only ever get busier, so
 * the earliest start found for a request remains a lower bound (not_before) until its time has come.
 *
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
  const struct ring_path *path;
  struct ring **ring;   /* in by_age */
  bool awaits_receiver; /* only the receiver keeps it from starting now */
};

static void arbitrate(struct event *event);

void
eib_init(struct eib *eib, struct blade *blade, unsigned chip)
{
  *eib = (struct eib){.blade = blade, .chip = chip};
  command_bus_init(&eib->command_bus, blade, chip);
  eib->routes = blade->routes;
  eib->longest_travel = blade->figures.max_hops * blade->figures.ring.hop;
  eib_reset(eib);
}

void
eib_reset(struct eib *eib)
{
  const struct figures *figures = &eib->blade->figures;
  command_bus_reset(&eib->command_bus);
  eib->arbitration = (struct event){.run = arbitrate};
  eib->calendar = (struct calendar){.used = 0};
  eib->waiting = eib->claiming = eib->known = eib->shared = 0;
  eib->priority = UINT32_C(1) << eib->blade->memory_unit;
  eib->last = figures->ring.nunits - 1;
  memset(eib->units, 0, sizeof eib->units);
  for (unsigned i = 0; i < figures->nrings; i++) {
    ring_init(&eib->rings[i], &figures->ring);
  }
  for (unsigned i = 0; i < figures->nrings_clockwise; i++) {
    eib->by_age[ROUTE_CLOCKWISE][i] = &eib->rings[i];
  }
  for (unsigned i = figures->nrings_clockwise; i < figures->nrings; i++) {
    eib->by_age[ROUTE_BACK][i - figures->nrings_clockwise] = &eib->rings[i];
  }
}

/* --- which ring --- */

/* Replace *BEST if a transfer along PATH can start earlier on one of the rings BY_AGE, or at the same cycle on one that has
 * been idle longer. RECEIVER is the cycle from which on the off-ramp is free. */
static inline void
improve(const struct ring_path *path, struct ring **by_age, uint64_t receiver, struct choice *best)
{
  uint64_t now = des_now(), earliest = receiver > now + path->travel ? receiver - path->travel : now;
  uint64_t at = UINT64_MAX;
  for (struct ring **ring = by_age; *ring && at != earliest; ring++) { /* a younger one cannot be better */
    at = ring_ready(*ring, path, earliest);
    if (at < best->at || (at == best->at && (*ring)->next_start < (*best->ring)->next_start)) {
      best->at = at;
      best->path = path;
      best->ring = ring;
      best->awaits_receiver = earliest > now && at == earliest;
    }
  }
}

/* Find the ring on which REQUEST, whose on-ramp is free, can start first; of equal ones the one that has been idle
 * longest. */
static inline struct choice
choose(struct eib *eib, const struct bus_request *request)
{
  const struct route *route = &eib->routes->between[request->from][request->to];
  uint64_t receiver = eib->units[request->to].off_ramp.ready, longest = eib->longest_travel;
  struct choice best = {.at = UINT64_MAX};
  if (receiver > des_now() + longest) {
    best.at = receiver - longest;
    return best;
  }
  if (route->allowed[ROUTE_CLOCKWISE]) {
    improve(&route->paths[ROUTE_CLOCKWISE], eib->by_age[ROUTE_CLOCKWISE], receiver, &best);
  }
  if (route->allowed[ROUTE_BACK]) {
    improve(&route->paths[ROUTE_BACK], eib->by_age[ROUTE_BACK], receiver, &best);
  }
  return best;
}

/* The ring at PLACE in by_age has just been started. Of those started in the same cycle the first by number comes first. */
static inline void
make_youngest(struct ring **place)
{
  struct ring *ring = *place;
  for (; place[1] && (place[1] < ring || place[1]->next_start != ring->next_start); place++) {
    place[0] = place[1];
  }
  *place = ring;
}

/* --- the oldest request of each on-ramp --- */

/* REQUEST, the oldest one of UNIT, is ready. */
static void
head_comes(struct eib *eib, unsigned unit, const struct bus_request *request)
{
  uint32_t *senders = &eib->units[request->to].senders;
  *senders |= UINT32_C(1) << unit;
  eib->known |= UINT32_C(1) << unit;
  eib->units[unit].receiver = UINT32_C(1) << request->to;
  eib->shared |= *senders & (*senders - 1) ? eib->units[unit].receiver : 0;
}

/* REQUEST, which was ready, is no longer the oldest one of UNIT. */
static void
head_goes(struct eib *eib, unsigned unit, const struct bus_request *request)
{
  uint32_t *senders = &eib->units[request->to].senders;
  *senders &= ~(UINT32_C(1) << unit);
  eib->shared &= *senders & (*senders - 1) ? UINT32_MAX : ~eib->units[unit].receiver;
  eib->known &= ~(UINT32_C(1) << unit);
  eib->units[unit].receiver = 0;
}

/* Return the first cycle, not before EARLIEST, at which REQUEST is ready and its on-ramp is free. */
static inline uint64_t
earliest_start(const struct eib *eib, const struct bus_request *request, uint64_t earliest)
{
  uint64_t at = request->event.at > earliest ? request->event.at : earliest;
  return pace_ready(&eib->units[request->from].on_ramp, at);
}

/* Take the first request out of the queue of UNIT; the next one cannot start in the same cycle. */
static void
dequeue(struct eib *eib, unsigned unit)
{
  struct eib_queue *queue = &eib->units[unit].queue;
  struct bus_request *old = queue->first, *next = old->next;
  queue->first = next;
  if (eib->known & UINT32_C(1) << unit) {
    head_goes(eib, unit, old);
  }
  if (!next) {
    queue->last = NULL;
    eib->waiting &= ~(UINT32_C(1) << unit);
    return;
  }
  next->before = NULL;
  eib->units[unit].not_before = earliest_start(eib, next, des_now() + 1);
}

/* --- grants --- */

static void
grant(struct eib *eib, struct bus_request *request, const struct choice *choice)
{
  const struct figures *figures = &eib->blade->figures;
  unsigned from = request->from, to = request->to;
  struct ring *ring = *choice->ring;
  uint64_t now = des_now();
  pace_take(&eib->units[from].on_ramp, now, figures->ramp_interval_mcyc);
  pace_take(&eib->units[to].off_ramp, now + choice->path->travel, figures->ramp_interval_mcyc);
  uint64_t end = ring_start(ring, choice->path, now);
  make_youngest(choice->ring);
  eib->last = from;
  blade_see(eib->blade, &(struct probe_event){.kind = PROBE_GRANT,
                                              .spe = request->dma->issuer,
                                              .tag = request->command->tag,
                                              .nbytes = request->nbytes,
                                              .chip = eib->chip,
                                              .ring = (unsigned)(ring - eib->rings),
                                              .from = from,
                                              .to = to,
                                              .hops = choice->path->hops,
                                              .queued = eib_queued(eib, from),
                                              .waited = now - request->event.at});
  dequeue(eib, from);
  bus_request_granted(request, end);
}

/* Grant the oldest request of UNIT if it can start now; in any case note when to look at the unit again. */
static void
try_to_start(struct eib *eib, unsigned unit)
{
  uint32_t mask = UINT32_C(1) << unit;
  uint64_t now = des_now();
  struct bus_request *request = eib->units[unit].queue.first;
  struct choice choice = choose(eib, request);
  if (choice.at == now) {
    eib->claiming &= ~mask;
    grant(eib, request, &choice);
  } else {
    eib->claiming = choice.awaits_receiver ? eib->claiming | mask : eib->claiming & ~mask;
    eib->units[unit].not_before = choice.at;
  }
  if (eib->waiting & mask) {
    calendar_add(&eib->calendar, unit, eib->units[unit].not_before, now);
  }
}

/* --- turns --- */

/* Note where the oldest requests go that have become ready since this was done last. */
static void
look_for_heads(struct eib *eib)
{
  for (uint32_t left = eib->waiting & ~eib->known; left; left &= left - 1) {
    unsigned unit = (unsigned)__builtin_ctz(left);
    const struct bus_request *request = eib->units[unit].queue.first;
    if (request->event.at <= des_now()) {
      head_comes(eib, unit, request);
    }
  }
}

/* Tell whether some unit claims a receiver for which others wait too. */
static inline bool
is_contested(struct eib *eib)
{
  if (eib->claiming) {
    look_for_heads(eib);
  }
  for (uint32_t left = eib->claiming ? eib->shared : 0; left; left &= left - 1) {
    if (eib->units[__builtin_ctz(left)].senders & eib->claiming) {
      return true;
    }
  }
  return false;
}

/* Look at all waiting units in the order of their turns after unit LAST; those in TRIED have been looked at in this cycle.
 * A unit is passed over if its receiver is claimed by a unit before it; it is then looked at again when others are. */
static void
serve_by_claims(struct eib *eib, unsigned last, uint32_t tried)
{
  uint64_t now = des_now();
  uint32_t claimed = 0;
  calendar_clear(&eib->calendar);
  for (uint32_t left = eib->waiting; left;) {
    unsigned unit = arbiter_next(left, eib->priority, last);
    uint32_t mask = UINT32_C(1) << unit, receiver = eib->units[unit].receiver;
    bool is_tried = tried & mask;
    left &= ~mask;
    if (!is_tried && claimed & receiver) {
      continue;
    }
    if (!is_tried && eib->units[unit].not_before <= now) {
      try_to_start(eib, unit);
    } else {
      calendar_add(&eib->calendar, unit, eib->units[unit].not_before, now);
    }
    claimed |= eib->claiming & mask ? receiver : 0;
  }
}

/* Take the units whose time has come from the calendar. */
static inline uint32_t
due_units(struct eib *eib)
{
  uint64_t now = des_now();
  uint32_t due = calendar_take(&eib->calendar, now) & eib->waiting;
  for (uint32_t left = due; left; left &= left - 1) {
    unsigned unit = (unsigned)__builtin_ctz(left);
    if (eib->units[unit].not_before > now) {
      due &= ~(left & -left);
      calendar_add(&eib->calendar, unit, eib->units[unit].not_before, now);
    }
  }
  return due;
}

static void
arbitrate(struct event *event)
{
  struct eib *eib = EVENT_OWNER(event, struct eib, arbitration);
  unsigned last = eib->last;
  uint32_t due = due_units(eib), tried = 0;
  bool any = due;
  while (due && !is_contested(eib)) {
    unsigned unit = arbiter_next(due, eib->priority, last);
    due &= ~(UINT32_C(1) << unit);
    tried |= UINT32_C(1) << unit;
    try_to_start(eib, unit);
  }
  if (any && is_contested(eib)) {
    serve_by_claims(eib, last, tried);
  }
  if (eib->calendar.used) {
    des_schedule(event, calendar_next(&eib->calendar, des_now()), DES_ARBITRATE, eib->chip);
  }
}

/* Have the arbiter run at cycle AT at the latest. */
static void
arbitrate_by(struct eib *eib, uint64_t at)
{
  struct event *event = &eib->arbitration;
  if (event->pending && event->at > at) {
    des_cancel(event);
  }
  if (!event->pending) {
    des_schedule(event, at, DES_ARBITRATE, eib->chip);
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
  unsigned unit = request->from;
  struct eib_queue *queue = &eib->units[unit].queue;
  enqueue(queue, request);
  if (queue->first == request) {
    eib->waiting |= UINT32_C(1) << unit;
    eib->units[unit].not_before = earliest_start(eib, request, des_now());
    calendar_add(&eib->calendar, unit, eib->units[unit].not_before, des_now());
    arbitrate_by(eib, calendar_next(&eib->calendar, des_now()));
  }
}

unsigned
eib_queued(const struct eib *eib, unsigned unit)
{
  unsigned count = 0;
  const struct bus_request *request = eib->units[unit].queue.first;
  for (; request && request->event.at <= des_now(); request = request->next) {
    count++;
  }
  return count;
}
