/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of a rank over connections (links.h), by requests as in MPI. A message of at most `eager` bytes is
 * put into a slot of the receiver. The receiver of a larger message is told, and gets the data from the
 * sender, a window at a time. A request begins at once, and goes on whenever the rank waits for any request;
 * no send waits for a slot alone. Between waits nothing goes on, as in MPI without a thread for progress. */
#pragma once

#include "algos/schedule/links/links.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  MESSAGE_STARTS = 8,   /* places of a message among the bytes for sending, in turn */
  MESSAGE_WINDOWS = 4,  /* of a rank; assumption */
  MESSAGE_STRIDES = 251 /* places of a rank's bytes in the pattern; a prime number */
};

enum message_state {
  MESSAGE_FREE,    /* no request, or the rank has waited for the request */
  MESSAGE_QUEUED,  /* to be sent, without a slot */
  MESSAGE_LEAVING, /* on the way out of the local store */
  MESSAGE_SENT,    /* told to the receiver, not taken yet */
  MESSAGE_POSTED,  /* to be received, without a message */
  MESSAGE_GETTING, /* on the way into a window */
  MESSAGE_DONE,
};

/* A send or a receive: the connection, the number of the message there; the line of the program; all bytes,
 * at first the room of a receive; bytes behind and bytes on the way into the window; the next flag. */
struct message_request {
  enum message_state state;
  unsigned link, window, line;
  uint32_t number;
  uint64_t nbytes, done, present;
  struct spu_flag flag;
};

/* Addresses in each local store: NBYTES for sending, with all starts; a copy of the present eager message;
 * windows, each of WINDOW bytes (0: all messages are eager), at least LEAST of a longer message (0: a line).
 * EAGER: the most bytes of an eager message. */
struct message_places {
  uint32_t send, copy, windows;
  size_t nbytes, window, least, eager;
};

/* A player with messages. */
struct messages {
  struct player player; /* first */
  const struct message_places *places;
  const uint8_t *pattern; /* for the bytes of all ranks, see messages_begin; NULL: nobody looks */
  struct message_request *requests;
  size_t nrequests;
  unsigned used; /* windows in use, bit w for window w */
  unsigned line; /* of requests that begin */
};

/* Find PLACES, with eager and least set, behind address AT for messages of at most LARGEST bytes in a call of
 * GROUP; windows share the rest of a local store.
 * returns: the address behind. */
size_t messages_place(struct message_places *places, const struct coll_group *group, size_t largest,
                      size_t at);

/* Return the bytes of a pattern for PLACES. */
size_t messages_pattern_bytes(const struct message_places *places);

/* Begin a call of the rank of MESSAGES, with c and links of the player, places and pattern set: a request is
 * a task. In the first call the rank's bytes for sending are copied from the pattern. Each message begins at
 * another one of MESSAGE_STARTS places, so that the next message has other bytes. */
void messages_begin(struct messages *messages);

/* Release the memory of MESSAGES, without open requests. */
void messages_fini(struct messages *messages);

/* Make a request to send, if SENDS, or to receive at most, NBYTES over LINK.
 * returns: the request. */
size_t messages_add(struct messages *messages, unsigned link, uint64_t nbytes, bool sends);

/* Let a new REQUEST begin, if the request can. */
void messages_start(struct messages *messages, size_t request);

/* Return the rank's oldest request at LINK without a wait; SIZE_MAX: none. */
size_t messages_oldest(const struct messages *messages, unsigned link);

/* Look for the event that REQUEST waits for; else note the event in the player. */
bool messages_look(struct messages *messages, size_t request);

/* Let REQUEST go on, after the event.
 * returns: whether REQUEST is done; the caller then forgets REQUEST. */
bool messages_go_on(struct messages *messages, size_t request);
void messages_forget(struct messages *messages, size_t request);

/* Let all requests go on, and forget REQUEST if done; or wait for REQUEST, or for all. SIZE_MAX is nothing.
 * faults: another byte than in the pattern; a message larger than the receive. */
void messages_test(struct messages *messages, size_t request);
void messages_wait(struct messages *messages, size_t request);
void messages_wait_all(struct messages *messages);
