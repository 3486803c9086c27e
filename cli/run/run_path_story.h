/* SPDX-License-Identifier: BSD-3-Clause
 * A critical path told to people. */
#pragma once

#include "cli/table.h"
#include "validate/lab/call_path.h"

#include <stdbool.h>

/* Tell FOUND in lines below TABLE: what its cycles went to, who stood in the way, and the chain, part by part; ON_NODES: each part with its
 * node. */
void run_path_tell(struct table *table, const struct call_path *found, bool on_nodes);
