/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks of happens-before; see order_private.h. */
#include "traces/order/order_private.h"

#include "sim/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Clocks are joined several lanes at a time: a vector as long as those of any 64-bit processor. The numbers
 * are less than 2^31. */
enum { LANES_AT_ONCE = 4 };
typedef int32_t lanes __attribute__((vector_size(4 * LANES_AT_ONCE)));

struct order_clock *order_clock_new(struct order_clocks *clocks) {
  struct order_clock *clock = clocks->unused;
  if (clock) {
    clocks->unused = clock->next;
  } else {
    clock = xcalloc(1, sizeof *clock);
  }
  clock->refs = 1;
  clock->n = clock->sent = 0;
  return clock;
}

/* --- other nodes --- */

static void drop_abroad(struct order_clocks *clocks, struct order_abroad *abroad) {
  if (abroad && --abroad->refs == 0) {
    VEC_EACH(known, abroad->known, abroad->n) {
      order_clock_drop(clocks, *known);
    }
    free(abroad);
  }
}

/* Return the newer one of snapshots A and B of one sender; NULL is older than all. */
static struct order_clock *newer(struct order_clock *a, struct order_clock *b) {
  return !a || (b && b->sent > a->sent) ? b : a;
}

/* Tell whether A (NULL: none) lacks a snapshot of B, or has an older one. */
static bool adds_abroad(const struct order_abroad *a, const struct order_abroad *b) {
  for (uint32_t i = 0; b && b != a && i < b->n; i++) {
    struct order_clock *known = a && i < a->n ? a->known[i] : NULL;
    if (newer(known, b->known[i]) != known) {
      return true;
    }
  }
  return false;
}

/* Let CLOCK have the newer snapshots of B (NULL: none) as well, and room for N senders. */
static void set_abroad(struct order_clocks *clocks, struct order_clock *clock, const struct order_abroad *b,
                       uint32_t n) {
  struct order_abroad *a = clock->abroad;
  RAISE(n, b ? b->n : 0);
  if (!a || a->refs > 1 || a->n < n) {
    RAISE(n, a ? a->n : 0);
    clock->abroad = xcalloc(1, sizeof *a + n * sizeof(struct order_clock *));
    *clock->abroad = (struct order_abroad){.refs = 1, .n = n};
    for (uint32_t i = 0; a && i < a->n; i++) {
      clock->abroad->known[i] = a->known[i] ? order_clock_share(a->known[i]) : NULL;
    }
    drop_abroad(clocks, a);
  }
  for (uint32_t i = 0; b && i < b->n; i++) {
    struct order_clock **known = &clock->abroad->known[i], *old = *known;
    *known = newer(old, b->known[i]);
    if (*known != old) {
      order_clock_share(*known);
      order_clock_drop(clocks, old);
    }
  }
}

/* --- lanes --- */

void order_clock_drop(struct order_clocks *clocks, struct order_clock *clock) {
  if (clock && --clock->refs == 0) {
    struct order_abroad *abroad = clock->abroad;
    struct order_clock *may = clock->may;
    clock->abroad = NULL;
    clock->may = NULL;
    clock->next = clocks->unused;
    clocks->unused = clock;
    drop_abroad(clocks, abroad);
    order_clock_drop(clocks, may);
  }
}

void order_clocks_fini(struct order_clocks *clocks) {
  while (clocks->unused) {
    SCOPED struct order_clock *clock = clocks->unused;
    clocks->unused = clock->next;
    free(clock->counts);
  }
}

/* Let CLOCK have at least N lanes. */
static void reach(struct order_clock *clock, uint32_t n) {
  n = (n + LANES_AT_ONCE - 1) / LANES_AT_ONCE * LANES_AT_ONCE;
  if (clock->room < n) {
    clock->room = 2 * n;
    clock->counts = xrealloc(clock->counts, clock->room, sizeof *clock->counts);
  }
  if (clock->n < n) {
    memset(&clock->counts[clock->n], 0, (n - clock->n) * sizeof *clock->counts);
    clock->n = n;
  }
}

