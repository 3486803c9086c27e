/* SPDX-License-Identifier: BSD-3-Clause
 * A timing wheel: the pending events of the machine, ordered by time. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One pending event, a member of the structure of a unit; the wheel only links the event. Events of one cycle
 * happen in ascending `order`; events of equal order happen first come, first served. */
struct event {
  union {
    struct event *next;
    unsigned place; /* in the heap */
  };
  uint64_t at;    /* cycle */
  uint32_t order; /* the explicit total order within one cycle */
  bool pending;
  void (*run)(struct event *event);
};

/* The structure of TYPE with the event EVENT as MEMBER. */
#define EVENT_OWNER(event, type, member) ((type *)(void *)((char *)(event)-offsetof(type, member)))

/* Tell whether A happens before B: at an earlier cycle, or in the same one in an earlier order. */
static inline bool event_is_before(const struct event *a, const struct event *b) {
  return a->at != b->at ? a->at < b->at : a->order < b->order;
}

/* Time is cut into blocks of as many cycles as a word has bits. Nearly all delays are shorter than the slots
 * reach. */
enum { WHEEL_BLOCK = 64, WHEEL_BLOCKS = 16, WHEEL_SLOTS = WHEEL_BLOCKS * WHEEL_BLOCK };

/* Events before the horizon lie in the slot of their cycle, later events in a heap. */
struct wheel {
  uint64_t now;
  /* the horizon, the first cycle without a slot: a whole number of blocks */
  uint64_t horizon;
  uint64_t used[WHEEL_BLOCKS];      /* bit s % WHEEL_BLOCK of word s / WHEEL_BLOCK: slot s has events */
  struct event *slots[WHEEL_SLOTS]; /* per cycle: the last event, whose `next` is the first event */
  bool unordered[WHEEL_SLOTS];      /* the events of the slot may not be in order */
  struct event *running;            /* the next events of the current cycle, in order */
  struct wheel_late *late;          /* heap ordered by cycle, then by arrival */
  unsigned nlate, late_capacity;
  uint64_t late_serial;
};

/* Release the memory of WHEEL; pending events are forgotten. */
void wheel_fini(struct wheel *wheel);

/* Make WHEEL, which starts as zero, empty and at cycle 0. */
void wheel_reset(struct wheel *wheel);

/* Take the pending EVENT back. */
void wheel_remove(struct wheel *wheel, struct event *event);

/* Return the cycle of the earliest event; UINT64_MAX: there is none. No event may be running. */
uint64_t wheel_next(const struct wheel *wheel);

/* Return the number of pending events. No event may be running. */
size_t wheel_count(const struct wheel *wheel);

/* Run the events of the block with the earliest event, and the events added meanwhile, up to cycle END
 * exclusive; the clock moves with the events.
 * returns: false if there was no event. */
bool wheel_run(struct wheel *wheel, uint64_t end);

/* --- called for every event --- */

/* Put EVENT, which lies beyond the horizon, into the heap. */
void wheel_add_late(struct wheel *wheel, struct event *event);

/* Put EVENT into its slot, whose last event has a higher order. */
void wheel_add_before(struct wheel *wheel, struct event *event);

/* Let EVENT happen at cycle AT, which is not in the past. EVENT must not be pending. */
static inline void wheel_add(struct wheel *wheel, struct event *event, uint64_t at) {
  assert(!event->pending && at >= wheel->now);
  event->pending = true;
  event->at = at;
  if (at >= wheel->horizon) {
    wheel_add_late(wheel, event);
    return;
  }
  unsigned slot = (unsigned)(at % WHEEL_SLOTS);
  struct event *last = wheel->slots[slot];
  if (!last) {
    event->next = event;
    wheel->slots[slot] = event;
    wheel->used[slot / WHEEL_BLOCK] |= UINT64_C(1) << slot % WHEEL_BLOCK;
  } else if (last->order <= event->order) {
    event->next = last->next;
    last->next = event;
    wheel->slots[slot] = event;
  } else {
    wheel_add_before(wheel, event);
  }
}

/* Tell whether the next event of the current cycle has the order of EVENT, the current event. */
static inline bool wheel_same_follows(const struct wheel *wheel, const struct event *event) {
  return wheel->running && wheel->running->order == event->order;
}

/* Take out the next event of the current cycle if its order is the order of EVENT, which runs now.
 * returns: the event; NULL if no event has this order. */
static inline struct event *wheel_take_same(struct wheel *wheel, const struct event *event) {
  struct event *next = wheel->running;
  if (!wheel_same_follows(wheel, event)) {
    return NULL;
  }
  next->pending = false;
  wheel->running = next->next;
  return next;
}
