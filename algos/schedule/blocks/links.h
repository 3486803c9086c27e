/* SPDX-License-Identifier: BSD-3-Clause
 * Connections in local store, for players. A message is a put into a slot and a put of a count behind the
 * data, with one tag; beside the count lie the bytes of the message and of the rest, and the call. A slot is
 * given back by a count in the other direction. Each slot has counts of its own. No count is ever cleared: a
 * late rank would erase arrivals. */
#pragma once

#include "algos/step/port.h"

#include <stddef.h>
#include <stdint.h>

struct coll;

enum {
  LINK_LOOK = 20, /* cycles to look at a task; assumption: a dozen instructions of an SPU, a branch missed */
  LINK_TAGS = 15,
  LINK_BYTES = 1, /* words behind the word of a flag of an arrival */
  LINK_REST,
  LINK_CALL, /* calls of the sender before */
};

/* A connection: ranks, number and bytes of slots; numbers of the ends, on each rank from 0; offsets in
 * scratch: the slots and the counts of arrivals at the receiver, the counts of free slots at the sender; the
 * counts sent at both. */
struct link {
  unsigned from, to, depth, slot;
  unsigned out, in;
  size_t slots, arrived, freed, arrived_out, freed_out;
};

/* The layout of scratch: counts; the number of messages of each end, kept from call to call; slots, up to
 * NBYTES. NENDS: the most ends of a rank. */
struct links {
  struct link *items;
  size_t n, nends, counts, kept, nbytes;
};

/* Lay out LINKS, N of them, among NRANKS ranks.
 * owner: the caller, of ITEMS. */
void links_lay(struct links *links, unsigned nranks);

/* Begin a call of C with LINKS.
 * returns: the kept numbers of messages of the ends of rank C. */
uint32_t *links_begin(const struct links *links, const struct coll *c);

/* Return the flag of rank C for message NUMBER of LINK, from 1: the arrival, or a free slot. */
struct spu_flag link_flag(const struct coll *c, const struct link *link, uint32_t number, bool arrives);

/* Return the slot of message NUMBER of LINK, in the scratch of C. */
uint8_t *link_slot(const struct coll *c, const struct link *link, uint32_t number);

/* A message: the number, the tag of the commands, the data, and the bytes of further messages for the same
 * receive. */
struct link_message {
  uint32_t number;
  unsigned tag;
  uint8_t *data;
  size_t nbytes;
  uint64_t rest;
};

/* Put MESSAGE into the slot of LINK; or give the slot of the message back. */
void link_put(struct coll *c, const struct link *link, const struct link_message *message);
void link_free(struct coll *c, const struct link *link, const struct link_message *message);

/* Copy NBYTES within the local store of C; INTO equal to FROM: the bytes are only read. */
void link_copy(struct coll *c, uint8_t *into, const uint8_t *from, size_t nbytes);
