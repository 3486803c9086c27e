/* SPDX-License-Identifier: BSD-3-Clause
 * See fabric.h. */
#include "sim/net/fabric.h"

#include "platform/network_shape.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/net/fabric_routes.h"

#include <assert.h>
#include <stdlib.h>

/* All hosts on one switch: a link up from each of them, then a link down to each. */
static void
join_by_switch(struct fabric *fabric, const struct platform *platform)
{
  fabric->nlinks = 2 * (size_t)fabric->nhosts;
  fabric->links = xcalloc(fabric->nlinks, sizeof *fabric->links);
  for (unsigned i = 0; i < fabric->nlinks; i++) {
    bool down = i >= fabric->nhosts;
    unsigned host = down ? i - fabric->nhosts : i;
    fabric->links[i] = (struct fabric_link){.name = xasprintf("n%u-%s", host, down ? "down" : "up"),
                                            .bandwidth = platform->network.bandwidth,
                                            .latency = platform->network.latency,
                                            .shared = true};
  }
}

struct fabric *
fabric_new(const struct platform *platform, uint64_t seed, struct err *err)
{
  struct network_shape shape;
  (void)seed;
  if (network_shape(platform, &shape, err)) {
    return NULL;
  }
  if (shape.kind != NETWORK_SWITCH) {
    platform_err_set(platform, "network.topology", err, "network.topology is '%.120s', expected switch",
                     platform->network.topology);
    return NULL;
  }
  struct fabric *fabric = xcalloc(1, sizeof *fabric);
  fabric->nhosts = platform->node.count;
  fabric->routes = fabric_routes_new();
  join_by_switch(fabric, platform);
  return fabric;
}

void
fabric_free(struct fabric *fabric)
{
  if (!fabric) {
    return;
  }
  for (size_t i = 0; i < fabric->nlinks; i++) {
    free(fabric->links[i].name);
  }
  free(fabric->links);
  fabric_routes_free(fabric->routes);
  free(fabric);
}

struct fabric_route
fabric_route(struct fabric *fabric, unsigned from, unsigned to)
{
  struct fabric_route route;
  assert(from < fabric->nhosts && to < fabric->nhosts);
  if (fabric_routes_find(fabric->routes, from, to, &route)) {
    return route;
  }
  unsigned links[] = {from, fabric->nhosts + to};
  return fabric_routes_add(fabric->routes, from, to,
                           (struct fabric_route){.links = links, .n = from == to ? 0 : 2});
}
