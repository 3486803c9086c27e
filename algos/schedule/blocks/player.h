/* SPDX-License-Identifier: BSD-3-Clause
 * The program of a rank with thread blocks, and the rank's scratch. */
#pragma once

#include "algos/schedule/blocks/blocks.h"
#include "algos/schedule/blocks/links.h"

struct coll;
struct coll_group;

/* The parameters of a schedule as an algorithm, in this order. */
enum { BLOCKS_DEPTH, BLOCKS_SLOT };

/* The layout of scratch: connections, then the scratch buffer of the schedule. Only the last part depends on
 * the size of the call. */
struct blocks_layout {
  unsigned slot; /* bytes */
  size_t chunk, scratch, nbytes;
  struct links links;
};

/* Lay out SCHEDULE for the call of GROUP.
 * owner: the caller, with blocks_layout_fini. */
struct blocks_layout blocks_layout_new(const struct blocks *schedule, const struct coll_group *group);
void blocks_layout_fini(struct blocks_layout *layout);

/* Return the bytes of a chunk in a call with NBYTES. */
size_t blocks_chunk(const struct blocks *schedule, size_t nbytes);

/* Do the rank's part of the call. */
void blocks_run(const struct blocks *schedule, struct coll *c);
