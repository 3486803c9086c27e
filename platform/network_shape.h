/* SPDX-License-Identifier: BSD-3-Clause
 * The topology of a network as numbers, from network.topology. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;
struct platform;

enum { NETWORK_LEVELS_MAX = 4 };

/* The maximum number of links of a route: up all levels of a fat tree, and down. */
enum { NETWORK_ROUTE_MAX = 2 * NETWORK_LEVELS_MAX };

/* A network is a tree of levels of switches, counted from the nodes up. Leaves of a Clos network may lack
 * nodes. */
struct network_shape {
  const struct network_kind *kind;
  unsigned nnodes, nlevels;
  /* of each level: down, the number of switches or nodes of the level below joined to a switch of the level;
   * up, the number of switches of the level joined to a switch or node below; cables, of each joined pair */
  unsigned down[NETWORK_LEVELS_MAX], up[NETWORK_LEVELS_MAX], cables[NETWORK_LEVELS_MAX];
};

/* Two different nodes, and the seed of random choices. */
struct network_pair {
  unsigned from, to;
  uint64_t seed;
};

/* A kind of shape, with a word of network.topology. A cable is two links, one in each direction: links of
 * cable C are 2 C, up, and 2 C + 1, down. `name` and `route` of the kind of SimGrid platform files are NULL:
 * SimGrid has the names and the routes; as numbers, all nodes are on one switch. */
struct network_kind {
  const char *word;
  const char *levels[2]; /* switches on the first level, and on all other levels, for people */
  /* links: first all up, then all down, with -up and -down behind the names of cables; other kinds: in the
   * order of the names, with _UP and _DOWN */
  bool is_plain;
  /* Read the numbers after the word, TEXT, into SHAPE, one switch so far; NULL: there are no numbers.
   * errors: network.topology has other numbers than PLATFORM can have. */
  int (*read)(const struct platform *platform, const char *text, struct network_shape *shape,
              struct err *err);
  /* Store the name of each cable in NAMES; the caller frees the names. */
  void (*name)(const struct network_shape *shape, char **names);
  /* Store the links from one node of PAIR to the other one in LINKS.
   * returns: the number of links. */
  unsigned (*route)(const struct network_shape *shape, const struct network_pair *pair, unsigned *links);
};

/* Compute the SHAPE of the network of PLATFORM, a platform of nodes.
 * errors: an unknown topology; malformed numbers; a fat tree without node.count places; a Clos
 *   network with fewer places than node.count; network.file without topology file, or topology file without
 *   network.file. A platform that passed platform_check has none of these errors. */
int network_shape(const struct platform *platform, struct network_shape *shape, struct err *err);

/* In the following functions the switches of each level are numbered from 0. Levels count from 1; level 0 are
 * the nodes. */

/* Return the number of switches on LEVEL; UINT_MAX: at least UINT_MAX. */
unsigned network_nswitches(const struct network_shape *shape, unsigned level);

/* Return how many cables SHAPE has. */
uint64_t network_ncables(const struct network_shape *shape);

/* Tell whether BELOW of the level below LEVEL is joined to switch ABOVE of LEVEL. */
bool network_joins(const struct network_shape *shape, unsigned level, unsigned below, unsigned above);

/* Return how many switches or nodes of the level below are joined to switch ABOVE of LEVEL: down, or fewer
 * where nodes lack. */
unsigned network_nbelow(const struct network_shape *shape, unsigned level, unsigned above);
