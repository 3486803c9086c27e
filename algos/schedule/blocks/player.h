/* SPDX-License-Identifier: BSD-3-Clause
 * The program of a rank with thread blocks, and the rank's scratch. */
#pragma once

#include "algos/schedule/blocks/blocks.h"

struct coll;
struct coll_group;

/* The parameters of a schedule as an algorithm, in this order. */
enum { BLOCKS_DEPTH, BLOCKS_SLOT };

enum {
  BLOCKS_LOOK =
    20 /* cycles to look at a task; assumption: a dozen instructions of an SPU, with a branch missed */
};

/* Offsets of a connection in scratch: the slots and the count of arrivals at the receiver, the count of free
 * slots at the sender; the counts sent, one for each slot, at the sender and at the receiver. */
struct link {
  size_t slots, arrived, freed, arrived_out, freed_out;
};

/* The layout of scratch: counts; numbers of messages kept from call to call; slots; the scratch buffer of the
 * schedule. Only the last part depends on the size of the call. */
struct blocks_layout {
  unsigned depth, slot; /* number and bytes of the slots of a connection */
  size_t chunk;         /* bytes */
  size_t counts, kept, scratch, nbytes;
  struct link *links; /* by connection */
};

/* Lay out SCHEDULE for the call of GROUP.
 * owner: the caller, with blocks_layout_fini. */
struct blocks_layout blocks_layout_new(const struct blocks *schedule, const struct coll_group *group);
void blocks_layout_fini(struct blocks_layout *layout);

/* Return the bytes of a chunk in a call with NBYTES. */
size_t blocks_chunk(const struct blocks *schedule, size_t nbytes);

/* Do the rank's part of the call. */
void blocks_run(const struct blocks *schedule, struct coll *c);
