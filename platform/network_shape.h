/* SPDX-License-Identifier: BSD-3-Clause
 * The topology of a network as numbers: what network.topology says. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;
struct platform;

enum { NETWORK_LEVELS_MAX = 4 };

enum network_kind {
  NETWORK_SWITCH,   /* all nodes on one switch */
  NETWORK_FAT_TREE, /* levels of switches; a route climbs as far as it has to */
  /* leaves of hosts, each leaf joined to each spine; a spine for each pair of nodes, drawn once */
  NETWORK_CLOS,
  NETWORK_FILE, /* what the SimGrid platform file network.file says */
};

struct network_shape {
  enum network_kind kind;
  unsigned nlevels; /* of a fat tree, from the nodes up */
  unsigned down[NETWORK_LEVELS_MAX], up[NETWORK_LEVELS_MAX], cables[NETWORK_LEVELS_MAX];
  unsigned leaves, leaf_hosts, spines; /* of a Clos network */
};

/* Work out the SHAPE of the network of PLATFORM, which has nodes.
 * errors: no such topology; malformed numbers; a fat tree whose places are not node.count, a Clos network
 *   that has fewer; network.file that is given without being used, or the other way round. A platform that
 *   passed platform_check gives none. */
int network_shape(const struct platform *platform, struct network_shape *shape, struct err *err);

/* What follows numbers the switches of each level from 0 on; levels count from 1 on, level 0 are the nodes,
 * of which there are NNODES. */

/* Return how many levels of switches SHAPE has; of a network of a file 1, which stands for all of it. */
unsigned network_nlevels(const struct network_shape *shape);

/* Return how many switches are on LEVEL; UINT_MAX: that many at least. */
unsigned network_nswitches(const struct network_shape *shape, unsigned level, unsigned nnodes);

/* Return how many cables SHAPE has; of a network of a file, as if all nodes were on one switch. */
uint64_t network_ncables(const struct network_shape *shape, unsigned nnodes);

/* Tell whether BELOW of the level below LEVEL is joined to switch ABOVE of LEVEL. */
bool network_joins(const struct network_shape *shape, unsigned level, unsigned below, unsigned above);

/* Return how many of the level below are joined to switch ABOVE of LEVEL, and to how many of LEVEL each of
 * them is joined. */
unsigned network_nbelow(const struct network_shape *shape, unsigned level, unsigned above, unsigned nnodes);
unsigned network_nabove(const struct network_shape *shape, unsigned level);