void order_clock_raise(struct order_clock *clock, uint32_t lane, uint32_t count) {
  reach(clock, lane + 1);
  RAISE(clock->counts[lane], count);
}

/* Let INTO have the knowledge of FROM, without the possible knowledge. */
static void join_lanes(struct order_clocks *clocks, struct order_clock *into,
                       const struct order_clock *from) {
  reach(into, from->n);
  uint32_t *to = into->counts, *end = to + from->n;
  for (const uint32_t *other = from->counts; to < end; to += LANES_AT_ONCE, other += LANES_AT_ONCE) {
    lanes a, b;
    memcpy(&a, to, sizeof a);
    memcpy(&b, other, sizeof b);
    lanes more = a > b;
    a = (a & more) | (b & ~more);
    memcpy(to, &a, sizeof a);
  }
  struct order_abroad *abroad = from->abroad;
  if (adds_abroad(into->abroad, abroad)) {
    if (adds_abroad(abroad, into->abroad)) {
      set_abroad(clocks, into, abroad, 0);
    } else {
      drop_abroad(clocks, into->abroad);
      into->abroad = abroad;
      abroad->refs++;
    }
  }
}

static struct order_clock *copy_lanes(struct order_clocks *clocks, const struct order_clock *from) {
  struct order_clock *clock = order_clock_new(clocks);
  reach(clock, from->n);
  if (from->n) {
    memcpy(clock->counts, from->counts, from->n * sizeof *clock->counts);
  }
  return clock;
}

struct order_clock *order_clock_copy(struct order_clocks *clocks, const struct order_clock *from) {
  struct order_clock *clock = copy_lanes(clocks, from);
  if (from->abroad) {
    clock->abroad = from->abroad;
    clock->abroad->refs++;
  }
  clock->may = from->may ? order_clock_share(from->may) : NULL;
  return clock;
}

/* Return the possible knowledge of CLOCK, with one owner. */
static struct order_clock *own_may(struct order_clocks *clocks, struct order_clock *clock) {
  struct order_clock *may = clock->may;
  if (!may || may->refs > 1) {
    clock->may = may ? order_clock_copy(clocks, may) : order_clock_new(clocks);
    order_clock_drop(clocks, may);
  }
  return clock->may;
}

/* Let INTO have MAY as possible knowledge. */
static void join_may(struct order_clocks *clocks, struct order_clock *into, struct order_clock *may) {
  if (!into->may) {
    into->may = order_clock_share(may);
  } else if (into->may != may) {
    join_lanes(clocks, own_may(clocks, into), may);
  }
}

void order_clock_join(struct order_clocks *clocks, struct order_clock *into, const struct order_clock *from) {
  if (from) {
    join_lanes(clocks, into, from);
    if (__builtin_expect(from->may != NULL, 0)) {
      join_may(clocks, into, from->may);
    }
  }
}

void order_clock_learn(struct order_clocks *clocks, struct order_clock *into,
                       const struct order_clock *from) {
  join_lanes(clocks, own_may(clocks, into), from);
  if (from->may) {
    join_may(clocks, into, from->may);
  }
}

void order_clock_leave(struct order_clocks *clocks, struct order_clock *clock) {
  clock->n = 0;
  if (clock->may) {
    own_may(clocks, clock)->n = 0;
  }
}

void order_clock_send(struct order_clocks *clocks, struct order_clock *clock, uint32_t sender,
                      uint32_t sent) {
  struct order_clock *snapshot = copy_lanes(clocks, clock);
  snapshot->may = clock->may ? copy_lanes(clocks, clock->may) : NULL;
  snapshot->sent = sent;
  set_abroad(clocks, clock, NULL, sender + 1);
  order_clock_drop(clocks, clock->abroad->known[sender]);
  clock->abroad->known[sender] = snapshot;
}
