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
  NETWORK_FILE, /* the SimGrid platform file network.file; as numbers, all nodes on one switch */
};

/* A network is a tree of levels of switches, counted from the nodes up. Leaves of a Clos network may lack
 * nodes. */
struct network_shape {
  enum network_kind kind;
  unsigned nlevels;
  /* of each level: down, the number of switches or nodes of the level below joined to a switch of the level;
   * up, the number of switches of the level joined to a switch or node below; cables, of each joined pair */
  unsigned down[NETWORK_LEVELS_MAX], up[NETWORK_LEVELS_MAX], cables[NETWORK_LEVELS_MAX];
};

/* Compute the SHAPE of the network of PLATFORM, a platform of nodes.
 * errors: an unknown topology; malformed numbers; a fat tree whose number of places is not node.count; a Clos
 *   network with fewer places than node.count; network.file without topology file, or topology file without
 *   network.file. A platform that passed platform_check has none of these errors. */
int network_shape(const struct platform *platform, struct network_shape *shape, struct err *err);

/* In the following functions the switches of each level are numbered from 0. Levels count from 1; level 0 are
 * the NNODES nodes. */

/* Return the name of a switch on LEVEL, for people. */
const char *network_level_name(const struct network_shape *shape, unsigned level);

/* Return the number of switches on LEVEL; UINT_MAX: at least UINT_MAX. */
unsigned network_nswitches(const struct network_shape *shape, unsigned level, unsigned nnodes);

/* Return how many cables SHAPE has. */
uint64_t network_ncables(const struct network_shape *shape, unsigned nnodes);

/* Tell whether BELOW of the level below LEVEL is joined to switch ABOVE of LEVEL. */
bool network_joins(const struct network_shape *shape, unsigned level, unsigned below, unsigned above);

/* Return how many switches or nodes of the level below are joined to switch ABOVE of LEVEL: down, or fewer
 * where nodes lack. */
unsigned network_nbelow(const struct network_shape *shape, unsigned level, unsigned above, unsigned nnodes);
