/* SPDX-License-Identifier: BSD-3-Clause
 * See eib.h.
 *
 * The data arbiter looks only at the oldest request of each on-ramp. The arbiter grants a transfer when the
 * sender's on-ramp, a ring of the request's direction, and the receiver's off-ramp (when the first beat
 * arrives) are free. The arbiter looks at a unit when the unit's data becomes ready at an idle on-ramp, a
 * cycle known in advance, and at the earliest cycle of a possible grant: never in vain because of time alone.
 *
 * A distant sender could start earlier than a close sender for the same free time of a receiver, since the
 * distant sender's first beat arrives later. So that close senders do not starve, the arbiter keeps a
 * receiver for a unit that waits only for this receiver: other senders to the receiver whose turn comes later
 * are passed over until the arbiter looks at the unit again.
 *
 * Turns go round twice. Among senders to one receiver the round starts after the sender that the receiver
 * heard last, so that nobody waits longer than a round for a receiver. Among other units, which compete for
 * rings, the round starts after the unit granted last. Ramps and rings only ever get busier, so the earliest
 * start found for a request remains a lower bound until the start.
 *
 * The memory controller takes the oldest data first; the round decides among equally old data. All SPEs of
 * other chips send through one unit, the BIF: in a round over units all of the other chip would have one turn
 * together, and every SPE of this chip one turn.
 *
 * source: Kistler, Perrone, Petrini 2006; Ali, Midkiff, Pai 2010, section 2; Krolak 2005. */
#include "sim/hw/exact/eib.h"

#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board/board.h"
#include "sim/hw/bus/arbiter.h"
#include "sim/hw/bus/blade_plan.h"
#include "sim/hw/exact/bus_request.h"
#include "sim/hw/spe/dma.h"

/* The best choice for one request. */
struct choice {
  uint64_t at; /* first cycle of a possible start, given the current transfers */
  const struct ring_path *path;
  struct ring **ring; /* in by_age */
};

static void look_at_due(struct event *event);

struct eib *eib_new(struct board *board, unsigned chip) {
  const struct parameters *parameters = board->parameters;
  unsigned nunits = parameters->ring.nunits;
  struct eib *eib =
    xcalloc_lines(1, sizeof *eib + nunits * sizeof *eib->units + parameters->nrings * sizeof *eib->rings);
  *eib = (struct eib){.board = board,
                      .parameters = parameters,
                      .plan = board->plan->ring_plan,
                      .chip = chip,
                      .command_bus = {.board = board, .chip = chip},
                      .rings = (void *)&eib->units[nunits]};
  return eib;
}

void eib_reset(struct eib *eib) {
  const struct parameters *parameters = eib->parameters;
  unsigned nunits = parameters->ring.nunits;
  command_bus_reset(&eib->command_bus);
  eib->longest_travel = parameters->ring.hops_max * parameters->ring.hop;
  eib->priority = UINT32_C(1) << eib->parameters->memory_unit;
  eib->last = nunits - 1;
  for (unsigned i = 0; i < nunits; i++) {
    eib->units[i] =
      (struct eib_unit){.event = {.run = look_at_due, .order = des_order(DES_ARBITRATE, eib->chip)},
                        .eib = eib,
                        .number = i,
                        .mask = UINT32_C(1) << i,
                        .heard = nunits - 1,
                        .routes = &eib->board->plan->routes[i * nunits]};
  }
  for (unsigned i = 0; i < parameters->nrings; i++) {
    ring_init(&eib->rings[i]);
    enum route_way way = i < parameters->eib_rings_clockwise ? ROUTE_CLOCKWISE : ROUTE_BACK;
    eib->by_age[route_ring(way, i)] = &eib->rings[i];
    eib->by_age[route_ring_alone(parameters, i)] = &eib->rings[i];
  }
}

/* --- the choice of a ring --- */

/* Return the first cycle, not before now, at which a transfer along PATH may start to an off-ramp, free from
 * cycle RECEIVER on. */
static inline uint64_t earliest_along(const struct ring_path *path, uint64_t receiver) {
  uint64_t now = des_now();
  return receiver > now + path->travel ? receiver - path->travel : now;
}

/* Replace *BEST if a transfer along PATH can start earlier, not before EARLIEST, on one of the rings from
 * PLACE on in by_age, or at the same cycle on a ring that has been idle longer. */
static inline void improve(const struct ring_plan *plan, const struct ring_path *path, struct ring **place,
                           uint64_t earliest, struct choice *best) {
  uint64_t at = UINT64_MAX;
  for (; *place && at != earliest; place++) { /* else a younger one cannot be better */
    const struct ring *ring = *place;
    if (ring->free_at <= best->at) {
      at = ring_ready(plan, ring, path, earliest);
      if (at < best->at || (at == best->at && ring->next_start < (*best->ring)->next_start)) {
        *best = (struct choice){.at = at, .path = path, .ring = place};
      }
    }
  }
}

