/* SPDX-License-Identifier: BSD-3-Clause
 * The command bus of one chip: it accepts one bus request per interval, round robin over the units that ask. */
#pragma once

#include "sim/base/wheel.h"
#include "sim/hw/ring.h"

#include <stdint.h>

struct blade;
struct dma;

struct command_bus {
  struct event event;
  const struct blade *blade;
  unsigned chip;
  struct dma *requesters[RING_UNITS_MAX]; /* who gets the bus when a unit is served */
  uint32_t asking;                        /* units */
  unsigned last;                          /* unit served last */
  uint64_t free_at;
};

/* Make BUS the idle command bus of chip CHIP of BLADE, without requesters. */
void command_bus_init(struct command_bus *bus, const struct blade *blade, unsigned chip);

/* Make BUS idle; its requesters stay. */
void command_bus_reset(struct command_bus *bus);

/* Ask for BUS on behalf of UNIT; when it is granted, dma_granted is called for the unit's requester. Asking again while the
 * unit still waits changes nothing. */
void command_bus_ask(struct command_bus *bus, unsigned unit);
