/* SPDX-License-Identifier: BSD-3-Clause
 * The shortest ways from chip to chip over the links of a blade. */
#pragma once

struct platform;

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
