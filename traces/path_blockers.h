/* SPDX-License-Identifier: BSD-3-Clause
 * Who stood in the way on a critical path, where, and for how long. */
#pragma once

#include "traces/path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATH_WHERE_SIZE = 200 };

struct path_blockers_row {
  /* "the ramp of SPE 0", "the memory of chip 0", "the link from chip 0 to chip 1"; of several nodes with the
   * node behind it, or "link n0-up" */
  char where[PATH_WHERE_SIZE];
  uint64_t cycles;
  uint32_t server;
  uint16_t node; /* of the server; RECORD_NOBODY: it is one of the network, and `spe` a node */
  uint16_t spe;  /* whose commands they were; RECORD_NOBODY: that is not known */
  bool own;      /* the command that waited was one of that SPE as well */
};

struct path_blockers {
  struct path_blockers_row *rows; /* those of a place together, the place with most cycles first */
  size_t n;
};

/* Find who stood in the way on PATH, which is that of RECORDS.
 * owner: the caller, who frees the rows. */
struct path_blockers path_blockers(const struct path *path, const struct path_records *records);
