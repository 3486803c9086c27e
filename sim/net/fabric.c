/* SPDX-License-Identifier: BSD-3-Clause
 * See fabric.h. SimGrid reads and routes networks of files; fabric_shape.c computes all others. */
#include "sim/net/fabric.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/network/network_file.h"
#include "sim/base/random.h"
#include "sim/base/vec.h"

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

/* --- routes already found --- */

/* Return the code of a pair of hosts. Pairs have different codes, as random_mix is one to one. */
static uint64_t code_of(unsigned from, unsigned to) {
  return random_mix((uint64_t)from << 32 | to);
}

/* Keep a copy of ROUTE with CODE at PLACE.
 * returns: the copy. */
static struct fabric_route keep(struct fabric *fabric, struct hash_place *place, uint64_t code,
                                struct fabric_route route) {
  unsigned *links = xcalloc(route.n + 1, sizeof *links);
  for (unsigned i = 0; i < route.n; i++) {
    links[i] = route.links[i];
  }
  route.links = links;
  VEC_ADD(fabric->routes, fabric->nroutes) = route;
  hash_add(&fabric->places, place, code, fabric->nroutes);
  return route;
}

/* --- the fabric --- */

struct fabric *fabric_new(const struct platform *platform, uint64_t seed, struct err *err) {
  struct network_shape shape;
  struct network_reader *reader = NULL;
  if (network_shape(platform, &shape, err) ||
      (shape.kind == NETWORK_FILE && !(reader = read_file(platform, err)))) {
    return NULL;
  }
  struct fabric *fabric = xcalloc(1, sizeof *fabric);
  *fabric = (struct fabric){.nhosts = platform->node.count, .shape = shape, .seed = seed, .reader = reader};
  if (reader) {
    fabric->links = reader->links;
    fabric->nlinks = reader->nlinks;
    fabric->zones = reader->zones;
  } else {
    fabric->zones = xcalloc(fabric->nhosts, sizeof *fabric->zones);
    fabric_shape_wire(fabric, platform);
  }
  return fabric;
}

void fabric_free(struct fabric *fabric) {
  if (!fabric) {
    return;
  }
  if (!fabric->reader) {
    free(fabric->links);
    free(fabric->zones);
  }
  network_reader_free(fabric->reader);
  for (size_t i = 0; i < fabric->nroutes; i++) {
    free((unsigned *)fabric->routes[i].links);
  }
  free(fabric->routes);
  hash_fini(&fabric->places);
  free(fabric);
}

/* Ask the reader of FABRIC for the route from host FROM to host TO. A file with too many hosts is not checked
 * for missing routes beforehand; a missing route then ends the program. */
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
  unsigned links[FABRIC_ROUTE_MAX];
  assert(from < fabric->nhosts && to < fabric->nhosts);
  struct fabric_route route = {.n = 0};
  uint64_t code = code_of(from, to);
  struct hash_place *place = hash_find(&fabric->places, code);
  if (place->number) {
    return fabric->routes[place->number - 1];
  }
  if (from != to && fabric->reader) {
    route = ask_route(fabric, from, to);
  } else if (from != to) {
    route = (struct fabric_route){.links = links, .n = fabric_shape_route(fabric, from, to, links)};
  }
  return keep(fabric, place, code, route);
}