/* Find the ring on which a transfer along ROUTE, from a free on-ramp to an off-ramp that is free at cycle
 * RECEIVER, can start first; of equal rings the ring that has been idle longest. */
static inline struct choice choose(struct eib *eib, const struct route *route, uint64_t receiver) {
  const struct ring_path *path = &route->paths[0], *other = &route->paths[1];
  struct ring **oldest = &eib->by_age[path->way];
  uint64_t earliest = earliest_along(path, receiver);
  struct choice best = {.at = ring_ready(eib->plan, *oldest, path, earliest), .path = path, .ring = oldest};
  if (best.at != earliest) {
    improve(eib->plan, path, oldest + 1, earliest, &best);
  }
  if (other->hops != ROUTE_NONE) {
    improve(eib->plan, other, &eib->by_age[other->way], earliest_along(other, receiver), &best);
  }
  return best;
}

/* The ring at PLACE in by_age has just been started. Of rings started in the same cycle the lowest number
 * comes first. */
static inline void make_youngest(struct ring **place) {
  struct ring *ring = *place;
  for (; place[1] && (place[1] < ring || place[1]->next_start != ring->next_start); place++) {
    place[0] = place[1];
  }
  *place = ring;
}

/* --- grants --- */

/* Return the first cycle, not before EARLIEST, at which the oldest request of SENDER is ready and the on-ramp
 * of SENDER is free. */
static inline uint64_t earliest_start(const struct eib_unit *sender, uint64_t earliest) {
  uint64_t ready = sender->first->event.at;
  return rate_server_ready(&sender->on_ramp, MAX(ready, earliest));
}

/* Look at SENDER at cycle AT. */
static inline void look_later(struct eib_unit *sender, uint64_t at) {
  des_schedule_again(&sender->event, at);
}

/* Take the oldest request out of the queue of SENDER; the next one cannot start in the same cycle. */
static inline void dequeue(struct eib_unit *sender) {
  struct bus_request *next = sender->first->next;
  sender->first = next;
  if (next) {
    next->before = NULL;
    look_later(sender, earliest_start(sender, des_now() + 1));
  } else {
    sender->latest = NULL;
  }
}

/* Return how many bus requests with ready data are in the queue of SENDER. */
static unsigned queued(const struct eib_unit *sender) {
  unsigned count = 0;
  const struct bus_request *request = sender->first;
  for (; request && request->event.at <= des_now(); request = request->next) {
    count++;
  }
  return count;
}

/* Tell the observers about the start of the oldest request of SENDER as in CHOICE. */
static void see_grant(const struct eib_unit *sender, const struct choice *choice) {
  const struct eib *eib = sender->eib;
  const struct bus_request *request = sender->first;
  board_tell(eib->board, &(struct probe_event){.kind = PROBE_GRANT,
                                               .grant = {.request = bus_request_name(request),
                                                         .chip = eib->chip,
                                                         .ring = (unsigned)(*choice->ring - eib->rings),
                                                         .from = request->from,
                                                         .to = request->to,
                                                         .hops = choice->path->hops,
                                                         .queued = queued(sender),
                                                         .waited = des_now() - request->event.at}});
}

/* Start the oldest request of SENDER, to RECEIVER, as in CHOICE. */
static inline void grant(struct eib_unit *sender, struct eib_unit *receiver, const struct choice *choice) {
  struct eib *eib = sender->eib;
  struct bus_request *request = sender->first;
  struct rate_interval interval = eib->parameters->ramp_interval;
  uint64_t now = des_now();
  if (board_is_followed(eib->board)) {
    see_grant(sender, choice);
  }
  rate_server_take(&sender->on_ramp, now, interval);
  rate_server_take(&receiver->off_ramp, now + choice->path->travel, interval);
  uint64_t end = ring_start(eib->plan, *choice->ring, choice->path, now);
  make_youngest(choice->ring);
  eib->last = receiver->heard = sender->number;
  dequeue(sender);
  bus_request_granted(request, end);
}

/* --- turns --- */

/* Return the receiver of the oldest request of SENDER. */
static inline struct eib_unit *receiver_of(const struct eib_unit *sender) {
  return &sender->eib->units[sender->first->to];
}

/* Tell whether RECEIVER will be busy for longer than the longest way takes; then the arbiter looks at SENDER
 * again when RECEIVER is free. */
static inline bool is_too_early(struct eib_unit *sender, const struct eib_unit *receiver) {
  uint64_t longest = sender->eib->longest_travel, free = receiver->off_ramp.ready;
  bool too_early = free > des_now() + longest;
  if (too_early) {
    look_later(sender, free - longest);
  }
  return too_early;
}

/* Grant the oldest request of SENDER if the request can start now; in any case note the cycle of the next
 * look at SENDER. */
static void look_at(struct eib_unit *sender, struct eib_unit *receiver) {
  uint64_t free = receiver->off_ramp.ready;
  struct choice choice = choose(sender->eib, &sender->routes[receiver->number], free);
  if (choice.at == des_now()) {
    if (receiver->claimers) {
      receiver->claimers &= ~sender->mask;
    }
    grant(sender, receiver, &choice);
  } else {
    bool claims = choice.at + choice.path->travel == free;
    receiver->claimers = (receiver->claimers & ~sender->mask) | (claims ? sender->mask : 0);
    look_later(sender, choice.at);
  }
}

