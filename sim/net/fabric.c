/* SPDX-License-Identifier: BSD-3-Clause
 * See fabric.h. SimGrid reads and routes networks of files; fabric_shape.c computes all others. */
#include "sim/net/fabric.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/network_file.h"
#include "sim/base/network_reader.h"
#include "sim/base/xalloc.h"
#include "sim/net/fabric_routes.h"
#include "sim/net/fabric_shape.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of a network file with more hosts not all ways are tried beforehand. */
enum { MOST_TRIED_HOSTS = 512, BAD_INPUT = 3 };

/* Have SimGrid read the file of the network of PLATFORM. */
static struct network_reader *read_file(const struct platform *platform, struct err *err) {
  struct network_source source;
  char *path = platform_network_source(platform, &source);
  struct network_reader *reader = network_reader_new(&source, platform->node.count, err);
  free(path);
  if (reader && platform->node.count <= MOST_TRIED_HOSTS && network_reader_check_routes(reader, err)) {
    network_reader_free(reader);
    reader = NULL;
  }
  return reader;
}

/* Take the links that the reader of FABRIC has found. */
static void take_links(struct fabric *fabric) {
  const struct network_link *links = network_reader_links(fabric->reader, &fabric->nlinks);
  const unsigned *zones = network_reader_zones(fabric->reader);
  fabric->links = xcalloc(fabric->nlinks, sizeof *fabric->links);
  for (size_t i = 0; i < fabric->nlinks; i++) {
    fabric->links[i] = (struct fabric_link){.name = xstrdup(links[i].name),
                                            .bandwidth = links[i].bandwidth * 1e-6,
                                            .latency = links[i].latency * 1e6,
                                            .shared = links[i].shared};
  }
  for (unsigned i = 0; i < fabric->nhosts; i++) {
    fabric->zones[i] = zones[i];
  }
}

struct fabric *fabric_new(const struct platform *platform, uint64_t seed, struct err *err) {
  struct network_shape shape;
  struct network_reader *reader = NULL;
  if (network_shape(platform, &shape, err) ||
      (shape.kind == NETWORK_FILE && !(reader = read_file(platform, err)))) {
    return NULL;
  }
  struct fabric *fabric = xcalloc(1, sizeof *fabric);
  *fabric = (struct fabric){.nhosts = platform->node.count,
                            .zones = xcalloc(platform->node.count, sizeof *fabric->zones),
                            .routes = fabric_routes_new(),
                            .shape = shape,
                            .seed = seed,
                            .reader = reader};
  if (reader) {
    take_links(fabric);
  } else {
    fabric_shape_wire(fabric, platform);
  }
  return fabric;
}

void fabric_free(struct fabric *fabric) {
  if (!fabric) {
    return;
  }
  for (size_t i = 0; i < fabric->nlinks; i++) {
    free(fabric->links[i].name);
  }
  free(fabric->links);
  free(fabric->zones);
  free(fabric->numbers);
  network_reader_free(fabric->reader);
  fabric_routes_free(fabric->routes);
  free(fabric);
}

/* Ask the reader of FABRIC for the way from host FROM to host TO. Where there is none after all, in a file
 * that is too large to be tried beforehand, the program ends: nobody could go on. */
static struct fabric_route ask_route(struct fabric *fabric, unsigned from, unsigned to) {
  struct err err = {.text = ""};
  struct fabric_route route = {.n = 0};
  if (network_reader_route(fabric->reader, from, to, &route.links, &route.n, &err)) {
    fprintf(stderr, "cellcoll: %s\n", err.text);
    _exit(BAD_INPUT);
  }
  return route;
}

struct fabric_route fabric_route(struct fabric *fabric, unsigned from, unsigned to) {
  struct fabric_route route;
  unsigned links[FABRIC_ROUTE_MAX];
  assert(from < fabric->nhosts && to < fabric->nhosts);
  if (fabric_routes_find(fabric->routes, from, to, &route)) {
    return route;
  }
  if (from != to && fabric->reader) {
    route = ask_route(fabric, from, to);
  } else {
    route.links = links;
    route.n = from == to ? 0 : fabric_shape_route(fabric, from, to, links);
  }
  return fabric_routes_add(fabric->routes, from, to, route);
}
