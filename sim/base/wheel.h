/* SPDX-License-Identifier: BSD-3-Clause
 * A timing wheel: the pending events of the machine in the order in which they happen. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One pending event. It is a member of the thing it happens to; the wheel only links it.
 * Events at the same cycle happen in ascending `order`, equal orders first come, first served. */
struct event {
  struct event *next;
  uint64_t at;    /* cycle */
  uint32_t order; /* phase (the high byte) and unit: the explicit total order within one cycle */
  bool pending;
  bool late; /* in the heap */
  void (*run)(struct event *event);
};

/* The structure of TYPE that contains the event EVENT as MEMBER. */
#define EVENT_OWNER(event, type, member) ((type *)(void *)((char *)(event)-offsetof(type, member)))

enum { WHEEL_SLOTS = 1024, WHEEL_WORDS = WHEEL_SLOTS / 64, WHEEL_PHASES = 8, WHEEL_PHASE_SHIFT = 24 };

/* The events of one cycle, in their order. */
struct wheel_slot {
  struct event *first, *last;
};

/* Events less than WHEEL_SLOTS cycles ahead lie in the slot of their cycle, later ones in a heap. */
struct wheel {
  uint64_t now;
  uint64_t used_words;        /* bit w: some slot of word w is used */
  uint64_t used[WHEEL_WORDS]; /* bit s % 64 of word s / 64: slot s is used */
  struct wheel_slot slots[WHEEL_SLOTS];
  struct event
    *latest[WHEEL_SLOTS][WHEEL_PHASES]; /* put behind all others of its phase; it may have happened since */
  struct wheel_late *late;              /* heap ordered by cycle, then by arrival */
  unsigned nlate, late_capacity;
  uint64_t late_serial;
};

#define WHEEL_NEVER (UINT64_MAX)

/* Make WHEEL empty, at cycle 0. */
void wheel_init(struct wheel *wheel);

/* Release what WHEEL allocated; pending events are forgotten. */
void wheel_fini(struct wheel *wheel);

/* Forget all events and go back to cycle 0. */
void wheel_reset(struct wheel *wheel);

/* Let EVENT happen at cycle AT, which is not in the past. EVENT must not be pending. */
static inline void wheel_add(struct wheel *wheel, struct event *event, uint64_t at);

/* Take the pending EVENT back. */
void wheel_remove(struct wheel *wheel, struct event *event);

/* Return the cycle of the earliest event, or WHEEL_NEVER. */
static inline uint64_t wheel_next(const struct wheel *wheel);

/* Move the clock to cycle AT: not back, and not past a pending event. */
static inline void wheel_advance(struct wheel *wheel, uint64_t at);

/* Take out the next event of the current cycle; NULL when there is none left in it. */
static inline struct event *wheel_pop(struct wheel *wheel);

/* Take out the next event of the current cycle if it is of the same order as EVENT; else return NULL. */
static inline struct event *wheel_take_same(struct wheel *wheel, const struct event *event);

/* Take out and run all events of the current cycle, also those that they add to it. */
void wheel_run(struct wheel *wheel);

/* --- what runs for every event, or for every cycle --- */

/* Return the cycle of the earliest event, which is not in the word of the current cycle, or is late, or WHEEL_NEVER. */
uint64_t wheel_next_rarely(const struct wheel *wheel);

/* Bring those late events into their slots that are late no more. */
void wheel_bring_late(struct wheel *wheel);

static inline uint64_t
wheel_next(const struct wheel *wheel)
{
  unsigned slot = (unsigned)(wheel->now % WHEEL_SLOTS);
  uint64_t here = wheel->used[slot / 64] >> slot % 64;
  return here ? wheel->now + (unsigned)__builtin_ctzll(here) : wheel_next_rarely(wheel);
}

static inline void
wheel_advance(struct wheel *wheel, uint64_t at)
{
  assert(at >= wheel->now);
  wheel->now = at;
  if (wheel->nlate) {
    wheel_bring_late(wheel);
  }
}

/* Put EVENT, which is late or not the last of its cycle, in its place. */
void wheel_add_rarely(struct wheel *wheel, struct event *event);

static inline void
wheel_add(struct wheel *wheel, struct event *event, uint64_t at)
{
  unsigned index = (unsigned)(at % WHEEL_SLOTS);
  struct wheel_slot *slot = &wheel->slots[index];
  assert(!event->pending);
  event->next = NULL;
  event->at = at;
  event->pending = true;
  if (at - wheel->now >= WHEEL_SLOTS || (slot->first && slot->last->order > event->order)) {
    wheel_add_rarely(wheel, event);
  } else if (slot->first) {
    wheel->latest[index][event->order >> WHEEL_PHASE_SHIFT] = event;
    slot->last->next = event;
    slot->last = event;
  } else {
    wheel->latest[index][event->order >> WHEEL_PHASE_SHIFT] = event;
    slot->first = slot->last = event;
    wheel->used[index / 64] |= UINT64_C(1) << index % 64;
    wheel->used_words |= UINT64_C(1) << index / 64;
  }
}

static inline void
wheel_mark_empty(struct wheel *wheel, unsigned index)
{
  wheel->used[index / 64] &= ~(UINT64_C(1) << index % 64);
  if (!wheel->used[index / 64]) {
    wheel->used_words &= ~(UINT64_C(1) << index / 64);
  }
}

static inline struct event *
wheel_pop(struct wheel *wheel)
{
  unsigned index = (unsigned)(wheel->now % WHEEL_SLOTS);
  struct wheel_slot *slot = &wheel->slots[index];
  struct event *event = slot->first;
  if (event) {
    event->pending = false;
    slot->first = event->next;
    if (!event->next) {
      wheel_mark_empty(wheel, index);
    }
  }
  return event;
}

static inline struct event *
wheel_take_same(struct wheel *wheel, const struct event *event)
{
  struct wheel_slot *slot = &wheel->slots[wheel->now % WHEEL_SLOTS];
  struct event *next = slot->first;
  if (!next || next->order != event->order) {
    return NULL;
  }
  next->pending = false;
  slot->first = next->next;
  return next;
}
