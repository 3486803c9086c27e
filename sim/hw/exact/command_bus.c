/* SPDX-License-Identifier: BSD-3-Clause
 * See command_bus.h.
 *
 * source: Kistler, Perrone, Petrini 2006. */
#include "sim/hw/exact/command_bus.h"

#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"
#include "sim/hw/board/board.h"
#include "sim/hw/bus/arbiter.h"
#include "sim/hw/exact/exact_bus.h"

static void run(struct event *event);

void command_bus_reset(struct command_bus *bus) {
  bus->event = (struct event){.run = run, .order = des_order(DES_COMMAND, bus->chip)};
  for (unsigned unit = 0; unit < RING_UNITS_MAX; unit++) {
    bus->askers[unit].unit = unit;
    bus->askers[unit].from = UINT64_MAX;
  }
  bus->later = (struct command_bus_asker){.next = &bus->later, .before = &bus->later, .from = UINT64_MAX};
  bus->due = 0;
  bus->last = bus->board->parameters->ring.nunits - 1;
  bus->free_at = 0;
}

/* Note that ASKER, without an earlier note, wants BUS from cycle FROM on, which may be over; UINT64_MAX:
 * ASKER does not want BUS. */
static inline void want(struct command_bus *bus, struct command_bus_asker *asker, uint64_t from) {
  asker->from = from;
  if (from <= des_now()) {
    bus->due |= UINT32_C(1) << asker->unit;
  } else if (from != UINT64_MAX) {
    struct command_bus_asker *before = bus->later.before; /* nearly always */
    while (before->from > from && before != &bus->later) {
      before = before->before;
    }
    asker->before = before;
    asker->next = before->next;
    before->next->before = asker;
    before->next = asker;
  }
}

/* Tell whether ASKER is in the list of askers that are not due. An asker of the list that has become due
 * since counts as well. */
static inline bool is_later(const struct command_bus_asker *asker) {
  return asker->from > des_now() && asker->from != UINT64_MAX;
}

/* Take ASKER out of the list of askers that are not due. */
static inline void take_out(struct command_bus_asker *asker) {
  asker->before->next = asker->next;
  asker->next->before = asker->before;
}

/* Let BUS serve the next asker, if anybody wants BUS, as soon as BUS is free and wanted. */
static inline void schedule(struct command_bus *bus) {
  if (bus->due || bus->later.next != &bus->later) {
    uint64_t from = bus->due ? des_now() : bus->later.next->from;
    des_schedule_again(&bus->event, MAX(from, bus->free_at));
  }
}

void command_bus_ask(struct command_bus *bus, unsigned unit, uint64_t from) {
  struct command_bus_asker *asker = &bus->askers[unit];
  if (from >= asker->from) {
    return;
  }
  if (is_later(asker)) {
    take_out(asker);
  }
  want(bus, asker, from);
  if (bus->event.pending && bus->event.at > from && bus->event.at > bus->free_at) {
    des_cancel(&bus->event);
  }
  if (!bus->event.pending) {
    schedule(bus);
  }
}

void command_bus_withdraw(struct command_bus *bus, unsigned unit) {
  struct command_bus_asker *asker = &bus->askers[unit];
  if (is_later(asker)) {
    take_out(asker);
    asker->from = UINT64_MAX;
    des_cancel(&bus->event);
    schedule(bus);
  }
}

/* Choose the next of the askers that are due; at least one asker is due, and nearly always only one. */
static inline struct command_bus_asker *choose(struct command_bus *bus) {
  uint64_t now = des_now();
  struct command_bus_asker *first = bus->later.next;
  if (first->from <= now && first->next->from > now && !bus->due) {
    take_out(first);
    return first;
  }
  for (; first->from <= now; first = bus->later.next) {
    take_out(first);
    bus->due |= UINT32_C(1) << first->unit;
  }
  unsigned unit = arbiter_next(bus->due, 0, bus->last);
  bus->due &= ~(UINT32_C(1) << unit);
  return &bus->askers[unit];
}

static void run(struct event *event) {
  struct command_bus *bus = EVENT_OWNER(event, struct command_bus, event);
  struct bus_request *request;
  do {
    struct command_bus_asker *asker = choose(bus);
    request = exact_bus_issue(asker->dma); /* NULL: another asker has taken the last credit of the chip */
    if (__builtin_expect(request != NULL, 1)) {
      bus->last = asker->unit;
      bus->free_at = des_now() + request->transfer->interval;
    }
    want(bus, asker, exact_bus_wanted_from(asker->dma)); /* its next bus request */
  } while (__builtin_expect(!request, 0) && (bus->due || bus->later.next->from <= des_now()));
  schedule(bus);
  if (request) {
    bus_request_start(request);
  }
}
