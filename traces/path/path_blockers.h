/* SPDX-License-Identifier: BSD-3-Clause
 * The blockers on a critical path (what is served while the path waits), the servers, and the cycles. */
#pragma once

#include "traces/path/path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct path_blockers_row {
  /* "the ramp of SPE 0", "the memory of chip 0", "the link from chip 0 to chip 1"; of several nodes with the
   * node behind the name, or "link n0-up" */
  char where[200];
  uint64_t cycles;
  uint64_t place_cycles; /* of all blockers at the place; results do not keep the sum */
  uint32_t server;
  uint16_t node; /* of the server; RECORD_NOBODY: a server of the network, and `spe` is a node */
  uint16_t spe;  /* of the blocking commands; RECORD_NOBODY: unknown */
  bool own;      /* the waiting command belongs to the same SPE */
};

struct path_blockers {
  struct path_blockers_row *rows; /* ordered by place, the place with most cycles first */
  size_t n;
};

/* Find the blockers on PATH, the path of RECORDS.
 * owner: the caller, who frees the rows. */
struct path_blockers path_blockers(const struct path *path, const struct path_records *records);

/* Return the name of the blocker of ROW, an SPE or by NAMES a node; a text_brief. */
const char *path_blockers_name(const struct path_blockers_row *row, const struct node_names *names);
