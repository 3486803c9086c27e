/* SPDX-License-Identifier: BSD-3-Clause
 * See fabric.h. A cable is two links, one in each direction. Names of links and the choice of a cable
 * are as in a cluster or a zone of SimGrid, so that a shape and the same network as a file are one
 * network. */
#include "sim/net/fabric.h"

#include "platform/platform.h"
#include "sim/base/random.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The name of a link, with the number of the link before links are sorted. */
struct label {
  char *name;
  unsigned number;
};

/* The links of all fabrics of one shape. */
struct wiring {
  struct network_shape shape;
  unsigned nhosts;
  size_t nlinks;
  struct label *labels; /* in the order of the links of a fabric */
  unsigned *numbers;    /* see fabric.h */
};

/* Links of cable C: 2 C goes up, 2 C + 1 goes down. */
static unsigned up_link(unsigned cable) {
  return 2 * cable;
}

static unsigned down_link(unsigned cable) {
  return 2 * cable + 1;
}

/* Name both links of CABLE after STEM and release STEM. */
static void name_cable(struct label *labels, unsigned cable, char *stem) {
  labels[up_link(cable)].name = xasprintf("%s_UP", stem);
  labels[down_link(cable)].name = xasprintf("%s_DOWN", stem);
  free(stem);
}

/* --- all hosts on one switch: first the links up from the hosts, then the links down --- */

static void name_switch(const struct fabric *fabric, struct label *labels) {
  for (unsigned host = 0; host < fabric->nhosts; host++) {
    labels[host].name = xasprintf("n%u-up", host);
    labels[fabric->nhosts + host].name = xasprintf("n%u-down", host);
  }
}

static unsigned route_by_switch(const struct fabric *fabric, unsigned from, unsigned to, unsigned *links) {
  links[0] = from;
  links[1] = fabric->nhosts + to;
  return 2;
}

/* --- a fat tree; network_joins explains the numbers of the switches --- */

/* Cables are numbered by level, by the lower end, by the upper end, and then beside each other. In names,
 * switches have the numbers from 2 nhosts - 1 downwards, level by level. */
static void name_fat_tree(const struct fabric *fabric, struct label *labels) {
  const struct network_shape *shape = &fabric->shape;
  long top = 2 * (long)fabric->nhosts - 1;
  unsigned cable = 0, beside = 1, nbefore = 0; /* nbefore: switches of the levels below LEVEL */
  for (unsigned level = 0; level < shape->nlevels; level++) {
    unsigned nbelow = network_nswitches(shape, level, fabric->nhosts), up = shape->up[level];
    unsigned nabove_first = nbefore + (level > 0 ? nbelow : 0);
    for (unsigned i = 0; i < nbelow * up * shape->cables[level]; i++, cable++) {
      unsigned below = i / shape->cables[level] / up, digit = i / shape->cables[level] % up;
      unsigned above = below % beside + beside * (digit + up * (below / beside / shape->down[level]));
      long lower = level > 0 ? top - nbefore - below : (long)below, upper = top - nabove_first - above;
      name_cable(labels, cable, xasprintf("link_from_%ld_%ld_%u", lower, upper, cable));
    }
    nbefore = nabove_first;
    beside *= up;
  }
}

/* A route climbs to the lowest level on which the subtree of FROM is the subtree of TO. On each level the
 * route passes the switch whose digits beside are the digits of TO (D-mod-k). Upwards the remaining quotient
 * chooses the cable. Downwards the ports of a switch are numbered cable by cable. On the highest level FROM
 * chooses the first port that is tried; on each other level the port after the port of the level above is
 * tried first. A number beyond the last port starts again as on the highest level. */
static unsigned route_by_fat_tree(const struct fabric *fabric, unsigned from, unsigned to, unsigned *links) {
  const struct network_shape *shape = &fabric->shape;
  unsigned below[NETWORK_LEVELS_MAX + 1] = {1}, beside[NETWORK_LEVELS_MAX + 1] = {1};
  unsigned first[NETWORK_LEVELS_MAX + 1] = {0}, height = 0; /* first: cable of a level */
  while (from / below[height] != to / below[height]) {
    unsigned ports = shape->up[height] * shape->cables[height], port = to / beside[height] % ports;
    unsigned child = to % beside[height] + beside[height] * (from / below[height]);
    links[height] = up_link(first[height] + child * ports + port % shape->up[height] * shape->cables[height] +
                            port / shape->up[height]);
    first[height + 1] = first[height] + network_nswitches(shape, height, fabric->nhosts) * ports;
    below[height + 1] = below[height] * shape->down[height];
    beside[height + 1] = beside[height] * shape->up[height];
    height++;
  }
  unsigned next = UINT_MAX; /* port */
  for (unsigned level = height; level-- > 0;) {
    unsigned down = shape->down[level], up = shape->up[level], cables = shape->cables[level];
    unsigned digit = to / below[level] % down;
    unsigned child = to % beside[level] + beside[level] * (to / below[level]);
    unsigned port = next - next % down + digit + (digit < next % down ? down : 0);
    port = next == UINT_MAX || port >= down * cables ? from % cables * down + digit : port;
    links[2 * height - 1 - level] =
      down_link(first[level] + (child * up + to / beside[level] % up) * cables + port / down);
    next = port + 1;
  }
  return 2 * height;
}

