/* SPDX-License-Identifier: BSD-3-Clause
 * The lanes of a recorded call on several nodes: the lanes of each node, messages between PPEs, and links of
 * the network. */
#pragma once

#include "draw/lanes.h"

struct path;
struct path_records;

/* Return the lanes of the last call of RECORDS; all nodes show the cycles of PATH. The lanes of node i begin
 * with FIRST[i] (LANES_NOBODY: no lanes). A message is a line from one PPE to the other, and at the sending
 * PPE a bar with the message's share of the link as height.
 * owner: the caller, with lanes_free. */
struct lanes *record_lanes_nodes(const struct path_records *records, const struct path *path, uint64_t bin,
                                 unsigned first[]);
