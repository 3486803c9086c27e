/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks of happens-before; for traces/order*.c only.
 *
 * A lane is a program, or the commands of one tag of one queue of an MFC, on one node. A clock has a number
 * for each lane. The number of a program is an epoch: all work of the program up to the end of this epoch is
 * known to be over. The number of a tag counts commands: so many, from the first one on, are known to be
 * complete.
 *
 * Knowledge of other nodes consists of snapshots: each is the clock of a program at a message sent by the
 * program. A snapshot counts when a message brings the snapshot back to its own node. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Snapshots of other nodes. Never changed once shared. */
struct order_abroad {
  uint32_t refs, n;
  struct order_clock *known[]; /* by number of the sender: the newest snapshot; NULL: none */
};

struct order_clock {
  uint32_t refs, n, room; /* lanes from n on are 0 */
  uint32_t sent;          /* of a snapshot: the number of the message among the messages of its sender */
  uint32_t *counts;
  struct order_abroad *abroad; /* NULL: nothing */
  /* possible knowledge: of words in the memory of a program, seen without a report or not; without such
   * knowledge of its own; NULL: nothing */
  struct order_clock *may;
  struct order_clock *next; /* among unused clocks */
};

/* Unused clocks. */
struct order_clocks {
  struct order_clock *unused;
};

/* Return a clock of nothing, or a copy of FROM.
 * owner: the caller, with order_clock_drop. */
struct order_clock *order_clock_new(struct order_clocks *clocks);
struct order_clock *order_clock_copy(struct order_clocks *clocks, const struct order_clock *from);

/* Return CLOCK for one more owner. */
static inline struct order_clock *order_clock_share(struct order_clock *clock) {
  clock->refs++;
  return clock;
}

/* Take CLOCK (NULL: nothing happens) from one owner. */
void order_clock_drop(struct order_clocks *clocks, struct order_clock *clock);

/* Release all unused CLOCKS. */
void order_clocks_fini(struct order_clocks *clocks);

static inline uint32_t order_clock_get(const struct order_clock *clock, uint32_t lane) {
  return lane < clock->n ? clock->counts[lane] : 0;
}

/* Let CLOCK, with one owner, know LANE up to COUNT. */
void order_clock_raise(struct order_clock *clock, uint32_t lane, uint32_t count);

/* Let INTO, with one owner, have the knowledge of FROM (NULL: none). */
void order_clock_join(struct order_clocks *clocks, struct order_clock *into, const struct order_clock *from);

/* Let INTO, with one owner, have the knowledge of FROM as possible knowledge. */
void order_clock_learn(struct order_clocks *clocks, struct order_clock *into, const struct order_clock *from);

/* Let CLOCK, with one owner, know nothing of its own node. */
void order_clock_leave(struct order_clocks *clocks, struct order_clock *clock);

/* Tell whether CLOCK knows, or may know, LANE up to COUNT. */
static inline bool order_clock_may_get(const struct order_clock *clock, uint32_t lane, uint32_t count) {
  return order_clock_get(clock, lane) >= count || (clock->may && order_clock_get(clock->may, lane) >= count);
}

/* Return the snapshot of SENDER, counted from 1, in CLOCK; NULL: none. */
static inline const struct order_clock *order_clock_abroad(const struct order_clock *clock, uint32_t sender) {
  const struct order_abroad *abroad = clock->abroad;
  return abroad && sender <= abroad->n ? abroad->known[sender - 1] : NULL;
}

/* Let CLOCK, with one owner, have itself as the snapshot of message number SENT of SENDER. */
void order_clock_send(struct order_clocks *clocks, struct order_clock *clock, uint32_t sender, uint32_t sent);
