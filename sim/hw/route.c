/* SPDX-License-Identifier: BSD-3-Clause
 * See route.h.
 *
 * Positions on a ring count in its direction of travel: those of counter-clockwise rings are mirrored. */
#include "sim/hw/route.h"

#include "sim/base/xalloc.h"
#include "sim/hw/figures.h"

struct routes *
routes_new(const struct figures *figures)
{
  const struct ring_figures *ring = &figures->ring;
  unsigned n = ring->nunits;
  struct routes *routes = xcalloc_lines(1, sizeof *routes);
  for (unsigned from = 0; from < n; from++) {
    for (unsigned to = 0; to < n; to++) {
      struct route *route = &routes->between[from][to];
      route->paths[ROUTE_CLOCKWISE] = ring_path(ring, from, (to + n - from) % n);
      route->paths[ROUTE_BACK] = ring_path(ring, (n - from) % n, (from + n - to) % n);
      for (unsigned way = 0; way < ROUTE_WAYS; way++) {
        route->allowed[way] = route->paths[way].hops <= figures->max_hops;
      }
    }
  }
  return routes;
}
