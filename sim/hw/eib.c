/* SPDX-License-Identifier: BSD-3-Clause
 * See eib.h.
 *
 * The data arbiter looks only at the oldest request of each on-ramp. It grants a transfer when, for one of the rings that
 * go the request's way, the sender's on-ramp, the ring, and (when the first beat gets there) the receiver's off-ramp are
 * free. It runs when data becomes ready at an idle on-ramp, which is known before, and at the earliest cycle at which one
 * of the waiting requests can be granted: never in vain because of time alone. A distant sender could start earlier than a
 * close one for the same free time of a receiver, since its first beat arrives later; so that close ones do not starve, a
 * receiver that a unit only waits for is kept for it: others that send there, and whose turn comes after its, are passed
 * over until the arbiter runs again. Ramps and rings only ever get busier, so the earliest start found for a request
 * remains a lower bound (not_before) until its time has come.
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
  uint64_t at;                  /* first cycle at which it may start, as far as is known now */
  const struct ring_path *path; /* NULL: too early to choose */
  struct ring **ring;           /* in by_age */
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
  const struct figures *figures = &eib->blade->figures;
  unsigned nunits = figures->ring.nunits;
  command_bus_reset(&eib->command_bus);
  eib->arbitration = (struct event){.run = arbitrate};
  calendar_clear(&eib->calendar);
  eib->passed_over = 0;
  eib->priority = UINT32_C(1) << eib->blade->memory_unit;
  eib->last = nunits - 1;
  for (unsigned unit = 0; unit < nunits; unit++) {
    eib->units[unit] = (struct eib_unit){.routes = &eib->blade->routes[unit * nunits]};
    eib->claimers[unit] = 0;
  }
  for (unsigned i = 0; i < figures->nrings; i++) {
    ring_init(&eib->rings[i], eib->blade->ring_plan);
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
    if ((*ring)->free_at > best->at) {
      continue;
    }
    at = ring_ready(*ring, path, earliest);
    if (at < best->at || (at == best->at && (*ring)->next_start < (*best->ring)->next_start)) {
      *best = (struct choice){.at = at, .path = path, .ring = ring};
    }
  }
}

/* Find the ring on which a transfer along ROUTE from an on-ramp that is free, to an off-ramp that is free at cycle RECEIVER,
 * can start first; of equal ones the one that has been idle longest. */
static inline struct choice
choose(struct eib *eib, const struct route *route, uint64_t receiver)
{
  const struct ring_figures *ring = &eib->blade->figures.ring;
  uint64_t longest = ring->hops_max * ring->hop;
  struct choice best = {.at = UINT64_MAX};
  if (receiver > des_now() + longest) {
    best.at = receiver - longest;
    return best;
  }
  for (unsigned way = 0; way < ROUTE_WAYS; way++) {
    if (route->paths[way].allowed) {
      improve(&route->paths[way], eib->by_age[way], receiver, &best);
    }
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

/* --- grants --- */

/* Return the first cycle, not before EARLIEST, at which REQUEST is ready and the on-ramp of UNIT, its sender, is free. */
static inline uint64_t
earliest_start(const struct eib_unit *unit, const struct bus_request *request, uint64_t earliest)
{
  return pace_ready(&unit->on_ramp, request->event.at > earliest ? request->event.at : earliest);
}

/* Take the first request out of the queue of SENDER; the next one cannot start in the same cycle. */
static inline void
dequeue(struct eib_unit *sender)
{
  struct bus_request *next = sender->queue.first->next;
  sender->queue.first = next;
  if (next) {
    next->before = NULL;
    sender->not_before = earliest_start(sender, next, des_now() + 1);
  } else {
    sender->queue.last = NULL;
  }
}

/* Let the oldest request of SENDER start as CHOICE says. */
static inline void
grant(struct eib *eib, struct eib_unit *sender, const struct choice *choice)
{
  struct pace_interval interval = eib->blade->figures.ramp_interval;
  uint64_t now = des_now();
  struct bus_request *request = sender->queue.first;
  struct ring *ring = *choice->ring;
  pace_take(&sender->on_ramp, now, interval);
  pace_take(&eib->units[request->to].off_ramp, now + choice->path->travel, interval);
  uint64_t end = ring_start(ring, choice->path, now);
  make_youngest(choice->ring);
  eib->last = request->from;
  blade_see(eib->blade, &(struct probe_event){.kind = PROBE_GRANT,
                                              .spe = request->dma->issuer,
                                              .tag = request->command->tag,
                                              .nbytes = request->nbytes,
                                              .chip = eib->chip,
                                              .ring = (unsigned)(ring - eib->rings),
                                              .from = request->from,
                                              .to = request->to,
                                              .hops = choice->path->hops,
                                              .queued = eib_queued(eib, request->from),
                                              .waited = now - request->event.at});
  dequeue(sender);
  bus_request_granted(request, end);
}

/* --- turns --- */

/* Grant the oldest request of UNIT if it can start now; in any case note when to look at the unit again. */
static inline void
look_at(struct eib *eib, unsigned unit)
{
  struct eib_unit *sender = &eib->units[unit];
  uint64_t now = des_now();
  unsigned to = sender->queue.first->to;
  uint32_t mask = UINT32_C(1) << unit, *claimers = &eib->claimers[to];
  uint64_t receiver = eib->units[to].off_ramp.ready;
  struct choice choice = choose(eib, &sender->routes[to], receiver);
  *claimers &= ~mask;
  if (choice.at == now) {
    grant(eib, sender, &choice);
  } else {
    sender->not_before = choice.at;
    *claimers |= choice.path && choice.at + choice.path->travel == receiver ? mask : 0;
  }
  if (sender->queue.first) {
    calendar_add(&eib->calendar, unit, sender->not_before, now);
  }
}

/* Tell whether the receiver of UNIT is kept for another unit, whose turn after LAST comes first. */
static inline bool
is_passed_over(const struct eib *eib, unsigned unit, unsigned last)
{
  uint32_t claimers = eib->claimers[eib->units[unit].queue.first->to];
  return claimers && arbiter_next(claimers | UINT32_C(1) << unit, eib->priority, last) != unit;
}

/* Take the units whose time has come from the calendar. */
static inline uint32_t
due_units(struct eib *eib)
{
  uint64_t now = des_now();
  uint32_t due = calendar_take(&eib->calendar, now);
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
  uint32_t due = due_units(eib);
  if (due) {
    due |= eib->passed_over;
    eib->passed_over = 0;
  }
  while (due) {
    unsigned unit = arbiter_next(due, eib->priority, last);
    due &= ~(UINT32_C(1) << unit);
    if (is_passed_over(eib, unit, last)) {
      eib->passed_over |= UINT32_C(1) << unit;
    } else {
      look_at(eib, unit);
    }
  }
  if (!calendar_is_empty(&eib->calendar)) {
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
  struct eib_unit *unit = &eib->units[request->from];
  enqueue(&unit->queue, request);
  if (unit->queue.first == request) {
    unit->not_before = earliest_start(unit, request, des_now());
    calendar_add(&eib->calendar, request->from, unit->not_before, des_now());
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
