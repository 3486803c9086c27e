/* SPDX-License-Identifier: BSD-3-Clause
 * The ways from unit to unit on the rings of a chip; they are the same on all chips. */
#pragma once

#include "sim/hw/ring.h"

enum route_way {
  ROUTE_CLOCKWISE,
  ROUTE_BACK,
  ROUTE_WAYS,
};

/* From one unit to one other: the short way round, or both if they are equally long, as they are to the unit
 * opposite. */
struct route {
  struct ring_path paths[ROUTE_WAYS]; /* without a second one its hops are ROUTE_NONE */
};

enum { ROUTE_NONE = UINT16_MAX };

/* Return the routes between all units: that from unit f to unit t of n at [f * n + t].
 * owner: the caller, who frees them. */
struct route *routes_new(const struct ring_parameters *parameters);
