/* SPDX-License-Identifier: BSD-3-Clause
 * The command bus of one chip: accepts one bus request per interval, round robin over the asking units. */
#pragma once

#include "sim/base/engine/wheel.h"
#include "sim/hw/bus/ring.h"

#include <stdint.h>

struct board;
struct dma;

/* A unit that can ask for a command bus. */
struct command_bus_asker {
  struct dma *dma; /* the asker that gets the bus when the unit is served */
  unsigned unit;
  /* the cycle from which on the unit wants the bus; UINT64_MAX: never */
  uint64_t from;
  struct command_bus_asker *next, *before; /* in the list of askers that are not due, by cycle */
};

/* At first with nothing but the board and the chip; then command_bus_reset. */
struct command_bus {
  struct event event;
  const struct board *board;
  unsigned chip;
  struct command_bus_asker askers[RING_UNITS_MAX]; /* by unit */
  struct command_bus_asker
    later;       /* of no unit: behind the last, and before the first, asker that is not due */
  uint32_t due;  /* units that want the bus now */
  unsigned last; /* unit served last */
  uint64_t free_at;
};

/* Make BUS idle; its askers stay. */
void command_bus_reset(struct command_bus *bus);

/* Ask for BUS on behalf of UNIT from cycle FROM on, which may be over; the grant calls exact_bus_issue for
 * the unit's asker. A second request while the unit still waits makes a difference only if FROM is
 * earlier. */
void command_bus_ask(struct command_bus *bus, unsigned unit, uint64_t from);

/* Take back a request of UNIT for a cycle after the current cycle, if there is one. */
void command_bus_withdraw(struct command_bus *bus, unsigned unit);
