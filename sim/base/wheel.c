/* SPDX-License-Identifier: BSD-3-Clause
 * See wheel.h.
 *
 * Delays in the bus model are short and bounded, so that nearly every event goes into the slot of its cycle: one list
 * insertion, usually at the end. Two levels of bit masks find the next used slot. Long computations go through a heap.
 *
 * Invariants: a slot holds events of one cycle only, sorted by order; the heap holds only events at least WHEEL_SLOTS
 * cycles ahead of the clock, so an event moves from the heap to its slot before any event of that cycle can be added
 * directly, and equal orders keep their order of arrival. */
#include "sim/base/wheel.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

struct wheel_late {
  struct event *event;
  uint64_t serial;
};

void
wheel_init(struct wheel *wheel)
{
  memset(wheel, 0, sizeof *wheel);
}

void
wheel_fini(struct wheel *wheel)
{
  free(wheel->late);
  wheel->late = NULL;
}

void
wheel_reset(struct wheel *wheel)
{
  struct wheel_late *late = wheel->late;
  unsigned capacity = wheel->late_capacity;
  wheel_init(wheel);
  wheel->late = late;
  wheel->late_capacity = capacity;
}

static bool
late_before(const struct wheel_late *a, const struct wheel_late *b)
{
  return a->event->at != b->event->at ? a->event->at < b->event->at : a->serial < b->serial;
}

/* Put ENTRY where slot HOLE of the heap is free, moving smaller parents down. */
static void
late_sift_up(struct wheel *wheel, unsigned hole, struct wheel_late entry)
{
  while (hole > 0) {
    unsigned parent = (hole - 1) / 2;
    if (!late_before(&entry, &wheel->late[parent])) {
      break;
    }
    wheel->late[hole] = wheel->late[parent];
    hole = parent;
  }
  wheel->late[hole] = entry;
}

/* Put ENTRY where slot HOLE of the heap is free, moving larger children up. */
static void
late_sift_down(struct wheel *wheel, unsigned hole, struct wheel_late entry)
{
  for (;;) {
    unsigned child = 2 * hole + 1;
    if (child >= wheel->nlate) {
      break;
    }
    if (child + 1 < wheel->nlate && late_before(&wheel->late[child + 1], &wheel->late[child])) {
      child++;
    }
    if (!late_before(&wheel->late[child], &entry)) {
      break;
    }
    wheel->late[hole] = wheel->late[child];
    hole = child;
  }
  wheel->late[hole] = entry;
}

static void
late_push(struct wheel *wheel, struct event *event)
{
  if (wheel->nlate == wheel->late_capacity) {
    wheel->late_capacity = wheel->late_capacity ? 2 * wheel->late_capacity : 64;
    wheel->late = xrealloc(wheel->late, wheel->late_capacity, sizeof *wheel->late);
  }
  struct wheel_late entry = {.event = event, .serial = wheel->late_serial++};
  event->late = true;
  late_sift_up(wheel, wheel->nlate++, entry);
}

static struct event *
late_take(struct wheel *wheel, unsigned index)
{
  struct event *event = wheel->late[index].event;
  event->late = false;
  struct wheel_late moved = wheel->late[--wheel->nlate];
  if (index < wheel->nlate) {
    if (index > 0 && late_before(&moved, &wheel->late[(index - 1) / 2])) {
      late_sift_up(wheel, index, moved);
    } else {
      late_sift_down(wheel, index, moved);
    }
  }
  return event;
}

/* Return the link of its slot in which EVENT, not the last one there, belongs. A large machine has hundreds of events in a
 * cycle: the way begins behind the latest one that is known of its phase or of an earlier one. */
static struct event **
find_place(struct wheel *wheel, const struct event *event)
{
  unsigned index = (unsigned)(event->at % WHEEL_SLOTS);
  struct event **link = &wheel->slots[index].first;
  for (unsigned phase = (event->order >> WHEEL_PHASE_SHIFT) + 1; phase-- > 0;) {
    struct event *latest = wheel->latest[index][phase];
    bool is_here = latest && latest != event && latest->pending && !latest->late && latest->at == event->at &&
                   latest->order >> WHEEL_PHASE_SHIFT == phase && latest->order <= event->order;
    if (is_here) {
      link = &latest->next;
      break;
    }
  }
  while ((*link)->order <= event->order) {
    link = &(*link)->next;
  }
  return link;
}

void
wheel_add_rarely(struct wheel *wheel, struct event *event)
{
  assert(event->at >= wheel->now);
  if (event->at - wheel->now >= WHEEL_SLOTS) {
    late_push(wheel, event);
    return;
  }
  unsigned index = (unsigned)(event->at % WHEEL_SLOTS), phase = event->order >> WHEEL_PHASE_SHIFT;
  struct event **link = find_place(wheel, event);
  event->next = *link;
  *link = event;
  if (event->next->order >> WHEEL_PHASE_SHIFT != phase) {
    wheel->latest[index][phase] = event;
  }
}

void
wheel_remove(struct wheel *wheel, struct event *event)
{
  assert(event->pending);
  event->pending = false;
  if (event->late) {
    unsigned index = 0;
    while (wheel->late[index].event != event) {
      index++;
    }
    late_take(wheel, index);
    return;
  }
  unsigned index = (unsigned)(event->at % WHEEL_SLOTS);
  struct wheel_slot *slot = &wheel->slots[index];
  struct event *before = NULL;
  for (struct event *e = slot->first; e != event; e = e->next) {
    before = e;
  }
  if (before) {
    before->next = event->next;
  } else {
    slot->first = event->next;
  }
  if (!slot->first) {
    wheel_mark_empty(wheel, index);
  } else if (!event->next) {
    slot->last = before;
  }
}

uint64_t
wheel_next_rarely(const struct wheel *wheel)
{
  if (!wheel->used_words) {
    return wheel->nlate ? wheel->late[0].event->at : WHEEL_NEVER;
  }
  /* The words after this one, then, round the corner, those up to and including it. */
  unsigned slot = (unsigned)(wheel->now % WHEEL_SLOTS), word = slot / 64;
  uint64_t after = word == WHEEL_WORDS - 1 ? 0 : wheel->used_words & ~UINT64_C(0) << (word + 1);
  unsigned found = (unsigned)__builtin_ctzll(after ? after : wheel->used_words);
  unsigned next = found * 64 + (unsigned)__builtin_ctzll(wheel->used[found]);
  return wheel->now + (next - slot) % WHEEL_SLOTS;
}

void
wheel_bring_late(struct wheel *wheel)
{
  while (wheel->nlate && wheel->late[0].event->at - wheel->now < WHEEL_SLOTS) {
    struct event *event = late_take(wheel, 0);
    event->pending = false;
    wheel_add(wheel, event, event->at);
  }
}

void
wheel_run(struct wheel *wheel)
{
  unsigned index = (unsigned)(wheel->now % WHEEL_SLOTS);
  struct wheel_slot *slot = &wheel->slots[index];
  for (struct event *event; (event = slot->first);) {
    __builtin_prefetch(event->next);
    slot->first = event->next;
    event->pending = false;
    event->run(event);
  }
  wheel_mark_empty(wheel, index);
}
