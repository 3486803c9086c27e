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
  bus->asking = 0;
  bus->last = bus->blade->figures.ring.nunits - 1;
  bus->free_at = 0;
}

static void
schedule(struct command_bus *bus)
{
  uint64_t now = des_now();
  des_schedule(&bus->event, now > bus->free_at ? now : bus->free_at, DES_COMMAND, bus->chip);
}

void
command_bus_ask(struct command_bus *bus, unsigned unit)
{
  bus->asking |= UINT32_C(1) << unit;
  if (!bus->event.pending) {
    schedule(bus);
  }
}

static void
run(struct event *event)
{
  struct command_bus *bus = EVENT_OWNER(event, struct command_bus, event);
  const struct figures *figures = &bus->blade->figures;
  unsigned unit = arbiter_next(bus->asking, 0, bus->last);
  bus->asking &= ~(UINT32_C(1) << unit);
  bus->last = unit;
  bool coherent = dma_granted(bus->requesters[unit]);
  bus->free_at = des_now() + (coherent ? figures->coherent_interval : figures->command_interval);
  dma_pump(bus->requesters[unit]);
  if (bus->asking && !bus->event.pending) {
    schedule(bus);
  }
}
