/* SPDX-License-Identifier: BSD-3-Clause
 * The routes from unit to unit on the rings of a chip; all chips have the same routes. */
#pragma once

#include "sim/hw/bus/ring.h"

enum route_way {
  ROUTE_CLOCKWISE,
  ROUTE_BACK,
  ROUTE_WAYS,
};

/* From one unit to another unit: the short way round, or both ways if the ways are equally long, as between
 * opposite units. */
struct route {
  struct ring_path paths[ROUTE_WAYS]; /* hops are ROUTE_NONE if the route has no second way */
};

enum { ROUTE_NONE = UINT16_MAX };

/* Lists of rings, one behind the other: the clockwise rings, the rings of the other way, then each ring
 * alone. Each list has one place more, for its end. Return the place of ring NUMBER in the list of its WAY,
 * or alone. */
static inline unsigned route_ring(enum route_way way, unsigned number) {
  return number + way;
}

static inline unsigned route_ring_alone(const struct parameters *parameters, unsigned number) {
  return parameters->nrings + ROUTE_WAYS + 2 * number;
}

/* Return the routes between all units: the route from unit f to unit t of n at [f * n + t].
 * owner: the caller, who frees the routes. */
struct route *routes_new(const struct parameters *parameters);