/* Return the units of the non-empty set SENDERS with the oldest data. */
static uint32_t __attribute__((noinline)) with_oldest_data(const struct eib *eib, uint32_t senders) {
  uint64_t ready = UINT64_MAX;
  uint32_t oldest = 0;
  for (uint32_t rest = senders; rest; rest &= rest - 1) {
    const struct eib_unit *sender = &eib->units[__builtin_ctz(rest)];
    uint64_t at = sender->first->event.at;
    oldest = at < ready ? 0 : oldest;
    LOWER(ready, at);
    oldest |= at == ready ? sender->mask : 0;
  }
  return oldest;
}

/* Return the unit of SENDERS, all senders to RECEIVER, whose turn comes first at RECEIVER. */
static inline struct eib_unit *turn_at(const struct eib_unit *receiver, uint32_t senders) {
  struct eib *eib = receiver->eib;
  if (receiver->mask == eib->priority) {
    senders = with_oldest_data(eib, senders);
  }
  return &eib->units[arbiter_next(senders, eib->priority, receiver->heard)];
}

/* Tell whether RECEIVER is kept for a unit whose turn comes before the turn of SENDER. */
static inline bool is_passed_over(const struct eib_unit *sender, const struct eib_unit *receiver) {
  return receiver->claimers && turn_at(receiver, receiver->claimers | sender->mask) != sender;
}

/* Look at the units DUE in the order of their turns. */
static void look_at_all(struct eib *eib, uint32_t due) {
  unsigned last = eib->last;
  while (due) {
    struct eib_unit *sender = &eib->units[arbiter_next(due, eib->priority, last)];
    struct eib_unit *receiver = receiver_of(sender);
    if (receiver->due != sender->mask) {
      sender = turn_at(receiver, receiver->due);
    }
    due &= ~sender->mask;
    receiver->due &= ~sender->mask;
    if (is_passed_over(sender, receiver)) {
      receiver->passed_over |= sender->mask;
    } else if (!is_too_early(sender, receiver)) {
      look_at(sender, receiver);
    }
  }
}

/* Return the units to look at when the cycle of SENDER comes: SENDER, and the units passed over for the
 * receiver of SENDER. */
static uint32_t due_with(struct eib_unit *sender) {
  struct eib_unit *receiver = receiver_of(sender);
  if (is_too_early(sender, receiver)) {
    return 0;
  }
  uint32_t due = receiver->passed_over | sender->mask;
  receiver->passed_over = 0;
  receiver->due |= due;
  return due;
}

/* The cycle of the units of EVENT and OTHER, or only of EVENT, has come: look at these units, at all other
 * units of the chip whose cycle has come, and at the units passed over for their receivers. */
static void __attribute__((noinline)) look_at_several(struct event *event, struct event *other) {
  struct eib_unit *sender = EVENT_OWNER(event, struct eib_unit, event);
  uint32_t due = due_with(sender);
  for (; other; other = des_take_same(event)) {
    due |= due_with(EVENT_OWNER(other, struct eib_unit, event));
  }
  look_at_all(sender->eib, due);
}

/* The cycle of a unit has come, nearly always of a single unit for whose receiver nobody else waits. */
static void look_at_due(struct event *event) {
  struct eib_unit *sender = EVENT_OWNER(event, struct eib_unit, event), *receiver = receiver_of(sender);
  struct event *other = des_take_same(event);
  if (other || receiver->claimers | receiver->passed_over) {
    look_at_several(event, other);
  } else if (!is_too_early(sender, receiver)) {
    look_at(sender, receiver);
  }
}

/* --- on-ramps --- */

/* Put REQUEST, which is the only request or comes before the latest request, in its place in the queue of
 * SENDER. */
static void __attribute__((noinline)) enqueue(struct eib_unit *sender, struct bus_request *request) {
  struct bus_request *before = sender->latest, *after = NULL;
  while (before && event_is_before(&request->event, &before->event)) {
    after = before;
    before = before->before;
  }
  request->before = before;
  request->next = after;
  *(before ? &before->next : &sender->first) = request;
  *(after ? &after->before : &sender->latest) = request;
  if (sender->first == request) {
    if (after) { /* not looked at yet: the data is not ready before the data of REQUEST */
      des_cancel(&sender->event);
    }
    look_later(sender, earliest_start(sender, des_now()));
  }
}

void eib_send(struct eib *eib, struct bus_request *request) {
  struct eib_unit *sender = &eib->units[request->from];
  struct bus_request *latest = sender->latest;
  if (!latest || event_is_before(&request->event, &latest->event)) {
    enqueue(sender, request);
  } else { /* nearly always */
    request->before = latest;
    request->next = NULL;
    sender->latest = latest->next = request;
  }
}
