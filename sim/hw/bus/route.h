/* SPDX-License-Identifier: BSD-3-Clause
 * The routes of bus requests: from unit to unit on the rings of a chip, the same on all chips, and the
 * shortest ways from chip to chip over the links of a blade. */
#pragma once

#include "sim/hw/bus/ring.h"

struct platform;

enum route_way {
  ROUTE_CLOCKWISE,
  ROUTE_BACK,
  ROUTE_WAYS,
};

/* From one unit to another unit: the short way round, or both ways if the ways are equally long, as between
 * opposite units. */
struct route {
  struct ring_path paths[ROUTE_WAYS]; /* hops are ROUTE_NONE if the route has no second way */
};

enum { ROUTE_NONE = UINT16_MAX };

/* Lists of rings, one behind the other: the clockwise rings, the rings of the other way, then each ring
 * alone. Each list has one place more, for its end. Return the place of ring NUMBER in the list of its WAY,
 * or alone. */
static inline unsigned route_ring(enum route_way way, unsigned number) {
  return number + way;
}

static inline unsigned route_ring_alone(const struct parameters *parameters, unsigned number) {
  return parameters->nrings + ROUTE_WAYS + 2 * number;
}

/* Return the routes between all units: the route from unit f to unit t of n at [f * n + t].
 * owner: the caller, who frees the routes. */
struct route *routes_new(const struct parameters *parameters);

/* --- from chip to chip --- */

struct chip_ways {
  unsigned nchips;
  unsigned *next_chip; /* [from * nchips + to]: the neighbour on the way */
  unsigned *distance;  /* [from * nchips + to]: links on the way */
};

/* Find the ways between all chips of PLATFORM; of equally short ways the way over the neighbour with the
 * lowest number.
 * owner: the caller, with chip_ways_fini. */
void chip_ways_init(struct chip_ways *ways, const struct platform *platform);
void chip_ways_fini(struct chip_ways *ways);

/* Return the number of links between two chips. */
static inline unsigned chip_ways_distance(const struct chip_ways *ways, unsigned from, unsigned to) {
  return ways->distance[from * ways->nchips + to];
}

/* Return the neighbour of chip FROM on the way to chip TO. */
static inline unsigned chip_ways_next(const struct chip_ways *ways, unsigned from, unsigned to) {
  return ways->next_chip[from * ways->nchips + to];
}
