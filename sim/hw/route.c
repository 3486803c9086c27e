/* SPDX-License-Identifier: BSD-3-Clause
 * See route.h.
 *
 * Positions on a ring count in its direction of travel: those of counter-clockwise rings are mirrored. */
#include "sim/hw/route.h"

#include "sim/base/xalloc.h"

struct route *
routes_new(const struct ring_figures *figures)
{
  unsigned n = figures->nunits;
  struct route *routes = xcalloc_lines(n * n, sizeof *routes);
  for (unsigned from = 0; from < n; from++) {
    for (unsigned to = 0; to < n; to++) {
      struct route *route = &routes[from * n + to];
      route->paths[ROUTE_CLOCKWISE] = ring_path(figures, from, (to + n - from) % n);
      route->paths[ROUTE_BACK] = ring_path(figures, (n - from) % n, (from + n - to) % n);
    }
  }
  return routes;
}
