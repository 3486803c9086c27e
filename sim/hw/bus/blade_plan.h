/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of a platform in the units of the machine, and tables made of these parameters, shared by
 * all blades of equal platforms. */
#pragma once

#include "platform/parameters.h"
#include "sim/hw/board/chip_ways.h"
#include "sim/hw/bus/bus.h"

#include <sys/queue.h>

struct platform;
struct ring_plan;
struct route;

struct blade_plan {
  struct parameters parameters;
  /* by the bytes of a bus request: the time for which the request takes a link */
  struct rate_interval link_intervals[BUS_REQUEST_BYTES_MAX + 1];
  struct ring_plan *ring_plan; /* of all rings */
  struct route *routes;        /* on the rings of each chip: see routes_new */
  struct chip_ways ways;       /* from chip to chip */
  uint64_t checksum;           /* of the platform */
  LIST_ENTRY(blade_plan) others;
  unsigned nusers;
};

/* Return the plan of blades of PLATFORM, made on the first call.
 * owner: all callers; each calls blade_plan_release. */
struct blade_plan *blade_plan_share(const struct platform *platform);

/* Give PLAN back; the last user frees PLAN. */
void blade_plan_release(struct blade_plan *plan);
