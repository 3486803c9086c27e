/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path of a call, as a part of its result. */
#pragma once

#include "sim/base/pack.h"
#include "traces/path.h"
#include "traces/path_blockers.h"

#include <stdbool.h>

struct call_path {
  /* its parts and segments only if the whole chain was asked for; cycles count from the first entry */
  struct path path;
  struct path_blockers blockers;
  struct node_names names; /* of the nodes */
};

/* Append the critical path that RECORDS tell of to PACK; if CHAIN with its parts and segments. */
void call_pack_path(struct pack *pack, const struct path_records *records, bool chain);

/* Take what call_pack_path has appended to PACK.
 * owner: the caller, with call_path_fini. */
struct call_path call_unpack_path(struct pack *pack);

/* Release what PATH holds. */
void call_path_fini(struct call_path *path);