/* --- a Clos network: the cables of the hosts, then the cables of each leaf to each spine --- */

static void name_clos(const struct fabric *fabric, struct label *labels) {
  const struct network_shape *shape = &fabric->shape;
  for (unsigned host = 0; host < fabric->nhosts; host++) {
    name_cable(labels, host, xasprintf("n%u-leaf", host));
  }
  unsigned leaves = shape->down[1], spines = shape->up[1];
  for (unsigned i = 0; i < leaves * spines; i++) {
    name_cable(labels, fabric->nhosts + i, xasprintf("leaf%u-spine%u", i / spines, i % spines));
  }
}

static unsigned route_by_clos(const struct fabric *fabric, unsigned from, unsigned to, unsigned *links) {
  const struct network_shape *shape = &fabric->shape;
  unsigned spines = shape->up[1], leaf = from / shape->down[0], other = to / shape->down[0], n = 0;
  links[n++] = up_link(from);
  if (leaf != other) {
    uint64_t drawn = random_at(fabric->seed, (uint64_t)from * fabric->nhosts + to);
    unsigned spine = fabric->nhosts + (unsigned)(drawn % spines);
    links[n++] = up_link(spine + leaf * spines);
    links[n++] = down_link(spine + other * spines);
  }
  links[n++] = down_link(to);
  return n;
}

/* --- all shapes --- */

static const struct {
  void (*name)(const struct fabric *fabric, struct label *labels);
  unsigned (*route)(const struct fabric *fabric, unsigned from, unsigned to, unsigned *links);
  bool sorted; /* links are numbered in alphabetical order of the names */
} shapes[] = {
  [NETWORK_SWITCH] = {name_switch, route_by_switch, false},
  [NETWORK_FAT_TREE] = {name_fat_tree, route_by_fat_tree, true},
  [NETWORK_CLOS] = {name_clos, route_by_clos, true},
};

static int compare_names(const void *a, const void *b) {
  const struct label *left = a, *right = b;
  return strcmp(left->name, right->name);
}

/* Name and number all links of FABRIC. */
static struct wiring wire(const struct fabric *fabric) {
  struct wiring wiring = {.shape = fabric->shape, .nhosts = fabric->nhosts};
  wiring.nlinks = 2 * (size_t)network_ncables(&fabric->shape, fabric->nhosts);
  wiring.labels = xcalloc(wiring.nlinks, sizeof *wiring.labels);
  wiring.numbers = xcalloc(wiring.nlinks, sizeof *wiring.numbers);
  for (unsigned i = 0; i < wiring.nlinks; i++) {
    wiring.labels[i].number = i;
  }
  shapes[fabric->shape.kind].name(fabric, wiring.labels);
  if (shapes[fabric->shape.kind].sorted) {
    qsort(wiring.labels, wiring.nlinks, sizeof *wiring.labels, compare_names);
  }
  for (unsigned i = 0; i < wiring.nlinks; i++) {
    wiring.numbers[wiring.labels[i].number] = i;
  }
  return wiring;
}

/* Return the wiring of FABRIC. To name and sort the links of thousands of hosts takes longer than a call on
 * a few hosts; therefore fabrics of the same shape share one wiring.
 * owner: nobody, the wiring lasts as long as the process. */
static struct wiring wiring_of(const struct fabric *fabric) {
  static struct wiring *wirings;
  static size_t n;
  for (size_t i = 0; i < n; i++) {
    if (wirings[i].nhosts == fabric->nhosts &&
        memcmp(&wirings[i].shape, &fabric->shape, sizeof fabric->shape) == 0) {
      return wirings[i];
    }
  }
  return VEC_ADD(wirings, n) = wire(fabric);
}

void fabric_shape_wire(struct fabric *fabric, const struct platform *platform) {
  struct wiring wiring = wiring_of(fabric);
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

unsigned fabric_shape_route(const struct fabric *fabric, unsigned from, unsigned to,
                            unsigned links[FABRIC_ROUTE_MAX]) {
  unsigned n = shapes[fabric->shape.kind].route(fabric, from, to, links);
  for (unsigned i = 0; i < n; i++) {
    links[i] = fabric->numbers[links[i]];
  }
  return n;
}
