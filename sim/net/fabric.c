/* SPDX-License-Identifier: BSD-3-Clause
 * Links and routes. SimGrid reads and routes networks of files; kinds of network_shape.h compute all
 * others. */
#include "sim/net/fabric.h"

#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/network/network_file.h"
#include "sim/base/random.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAD_INPUT = 3 }; /* exit code */

/* Have SimGrid read the file of the network of PLATFORM. */
static struct network_reader *read_file(const struct platform *platform, struct err *err) {
  struct network_source source;
  SCOPED char *path = platform_network_source(platform, &source);
  return network_reader_new(&source, platform->node.count, err);
}

/* --- routes already found --- */

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

/* --- built-in shapes --- */

/* The name of a link, with the number of the link before links are sorted. */
struct label {
  char *name;
  unsigned number;
};

/* The links of all fabrics of one shape. */
struct wiring {
  struct network_shape shape;
  size_t nlinks;
  struct label *labels; /* in the order of the links of a fabric */
  unsigned *numbers;    /* see fabric.h */
};

static int compare_names(const void *a, const void *b) {
  const struct label *left = a, *right = b;
  return strcmp(left->name, right->name);
}

/* Name and number all links of SHAPE. */
static struct wiring wire(const struct network_shape *shape) {
  static const char *const ends[2][2] = {{"_UP", "_DOWN"}, {"-up", "-down"}};
  unsigned ncables = (unsigned)network_ncables(shape), plain = shape->kind->is_plain;
  struct wiring wiring = {.shape = *shape, .nlinks = 2 * (size_t)ncables};
  wiring.labels = xcalloc(wiring.nlinks, sizeof *wiring.labels);
  wiring.numbers = xcalloc(wiring.nlinks, sizeof *wiring.numbers);
  char **cables = xcalloc(ncables, sizeof *cables);
  shape->kind->name(shape, cables);
  for (unsigned i = 0; i < wiring.nlinks; i++) {
    unsigned cable = i % ncables, down = i / ncables;
    wiring.labels[i] = (struct label){xasprintf("%s%s", cables[cable], ends[plain][down]), 2 * cable + down};
  }
  xfree_all(cables, ncables);
  if (!plain) {
    qsort(wiring.labels, wiring.nlinks, sizeof *wiring.labels, compare_names);
  }
  for (unsigned i = 0; i < wiring.nlinks; i++) {
    wiring.numbers[wiring.labels[i].number] = i;
  }
  return wiring;
}

/* Return the wiring of SHAPE. To name and sort the links of thousands of hosts takes longer than a call on
 * a few hosts; therefore fabrics of the same shape share one wiring.
 * owner: nobody, the wiring lasts as long as the process. */
static struct wiring wiring_of(const struct network_shape *shape) {
  static struct wiring *wirings;
  static size_t n;
  const struct wiring *found = VEC_FIND(wirings, n, memcmp(&item->shape, shape, sizeof *shape) == 0);
  return found ? *found : (VEC_ADD(wirings, n) = wire(shape));
}

/* Give FABRIC two links for each cable, with the bandwidth and the latency of PLATFORM. */
static void wire_shape(struct fabric *fabric, const struct platform *platform) {
  struct wiring wiring = wiring_of(&fabric->shape);
  fabric->nlinks = wiring.nlinks;
  fabric->numbers = wiring.numbers;
  fabric->links = xcalloc(fabric->nlinks, sizeof *fabric->links);
  for (unsigned i = 0; i < fabric->nlinks; i++) {
    fabric->links[i] = (struct network_link){.name = wiring.labels[i].name,
                                             .bandwidth = platform->network.bandwidth,
                                             .latency = platform->network.latency,
                                             .shared = true};
  }
}

/* Store the route from host FROM to another host TO of FABRIC in LINKS.
 * returns: the number of links. */
static unsigned route_in_shape(const struct fabric *fabric, unsigned from, unsigned to,
                               unsigned links[NETWORK_ROUTE_MAX]) {
  struct network_pair pair = {from, to, fabric->seed};
  unsigned n = fabric->shape.kind->route(&fabric->shape, &pair, links);
  for (unsigned i = 0; i < n; i++) {
    links[i] = fabric->numbers[links[i]];
  }
  return n;
}

/* --- the fabric --- */

struct fabric *fabric_new(const struct platform *platform, uint64_t seed, struct err *err) {
  struct network_shape shape;
  struct network_reader *reader = NULL;
  if (network_shape(platform, &shape, err) || (!shape.kind->route && !(reader = read_file(platform, err)))) {
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
    wire_shape(fabric, platform);
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

int fabric_check_routes(const struct fabric *fabric, const bool *among, struct err *err) {
  if (!fabric->reader) {
    return 0;
  }
  SCOPED uint32_t *hosts = xcalloc(fabric->nhosts, sizeof *hosts);
  size_t n = 0;
  for (unsigned i = 0; i < fabric->nhosts; i++) {
    if (!among || among[i]) {
      hosts[n++] = i;
    }
  }
  return network_reader_check_routes(fabric->reader, hosts, n, err);
}

/* Ask the reader of FABRIC for the route from host FROM to host TO. Without fabric_check_routes before, a
 * missing route ends the program. */
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
  unsigned links[NETWORK_ROUTE_MAX];
  assert(from < fabric->nhosts && to < fabric->nhosts);
  struct fabric_route route = {.n = 0};
  uint64_t code = random_mix((uint64_t)from << 32 | to); /* one to one: each pair has another code */
  struct hash_place *place = hash_find(&fabric->places, code);
  if (place->number) {
    return fabric->routes[place->number - 1];
  }
  if (from != to && fabric->reader) {
    route = ask_route(fabric, from, to);
  } else if (from != to) {
    route = (struct fabric_route){.links = links, .n = route_in_shape(fabric, from, to, links)};
  }
  return keep(fabric, place, code, route);
}
