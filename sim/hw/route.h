/* SPDX-License-Identifier: BSD-3-Clause
 * The ways from unit to unit on the rings of a chip; they are the same on all chips. */
#pragma once

#include "sim/hw/ring.h"

#include <stdbool.h>

struct figures;

enum route_way {
  ROUTE_CLOCKWISE,
  ROUTE_BACK,
  ROUTE_WAYS,
};

/* From one unit to one other. */
struct route {
  _Alignas(64) struct ring_path paths[ROUTE_WAYS];
  bool allowed[ROUTE_WAYS]; /* no more hops than the limit */
};

struct routes {
  struct route between[RING_UNITS_MAX][RING_UNITS_MAX]; /* [sender][receiver] */
};

/* Return the routes between all units.
 * owner: the caller, who frees them. */
struct routes *routes_new(const struct figures *figures);
