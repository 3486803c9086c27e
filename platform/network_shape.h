/* SPDX-License-Identifier: BSD-3-Clause
 * The topology of a network as numbers, from network.topology. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;
struct platform;

enum { NETWORK_LEVELS_MAX = 4 };

enum network_kind {
  NETWORK_SWITCH,   /* all nodes on one switch */
  NETWORK_FAT_TREE, /* levels of switches; a route climbs only to the first common switch */
  /* leaves of hosts, each leaf joined to each spine; a spine for each pair of nodes, drawn once */
  NETWORK_CLOS,
  NETWORK_FILE, /* the SimGrid platform file network.file */
};

struct network_shape {
  enum network_kind kind;
  unsigned nlevels; /* of a fat tree, from the nodes up */
  unsigned down[NETWORK_LEVELS_MAX], up[NETWORK_LEVELS_MAX], cables[NETWORK_LEVELS_MAX];
  unsigned leaves, leaf_hosts, spines; /* of a Clos network */
};

/* Compute the SHAPE of the network of PLATFORM, a platform of nodes.
 * errors: an unknown topology; malformed numbers; a fat tree whose number of places is not node.count; a Clos
 *   network with fewer places than node.count; network.file without topology file, or topology file without
 *   network.file. A platform that passed platform_check has none of these errors. */
int network_shape(const struct platform *platform, struct network_shape *shape, struct err *err);

/* In the following functions the switches of each level are numbered from 0. Levels count from 1; level 0 are
 * the NNODES nodes. */

/* Return how many levels of switches SHAPE has; for a network of a file 1, a stand-in for the whole
 * network. */
unsigned network_nlevels(const struct network_shape *shape);

/* Return the name of a switch on LEVEL, for people. */
const char *network_level_name(const struct network_shape *shape, unsigned level);

/* Return the number of switches on LEVEL; UINT_MAX: at least UINT_MAX. */
unsigned network_nswitches(const struct network_shape *shape, unsigned level, unsigned nnodes);

/* Return how many cables SHAPE has; of a network of a file, as if all nodes were on one switch. */
uint64_t network_ncables(const struct network_shape *shape, unsigned nnodes);

/* Tell whether BELOW of the level below LEVEL is joined to switch ABOVE of LEVEL. */
bool network_joins(const struct network_shape *shape, unsigned level, unsigned below, unsigned above);

/* Return how many switches or nodes of the level below are joined to switch ABOVE of LEVEL (nbelow), and to
 * how many switches of LEVEL each switch or node of the level below is joined (nabove). */
unsigned network_nbelow(const struct network_shape *shape, unsigned level, unsigned above, unsigned nnodes);
unsigned network_nabove(const struct network_shape *shape, unsigned level);
