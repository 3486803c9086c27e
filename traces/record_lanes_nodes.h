/* SPDX-License-Identifier: BSD-3-Clause
 * The lanes of a recorded call on several nodes: those of each node, messages between their PPEs, and links
 * of the network. */
#pragma once

#include "draw/lanes.h"

struct path;
struct path_records;

/* Return the lanes of the last call of RECORDS, all of whose nodes show the cycles of PATH; those of node i
 * begin with FIRST[i] (LANES_NOBODY: it has none). A message is a line from one PPE to the other one, and at
 * the PPE that sends it a bar, whose height is its share of the link.
 * owner: the caller, with lanes_free. */
struct lanes *record_lanes_nodes(const struct path_records *records, const struct path *path, uint64_t bin,
                                 unsigned first[]);
