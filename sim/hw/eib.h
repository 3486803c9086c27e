/* SPDX-License-Identifier: BSD-3-Clause
 * The element interconnect bus of one chip: command bus, on-ramps and off-ramps, data arbiter, rings. */
#pragma once

#include "sim/base/wheel.h"
#include "sim/hw/calendar.h"
#include "sim/hw/command_bus.h"
#include "sim/hw/pace.h"
#include "sim/hw/ring.h"
#include "sim/hw/route.h"

#include <stdint.h>

struct blade;
struct bus_request;

enum { EIB_RINGS_MAX = 16 };

/* Data that is, or will be, ready to be sent: in the order in which it becomes ready. */
struct eib_queue {
  struct bus_request *first, *last;
};

/* What the data arbiter knows of a unit: one cache line. */
struct eib_unit {
  _Alignas(64) struct eib_queue queue;
  uint64_t not_before; /* its oldest request cannot start earlier */
  struct pace on_ramp, off_ramp;
  const struct route *routes; /* from here, by receiver */
};

struct eib {
  struct blade *blade;
  unsigned chip;
  struct command_bus command_bus;
  struct event arbitration;
  struct calendar calendar;                           /* when to look at which unit */
  uint32_t passed_over;                               /* units to look at when the arbiter runs again */
  uint32_t priority;                                  /* units served before all others (memory controller) */
  unsigned last;                                      /* unit granted last */
  uint32_t claimers[RING_UNITS_MAX];                  /* of a receiver: units that only wait for it */
  struct ring *by_age[ROUTE_WAYS][EIB_RINGS_MAX + 1]; /* of a way, the longest idle one first, then NULL */
  struct eib_unit units[RING_UNITS_MAX];
  struct ring rings[EIB_RINGS_MAX]; /* clockwise ones first */
};

/* Make EIB the idle bus of chip CHIP of BLADE, without askers. */
void eib_init(struct eib *eib, struct blade *blade, unsigned chip);

/* Make EIB idle. */
void eib_reset(struct eib *eib);

/* Queue REQUEST, whose data will be ready at the cycle and in the order of its event, at the on-ramp of the unit where it
 * enters; bus_request_granted is called when the data arbiter has granted its transfer. */
void eib_send(struct eib *eib, struct bus_request *request);

/* Return how many bus requests with ready data are in the queue of UNIT. */
unsigned eib_queued(const struct eib *eib, unsigned unit);
