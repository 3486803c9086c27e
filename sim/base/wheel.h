/* SPDX-License-Identifier: BSD-3-Clause
 * A timing wheel: the pending events of the machine in the order in which they happen. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* One pending event. It is a member of the thing it happens to; the wheel only links it.
 * Events at the same cycle happen in ascending `order`, equal orders first come, first served. */
struct event {
  struct event *next;
  uint64_t at;    /* cycle */
  uint32_t order; /* phase and unit: the explicit total order within one cycle */
  bool pending;
  void (*run)(struct event *event);
};

/* The structure of TYPE that contains the event EVENT as MEMBER. */
#define EVENT_OWNER(event, type, member) ((type *)(void *)((char *)(event)-offsetof(type, member)))

enum { WHEEL_SLOTS = 1024, WHEEL_WORDS = WHEEL_SLOTS / 64 };

/* Events less than WHEEL_SLOTS cycles ahead lie in the slot of their cycle, later ones in a heap. */
struct wheel {
  uint64_t now;
  uint64_t used_words;        /* bit w: some slot of word w is used */
  uint64_t used[WHEEL_WORDS]; /* bit s % 64 of word s / 64: slot s is used */
  struct event *first[WHEEL_SLOTS], *last[WHEEL_SLOTS];
  struct wheel_late *late; /* heap ordered by cycle, then by arrival */
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
void wheel_add(struct wheel *wheel, struct event *event, uint64_t at);

/* Take the pending EVENT back. */
void wheel_remove(struct wheel *wheel, struct event *event);

/* Return the cycle of the earliest event, or WHEEL_NEVER. */
uint64_t wheel_next(const struct wheel *wheel);

/* Move the clock to cycle AT: not back, and not past a pending event. */
void wheel_advance(struct wheel *wheel, uint64_t at);

/* Take out the next event of the current cycle; NULL when there is none left in it. */
struct event *wheel_pop(struct wheel *wheel);
