/* SPDX-License-Identifier: BSD-3-Clause
 * See command_bus.h.
 *
 * source: Kistler, Perrone, Petrini 2006. */
#include "sim/hw/command_bus.h"

#include "sim/base/des.h"
#include "sim/hw/arbiter.h"
#include "sim/hw/blade.h"
#include "sim/hw/dma.h"

static void run(struct event *event);

void
command_bus_init(struct command_bus *bus, const struct blade *blade, unsigned chip)
{
  *bus = (struct command_bus){.blade = blade, .chip = chip};
  command_bus_reset(bus);
}

void
command_bus_reset(struct command_bus *bus)
{
  bus->event = (struct event){.run = run};
  for (unsigned unit = 0; unit < RING_UNITS_MAX; unit++) {
    bus->askers[unit].unit = unit;
    bus->askers[unit].from = UINT64_MAX;
  }
  bus->later = (struct command_bus_asker){.next = NULL};
  bus->latest = &bus->later;
  bus->due = 0;
  bus->last = bus->blade->figures.ring.nunits - 1;
  bus->free_at = 0;
}

/* Return the first cycle, not before FROM, at which BUS is free. */
static inline uint64_t
free_from(const struct command_bus *bus, uint64_t from)
{
  uint64_t now = des_now(), earliest = now > bus->free_at ? now : bus->free_at;
  return from > earliest ? from : earliest;
}

/* Put ASKER, which wants BUS from cycle FROM on, after now, in its place: nearly always the last one. */
static void
put_off(struct command_bus *bus, struct command_bus_asker *asker, uint64_t from)
{
  struct command_bus_asker *before = bus->latest;
  asker->from = from;
  if (before->from <= from) {
    bus->latest = asker;
  } else {
    before = &bus->later;
    while (before->next->from <= from) {
      before = before->next;
    }
  }
  asker->next = before->next;
  before->next = asker;
}

/* Take the one behind BEFORE out of the list of those that are not due.
 * returns: it. */
static inline struct command_bus_asker *
take_after(struct command_bus *bus, struct command_bus_asker *before)
{
  struct command_bus_asker *asker = before->next;
  before->next = asker->next;
  bus->latest = asker->next ? bus->latest : before;
  return asker;
}

/* Note that ASKER wants BUS from cycle FROM on. */
static inline void
want(struct command_bus *bus, struct command_bus_asker *asker, uint64_t from)
{
  if (from > des_now()) {
    put_off(bus, asker, from);
  } else {
    asker->from = 0;
    bus->due |= UINT32_C(1) << asker->unit;
  }
}

void
command_bus_ask(struct command_bus *bus, unsigned unit, uint64_t from)
{
  struct command_bus_asker *asker = &bus->askers[unit];
  if (from < asker->from) {
    command_bus_withdraw(bus, unit);
    want(bus, asker, from);
    uint64_t at = free_from(bus, from);
    if (bus->event.pending && bus->event.at > at) {
      des_cancel(&bus->event);
    }
    if (!bus->event.pending) {
      des_schedule(&bus->event, at, DES_COMMAND, bus->chip);
    }
  }
}

void
command_bus_withdraw(struct command_bus *bus, unsigned unit)
{
  struct command_bus_asker *asker = &bus->askers[unit];
  if (asker->from > des_now() && asker->from != UINT64_MAX) {
    struct command_bus_asker *before = &bus->later;
    while (before->next != asker) {
      before = before->next;
    }
    take_after(bus, before)->from = UINT64_MAX;
  }
}

/* Choose whose turn it is: nearly always a single one's.
 * returns: it; NULL if nobody is due. */
static struct command_bus_asker *
choose(struct command_bus *bus)
{
  uint64_t now = des_now();
  struct command_bus_asker *first = bus->later.next;
  bool come = first && first->from <= now;
  if (come && !bus->due && (!first->next || first->next->from > now)) {
    return take_after(bus, &bus->later);
  }
  for (; come; come = first && first->from <= now) {
    want(bus, take_after(bus, &bus->later), now);
    first = bus->later.next;
  }
  if (!bus->due) {
    return NULL;
  }
  unsigned unit = arbiter_next(bus->due, 0, bus->last);
  bus->due &= ~(UINT32_C(1) << unit);
  return &bus->askers[unit];
}

static void
run(struct event *event)
{
  struct command_bus *bus = EVENT_OWNER(event, struct command_bus, event);
  const struct figures *figures = &bus->blade->figures;
  struct command_bus_asker *asker = choose(bus);
  if (asker) {
    bool coherent = dma_granted(asker->dma);
    uint64_t again = dma_issues_from(asker->dma);
    bus->last = asker->unit;
    bus->free_at = des_now() + (coherent ? figures->coherent_interval : figures->command_interval);
    asker->from = UINT64_MAX;
    if (again != UINT64_MAX) {
      want(bus, asker, again);
    }
  }
  if (bus->due || bus->later.next) {
    uint64_t at = free_from(bus, bus->due ? 0 : bus->later.next->from);
    des_schedule(event, at, DES_COMMAND, bus->chip);
  }
}
