/* SPDX-License-Identifier: BSD-3-Clause
 * Connections in local store, and the player of a rank. A message is a put into a slot and a put of a count
 * behind the data, with one tag; beside the count lie the bytes of the message and of the rest, and the call.
 * A slot is given back by a count in the other direction. Each slot has counts of its own. No count is ever
 * cleared: a late rank would erase arrivals.
 *
 * A player looks at all tasks of the rank in turn, and a task with nothing to wait for goes on. If no task
 * did, the rank waits for any event needed by a task. A task never waits, so a program has only the deadlocks
 * of the schedule. */
#pragma once

#include "algos/step/coll.h"
#include "algos/step/port.h"

#include <stddef.h>
#include <stdint.h>

enum {
  LINK_TAGS = 15,
  LINK_LOOK = 20, /* cycles to look at a task; assumption: a dozen instructions of an SPU, a branch missed */
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

/* A message: the tag of the commands, the data, the bytes of further messages for the same receive; the
 * number on the connection, from 1. */
struct message {
  unsigned tag;
  uint8_t *data;
  size_t nbytes;
  uint64_t rest;
  uint32_t number;
};

/* Return the flag of rank C for message NUMBER of LINK: the arrival, or a free slot. */
struct spu_flag link_flag(const struct coll *c, const struct link *link, uint32_t number, bool arrives);

/* Return the slot of message NUMBER of LINK, in the scratch of C. */
uint8_t *link_slot(const struct coll *c, const struct link *link, uint32_t number);

/* Put MESSAGE into the slot of LINK. */
void link_put(struct coll *c, const struct link *link, const struct message *message);

/* Tell the other rank of LINK the number of MESSAGE: the arrival, or, with FREES, a free slot. */
void link_tell(struct coll *c, const struct link *link, const struct message *message, bool frees);

/* The events that a rank awaits; FLAGS, with ROOM for so many: of the owner. */
struct awaited {
  struct spu_flag *flags;
  size_t room;
  struct spu_any any;
};

/* Empty AWAITED. */
void awaited_clear(struct awaited *awaited);

/* Look for FLAG; a flag that is not up is noted in AWAITED.
 * returns: NULL: up; else the note. */
struct spu_flag *awaited_look(struct awaited *awaited, const struct spu_flag *flag);

/* Tell whether all commands with TAGS of C have ended; else note TAGS in AWAITED. */
bool awaited_tags(struct awaited *awaited, const struct coll *c, uint32_t tags);

/* The program of a rank. */
struct player {
  struct coll *c;
  const struct links *links;
  uint32_t *counts;     /* of messages of each end, as of links_begin */
  size_t ntasks, nopen; /* NOPEN: tasks, or operations, left to do */
  /* let task I go on
   * returns: whether the task did */
  bool (*advance)(struct player *player, unsigned i);
  struct awaited awaited; /* in this turn */
};

/* Let all tasks of PLAYER go on; if none can, wait for an event, if BLOCKS. */
void player_turn(struct player *player, bool blocks);

/* Let all tasks of PLAYER go on in turn until none is left. */
void player_play(struct player *player);

/* Copy NBYTES within the local store of the calling program; INTO equal to FROM: the bytes are only read. */
void link_copy(uint8_t *into, const uint8_t *from, size_t nbytes);
