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
    bus->askers[unit].from = UINT64_MAX;
  }
  bus->first = NULL;
  bus->due = 0;
  bus->last = bus->blade->figures.ring.nunits - 1;
  bus->free_at = 0;
}

/* Let BUS run at cycle FROM, or as soon after it as it is free, at the latest. */
static void
run_by(struct command_bus *bus, uint64_t from)
{
  uint64_t at = from > bus->free_at ? from : bus->free_at;
  if (bus->event.pending) {
    if (bus->event.at <= at) {
      return;
    }
    des_cancel(&bus->event);
  }
  des_schedule(&bus->event, at, DES_COMMAND, bus->chip);
}

/* Put ASKER, which wants BUS from cycle FROM on, after now, in its place: nearly always the last one. */
static void
put_off(struct command_bus *bus, struct command_bus_asker *asker, uint64_t from)
{
  bool is_last = bus->first && bus->latest->from <= from;
  struct command_bus_asker **link = is_last ? &bus->latest->next : &bus->first;
  while (*link && (*link)->from <= from) {
    link = &(*link)->next;
  }
  asker->from = from;
  asker->next = *link;
  *link = asker;
  if (!asker->next) {
    bus->latest = asker;
  }
}

/* Let ASKER, which is not due, want BUS no more. */
static void
forget(struct command_bus *bus, struct command_bus_asker *asker)
{
  struct command_bus_asker *before = NULL;
  for (struct command_bus_asker *other = bus->first; other != asker; other = other->next) {
    before = other;
  }
  *(before ? &before->next : &bus->first) = asker->next;
  bus->latest = asker->next ? bus->latest : before;
  asker->from = UINT64_MAX;
}

/* Note that UNIT wants BUS from cycle FROM on. */
static inline void
want(struct command_bus *bus, unsigned unit, uint64_t from)
{
  struct command_bus_asker *asker = &bus->askers[unit];
  if (from > des_now()) {
    put_off(bus, asker, from);
  } else {
    asker->from = 0;
    bus->due |= UINT32_C(1) << unit;
  }
}

void
command_bus_ask(struct command_bus *bus, unsigned unit, uint64_t from)
{
  struct command_bus_asker *asker = &bus->askers[unit];
  uint64_t now = des_now();
  if (from < asker->from) {
    command_bus_withdraw(bus, unit);
    want(bus, unit, from);
    run_by(bus, from > now ? from : now);
  }
}

void
command_bus_withdraw(struct command_bus *bus, unsigned unit)
{
  struct command_bus_asker *asker = &bus->askers[unit];
  if (asker->from > des_now() && asker->from != UINT64_MAX) {
    forget(bus, asker);
  }
}

/* Let UNIT, which is due, issue a bus request. */
static void
serve(struct command_bus *bus, unsigned unit)
{
  const struct figures *figures = &bus->blade->figures;
  struct command_bus_asker *asker = &bus->askers[unit];
  bool coherent = dma_granted(asker->dma);
  uint64_t again = dma_issues_from(asker->dma);
  bus->last = unit;
  bus->free_at = des_now() + (coherent ? figures->coherent_interval : figures->command_interval);
  bus->due &= ~(UINT32_C(1) << unit);
  asker->from = UINT64_MAX;
  if (again != UINT64_MAX) {
    want(bus, unit, again);
  }
}

static void
run(struct event *event)
{
  struct command_bus *bus = EVENT_OWNER(event, struct command_bus, event);
  uint64_t now = des_now();
  for (; bus->first && bus->first->from <= now; bus->first = bus->first->next) {
    bus->first->from = 0;
    bus->due |= UINT32_C(1) << (bus->first - bus->askers);
  }
  if (bus->due) {
    serve(bus, arbiter_next(bus->due, 0, bus->last));
  }
  if (bus->due || bus->first) {
    run_by(bus, bus->due ? now : bus->first->from);
  }
}
