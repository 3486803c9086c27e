/* SPDX-License-Identifier: BSD-3-Clause
 * What happens to messages between nodes, line by line, as traces/timeline.h for a blade. */
#pragma once

#include "sim/net/net_probe.h"
#include "traces/timeline_lines.h"

struct timeline_net {
  struct net_probe probe;
  struct timeline_lines *lines;
};

/* Make TIMELINE ready to be attached to a network; it writes to LINES. A line is the cycle, the node, and
 * what happens there; messages are counted from 1 on, packets of a message from 0 on (#2.1: packet 1 of
 * message 2).
 *
 *        7233  node 0    network    message #2 to node 1: 16384 bytes
 *       32833  node 0    network      #2.0 on n0-up from cycle 32833 to 72205, after 0 cycles: 1538 bytes */
void timeline_net_init(struct timeline_net *timeline, struct timeline_lines *lines);

/* Write what LINES about NODE begin with, behind the cycle, into TEXT. */
void timeline_name_node(const struct timeline_lines *lines, unsigned node, char text[TIMELINE_NODE_SIZE]);
