/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path of a call, as a part of its result. */
#pragma once

#include "sim/base/pack.h"
#include "traces/path/path.h"
#include "traces/path/path_blockers.h"

#include <stdbool.h>

struct call_path {
  /* `parts` and `segments` only for the whole chain; cycles count from the first entry */
  struct path path;
  struct path_blockers blockers;
  struct node_names names; /* of the nodes */
};

/* Append the critical path in RECORDS to PACK, with CHAIN also parts and segments. */
void call_pack_path(struct pack *pack, const struct path_records *records, bool chain);

/* Take the data appended by call_pack_path from PACK, which keeps the names of steps. */
struct call_path call_unpack_path(struct pack *pack);
void call_path_fini(struct call_path *path);
