/* SPDX-License-Identifier: BSD-3-Clause
 * The element interconnect bus of one chip: command bus, on-ramps and off-ramps, data arbiter, rings. */
#pragma once

#include "sim/base/engine/rate_server.h"
#include "sim/base/engine/wheel.h"
#include "sim/hw/bus/ring.h"
#include "sim/hw/bus/route.h"
#include "sim/hw/exact/command_bus.h"

#include <stdint.h>

struct board;
struct bus_request;

enum { EIB_RINGS_MAX = 16 };

/* The data arbiter's state of a unit, as a sender and as a receiver. */
struct eib_unit {
  _Alignas(64) struct event event; /* the oldest request of the unit may start, as far as is known */
  struct bus_request *first; /* the oldest request; requests are in the order of their data's ready cycles */
  struct rate_server on_ramp;
  struct eib *eib;
  const struct route *routes; /* from here, by receiver */
  struct bus_request *latest; /* the youngest request */
  struct rate_server off_ramp;
  uint32_t claimers; /* units whose turn has come and whose oldest request waits only for this receiver */
  /* units passed over for a claimer; the arbiter looks at these units again together with the claimer */
  uint32_t passed_over;
  uint32_t due;   /* senders to this receiver that the arbiter looks at now */
  unsigned heard; /* sender of the last granted transfer to this receiver */
  unsigned number;
  uint32_t mask; /* the bit of the number */
};

struct eib {
  struct board *board;
  const struct parameters *parameters;
  const struct ring_plan *plan; /* of the rings of this chip */
  unsigned chip;
  unsigned last;           /* unit granted last */
  uint64_t longest_travel; /* cycles over as many hops as are allowed */
  uint32_t priority;       /* units served before all others (memory controller) */
  /* the rings of each way, the longest idle ring first, then NULL; each ring alone, if bound: see route.h */
  struct ring *by_age[3 * EIB_RINGS_MAX + ROUTE_WAYS];
  struct command_bus command_bus;
  struct ring *rings;      /* clockwise ones first; behind the units */
  struct eib_unit units[]; /* as many as the ring has */
};

/* Return the bus of chip CHIP of BOARD, without askers; eib_reset must follow.
 * owner: the caller, who frees the bus. */
struct eib *eib_new(struct board *board, unsigned chip);

/* Make EIB idle. */
void eib_reset(struct eib *eib);

/* Queue REQUEST at the on-ramp of its entry unit; the data of REQUEST will be ready at the cycle and in the
 * order of its event. The arbiter calls bus_request_granted when the transfer is granted. */
void eib_send(struct eib *eib, struct bus_request *request);
