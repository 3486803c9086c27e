/* SPDX-License-Identifier: BSD-3-Clause
 * The topology of a network as numbers: what network.topology says. */
#pragma once

struct err;
struct platform;

enum { NETWORK_LEVELS_MAX = 4 };

enum network_kind {
  NETWORK_SWITCH,   /* all nodes on one switch */
  NETWORK_FAT_TREE, /* levels of switches; a route climbs as far as it has to */
  NETWORK_CLOS, /* leaves of hosts, each leaf joined to each spine; a spine for each pair of nodes, drawn once */
  NETWORK_FILE, /* what the SimGrid platform file network.file says */
};

struct network_shape {
  enum network_kind kind;
  unsigned nlevels; /* of a fat tree, from the nodes up */
  unsigned down[NETWORK_LEVELS_MAX], up[NETWORK_LEVELS_MAX], cables[NETWORK_LEVELS_MAX];
  unsigned leaves, leaf_hosts, spines; /* of a Clos network */
};

/* Work out the SHAPE of the network of PLATFORM, which has nodes.
 * errors: no such topology; malformed numbers; a fat tree whose places are not node.count, a Clos network that has fewer;
 *   network.file that is given without being used, or the other way round. A platform that passed platform_check gives none. */
int network_shape(const struct platform *platform, struct network_shape *shape, struct err *err);
