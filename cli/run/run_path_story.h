/* SPDX-License-Identifier: BSD-3-Clause
 * A critical path told to people. */
#pragma once

#include "cli/table.h"
#include "validate/lab/call_path.h"

/* Where the ranks of a call are: on one blade; on nodes, and each part of a story tells its node; in
 * processes of hosts, which it tells. */
enum run_path_where { RUN_PATH_ON_BLADE, RUN_PATH_ON_NODES, RUN_PATH_ON_HOSTS };

/* Tell FOUND, of ranks that are WHERE, in lines below TABLE: what its cycles went to, who stood in the way,
 * and the chain, part by part. */
void run_path_tell(struct table *table, const struct call_path *found, enum run_path_where where);
