/* SPDX-License-Identifier: BSD-3-Clause
 * See fabric.h. SimGrid reads and routes all networks but a switch, on which there is only one way: up and
 * down. */
#include "sim/net/fabric.h"

#include "platform/network_shape.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/network_file.h"
#include "sim/base/network_reader.h"
#include "sim/base/xalloc.h"
#include "sim/net/fabric_routes.h"
#include "sim/net/fabric_text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Of a network file with more hosts not all ways are tried beforehand. */
enum { MOST_TRIED_HOSTS = 512, BAD_INPUT = 3 };

/* All hosts on one switch: a link up from each of them, then a link down to each. */
static void join_by_switch(struct fabric *fabric, const struct platform *platform) {
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

/* The reader of the last network that was freed and was not a file: the next call is mostly on the same.
 * SimGrid reads 3,060 hosts in a tenth of a second. */
static struct {
  struct network_reader *reader; /* NULL: there is none */
  char *text;                    /* of its network */
  unsigned nhosts;
  pid_t owner; /* others that were forked from it must leave the reader alone */
} spare;

/* Keep the reader of FABRIC, and its text. */
static void keep_spare(struct fabric *fabric) {
  if (spare.owner == getpid()) {
    network_reader_free(spare.reader);
  }
  free(spare.text);
  spare.reader = fabric->reader;
  spare.text = fabric->text;
  spare.nhosts = fabric->nhosts;
  spare.owner = getpid();
  fabric->reader = NULL;
  fabric->text = NULL;
}

/* Return the reader of the network of NHOSTS hosts in TEXT if it has been kept; NULL: it has not. */
static struct network_reader *take_spare(const char *text, unsigned nhosts) {
  struct network_reader *reader = NULL;
  if (spare.reader && spare.owner == getpid() && spare.nhosts == nhosts && strcmp(spare.text, text) == 0) {
    reader = spare.reader;
    spare.reader = NULL;
  }
  return reader;
}

/* Have SimGrid read the network of PLATFORM, which has SHAPE and is described by TEXT; NULL: by a file. */
static struct network_reader *read_network(const struct platform *platform, const struct network_shape *shape,
                                           const char *text, struct err *err) {
  struct network_reader *reader;
  if (shape->kind != NETWORK_FILE) {
    unsigned nhosts = (unsigned)platform->node.count;
    struct network_source source = {.path = platform->network.topology, .text = text};
    reader = take_spare(text, nhosts);
    return reader ? reader : network_reader_new(&source, nhosts, err);
  }
  struct network_source source;
  char *path = platform_network_source(platform, &source);
  reader = network_reader_new(&source, platform->node.count, err);
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
  if (network_shape(platform, &shape, err)) {
    return NULL;
  }
  char *text = shape.kind == NETWORK_FILE ? NULL : fabric_text(platform, &shape, seed);
  if (shape.kind != NETWORK_SWITCH && !(reader = read_network(platform, &shape, text, err))) {
    free(text);
    return NULL;
  }
  struct fabric *fabric = xcalloc(1, sizeof *fabric);
  fabric->nhosts = platform->node.count;
  fabric->zones = xcalloc(fabric->nhosts, sizeof *fabric->zones);
  fabric->routes = fabric_routes_new();
  fabric->reader = reader;
  if (reader) {
    take_links(fabric);
  } else {
    join_by_switch(fabric, platform);
  }
  fabric->text = text;
  return fabric;
}

void fabric_free(struct fabric *fabric) {
  if (!fabric) {
    return;
  }
  for (size_t i = 0; i < fabric->nlinks; i++) {
    free(fabric->links[i].name);
  }
  if (fabric->reader && fabric->text) {
    keep_spare(fabric);
  }
  free(fabric->links);
  free(fabric->zones);
  free(fabric->text);
  network_reader_free(fabric->reader);
  network_reader_free(fabric->flows);
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

int fabric_flows(struct fabric *fabric, const struct network_flow *flows, size_t n, double *seconds,
                 struct err *err) {
  if (!fabric->flows && !fabric->reader) {
    struct network_source source = {.path = "switch", .text = fabric->text};
    fabric->flows = network_reader_new(&source, fabric->nhosts, err);
  }
  struct network_reader *reader = fabric->reader ? fabric->reader : fabric->flows;
  return reader ? network_reader_flows(reader, flows, n, seconds, err) : -1;
}

struct fabric_route fabric_route(struct fabric *fabric, unsigned from, unsigned to) {
  struct fabric_route route;
  assert(from < fabric->nhosts && to < fabric->nhosts);
  if (fabric_routes_find(fabric->routes, from, to, &route)) {
    return route;
  }
  const unsigned links[] = {from, fabric->nhosts + to};
  route = from == to       ? (struct fabric_route){.n = 0}
          : fabric->reader ? ask_route(fabric, from, to)
                           : (struct fabric_route){.links = links, .n = 2};
  return fabric_routes_add(fabric->routes, from, to, route);
}
