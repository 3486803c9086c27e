/* SPDX-License-Identifier: BSD-3-Clause
 * Stages of messages between nodes, line by line, for traces/timeline.c. */
#pragma once

#include "sim/hw/probe.h"
#include "traces/timeline_lines.h"

/* Write the line of EVENT of the network to LINES. */
void timeline_net_see(struct timeline_lines *lines, const struct probe_event *event);

/* Write the beginning of lines about NODE, behind the cycle, into TEXT. */
void timeline_name_node(const struct timeline_lines *lines, unsigned node, char text[TIMELINE_NODE_SIZE]);
