/* SPDX-License-Identifier: BSD-3-Clause
 * See route.h.
 *
 * Positions on a ring count in the ring's direction of travel: positions of counter-clockwise rings are
 * mirrored. */
#include "sim/hw/bus/route.h"

#include "sim/base/xalloc.h"

/* Return the path of HOPS hops from UNIT round WAY. */
static struct ring_path path_round(const struct parameters *parameters, unsigned unit, unsigned hops,
                                   enum route_way way) {
  unsigned n = parameters->ring.nunits, clockwise = parameters->eib_rings_clockwise;
  unsigned first = way == ROUTE_CLOCKWISE ? 0 : clockwise, neighbours = parameters->eib_bound_neighbours;
  unsigned nrings = way == ROUTE_CLOCKWISE ? clockwise : parameters->eib_rings_counterclockwise;
  struct ring_path path = ring_path(&parameters->ring, way == ROUTE_CLOCKWISE ? unit : n - 1 - unit, hops);
  path.way = (uint16_t)(neighbours ? route_ring_alone(parameters, first + unit / neighbours % nrings)
                                   : route_ring(way, first));
  return path;
}

struct route *routes_new(const struct parameters *parameters) {
  unsigned n = parameters->ring.nunits;
  struct route *routes = xcalloc_lines(n * n, sizeof *routes);
  for (unsigned from = 0; from < n; from++) {
    for (unsigned to = 0; to < n; to++) {
      struct ring_path *path = routes[from * n + to].paths;
      unsigned clockwise = (to + n - from) % n, back = (from + n - to) % n;
      path[1].hops = ROUTE_NONE;
      if (clockwise <= back) {
        *path++ = path_round(parameters, from, clockwise, ROUTE_CLOCKWISE);
      }
      if (back <= clockwise) {
        *path = path_round(parameters, from, back, ROUTE_BACK);
      }
    }
  }
  return routes;
}
