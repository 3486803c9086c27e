/* SPDX-License-Identifier: BSD-3-Clause
 * The command bus of one chip: it accepts one bus request per interval, round robin over the units that
 * ask. */
#pragma once

#include "sim/base/wheel.h"
#include "sim/hw/ring.h"

#include <stdint.h>

struct machine;
struct dma;

/* A unit that can ask for a command bus. */
struct command_bus_asker {
  struct dma *dma; /* who gets the bus when the unit is served */
  unsigned unit;
  uint64_t from;                           /* the cycle from which on it wants the bus; UINT64_MAX: never */
  struct command_bus_asker *next, *before; /* of those that are not due, by cycle */
};

struct command_bus {
  struct event event;
  const struct machine *machine;
  unsigned chip;
  struct command_bus_asker askers[RING_UNITS_MAX]; /* by unit */
  struct command_bus_asker
    later;       /* of no unit: behind the last, and before the first, of those that are not due */
  uint32_t due;  /* units that want the bus now */
  unsigned last; /* unit served last */
  uint64_t free_at;
};

/* Make BUS the idle command bus of chip CHIP of BLADE, without askers. */
void command_bus_init(struct command_bus *bus, const struct machine *machine, unsigned chip);

/* Make BUS idle; its askers stay. */
void command_bus_reset(struct command_bus *bus);

/* Ask for BUS on behalf of UNIT from cycle FROM on, which may be over; when it is granted, dma_issue is
 * called for its asker. Asking again while the unit still waits makes a difference only if FROM is
 * earlier. */
void command_bus_ask(struct command_bus *bus, unsigned unit, uint64_t from);

/* Take back that UNIT will ask for BUS after the current cycle, if that is so. */
void command_bus_withdraw(struct command_bus *bus, unsigned unit);
