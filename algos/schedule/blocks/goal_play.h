/* SPDX-License-Identifier: BSD-3-Clause
 * GOAL played without time. A send is over when received, or, up to EAGER bytes, when all pieces of the
 * message lie in the slots of the connection (sender, receiver, tag). For this folder only. */
#pragma once

#include "algos/schedule/blocks/goal.h"

/* Operations in wait in a row. */
struct goal_row {
  unsigned first, last;
};

struct goal_channel {
  struct goal_row sends, receives;
  unsigned filled; /* the first send outside slots */
  uint64_t used;   /* slots, up to there */
};

struct goal_state {
  unsigned next, nleft, mate; /* next in a row; requirements not met; GOAL_NONE: none */
  bool has_begun, has_ended, is_late;
  size_t turn; /* the number of operations that began before */
};

/* A play. In an open rank, nothing but calculations happens without being chosen: a receive takes no message,
 * and an operation on which others wait is late: over, but not ended. */
struct goal_play {
  const struct goal *goal;
  struct goal_slots slots;
  struct goal_state *states;
  struct goal_channel *channels; /* by connection */
  struct goal_row *wild;         /* receives with wildcards, by rank */
  unsigned *ready;
  size_t nready, nbegun;
  uint64_t *reach; /* by operation: begin, then end; NULL: not wanted */
  size_t nwords;
  struct judgement *judgement; /* NULL: only whether all ends */
  unsigned last;               /* the last receive with a wildcard that took a message; GOAL_NONE: none */
  /* By rank: receives with wildcards not taken; other receives and these that have begun; sends that have
   * begun and whose ends are required, and late receives. NULL: no rank is open. */
  unsigned *nwild, *nposted, *nopen;
  unsigned *late;
  size_t nlate;
  bool has_long; /* a receive has taken a longer message */
};

/* Make a play of GOAL with SLOTS, at the beginning; ranks with wildcards are open if IS_OPEN.
 * owner: the caller, with goal_play_fini. */
struct goal_play goal_play_new(const struct goal *goal, struct goal_slots slots, bool is_open);
void goal_play_fini(struct goal_play *play);

/* Begin the operations of PLAY that can begin. */
void goal_play_begin(struct goal_play *play);

/* Tell whether RANK is open: a receive with a wildcard is left. */
static inline bool goal_play_is_open(const struct goal_play *play, unsigned rank) {
  return play->nwild && play->nwild[rank] > 0;
}

/* Return the receive for the next message of channel INDEX; GOAL_NONE: there is no such receive, or no
 * message. */
unsigned goal_play_receiver(const struct goal_play *play, size_t index);

/* Let the next message of channel INDEX, for which there is a receive, be received; let late OPERATION
 * end. */
void goal_play_receive(struct goal_play *play, size_t index);
void goal_play_end(struct goal_play *play, unsigned operation);

/* Return the slots that SEND takes. */
uint64_t goal_play_slots(const struct goal_play *play, unsigned send);

/* Tell whether RECEIVE, with a wildcard, may take messages of channel INDEX. */
bool goal_play_may_take(const struct goal_play *play, const struct goal_operation *receive, size_t index);

/* Before the beginning: let PLAY note the ranks that each end depends on, if there is room. At the end: count
 * the ranks for JUDGEMENT. */
void goal_play_want_reach(struct goal_play *play);
void goal_play_count_reach(const struct goal_play *play, struct judgement *judgement);

/* Tell how GOAL ends in all orders with SLOTS. JUDGEMENT, or NULL, gets the findings of a wrong order. */
enum goal_orders { GOAL_ALL_END, GOAL_ONE_FAILS, GOAL_NOT_DECIDED };
enum goal_orders goal_orders(const struct goal *goal, struct goal_slots slots, struct judgement *judgement);

/* Judge PLAY at the end, for JUDGEMENT, or NULL.
 * returns: whether all operations have ended, and all messages are received. */
bool goal_play_judge(const struct goal_play *play, struct judgement *judgement);
