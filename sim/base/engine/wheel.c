/* SPDX-License-Identifier: BSD-3-Clause
 * The events of a node, by cycle.
 *
 * Delays in the bus model are short. So nearly every event goes into the slot of its cycle, mostly behind the
 * events that the slot has. An event whose place is after the second of these events marks the slot as
 * unordered. The wheel sorts an unordered slot when the slot's cycle comes: the slot consists of few ordered
 * runs, so sorting takes little, also in a large machine with hundreds of events in a cycle. A bit for each
 * slot finds the next cycle with events. Long computations go through a heap.
 *
 * Invariants: the current block lies WHEEL_SLOTS cycles before the horizon. No event lies before the current
 * block, and `now` is not after the block, so a slot holds events of one cycle only. A slot without the mark
 * is in order. The heap holds the events beyond the horizon. When the horizon moves, an event goes from the
 * heap to its slot before any event of the same cycle can be added directly, so equal orders keep their order
 * of arrival. While a cycle runs, its slot holds the events added since the slot was emptied, except events
 * that come before the next running event. */
#include "sim/base/engine/wheel.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>

struct wheel_late {
  uint64_t at; /* of the event, so that comparing does not have to fetch the event */
  uint64_t serial;
  struct event *event;
};

void wheel_fini(struct wheel *wheel) {
  free(wheel->late);
  wheel->late = NULL;
}

void wheel_reset(struct wheel *wheel) {
  for (unsigned block = 0; block < WHEEL_BLOCKS; block++) { /* slots without events keep their first state */
    for (; wheel->used[block]; wheel->used[block] &= wheel->used[block] - 1) {
      unsigned slot = block * WHEEL_BLOCK + (unsigned)__builtin_ctzll(wheel->used[block]);
      wheel->slots[slot] = NULL;
      wheel->unordered[slot] = false;
    }
  }
  wheel->now = 0;
  wheel->horizon = WHEEL_SLOTS;
  wheel->running = NULL;
  wheel->nlate = 0;
  wheel->late_serial = 0;
}

static bool late_before(const struct wheel_late *a, const struct wheel_late *b) {
  return a->at != b->at ? a->at < b->at : a->serial < b->serial;
}

/* Put ENTRY in place INDEX of the heap. */
static void late_put(struct wheel *wheel, unsigned index, struct wheel_late entry) {
  wheel->late[index] = entry;
  entry.event->place = index;
}

/* Put ENTRY where slot HOLE of the heap is free, moving smaller parents down. */
static void late_sift_up(struct wheel *wheel, unsigned hole, struct wheel_late entry) {
  while (hole > 0) {
    unsigned parent = (hole - 1) / 2;
    if (!late_before(&entry, &wheel->late[parent])) {
      break;
    }
    late_put(wheel, hole, wheel->late[parent]);
    hole = parent;
  }
  late_put(wheel, hole, entry);
}

/* Put ENTRY where slot HOLE of the heap is free, moving larger children up. */
static void late_sift_down(struct wheel *wheel, unsigned hole, struct wheel_late entry) {
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
    late_put(wheel, hole, wheel->late[child]);
    hole = child;
  }
  late_put(wheel, hole, entry);
}

void wheel_add_late(struct wheel *wheel, struct event *event) {
  if (wheel->nlate == wheel->late_capacity) {
    wheel->late_capacity = wheel->late_capacity ? 2 * wheel->late_capacity : 64;
    wheel->late = xrealloc(wheel->late, wheel->late_capacity, sizeof *wheel->late);
  }
  struct wheel_late entry = {event->at, wheel->late_serial++, event};
  late_sift_up(wheel, wheel->nlate++, entry);
}

static struct event *late_take(struct wheel *wheel, unsigned index) {
  struct event *event = wheel->late[index].event;
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

void wheel_add_before(struct wheel *wheel, struct event *event) {
  unsigned slot = (unsigned)(event->at % WHEEL_SLOTS);
  struct event *last = wheel->slots[slot], *first = last->next;
  struct event *before = event->order < first->order ? last : first;
  if (wheel->unordered[slot] || event->order >= before->next->order) {
    before = last;
    wheel->slots[slot] = event;
    wheel->unordered[slot] = true;
  }
  event->next = before->next;
  before->next = event;
}

/* Take EVENT out of its slot.
 * returns: false if EVENT is not in the slot. */
static bool remove_from_slot(struct wheel *wheel, const struct event *event) {
  unsigned slot = (unsigned)(event->at % WHEEL_SLOTS);
  struct event *last = wheel->slots[slot], *before = last;
  if (!last) {
    return false;
  }
  while (before->next != event) {
    before = before->next;
    if (before == last) {
      return false;
    }
  }
  if (before == event) {
    wheel->slots[slot] = NULL;
    wheel->unordered[slot] = false;
    wheel->used[slot / WHEEL_BLOCK] &= ~(UINT64_C(1) << slot % WHEEL_BLOCK);
    return true;
  }
  before->next = event->next;
  if (last == event) {
    wheel->slots[slot] = before;
  }
  return true;
}

void wheel_remove(struct wheel *wheel, struct event *event) {
  assert(event->pending);
  event->pending = false;
  if (event->at >= wheel->horizon) {
    late_take(wheel, event->place);
  } else if (!remove_from_slot(wheel, event)) {
    struct event **link = &wheel->running;
    while (*link != event) {
      link = &(*link)->next;
    }
    *link = event->next;
  }
}

/* --- the events of one cycle, in order --- */

/* Merge EARLIER and LATER, both in order; of equal orders the events of EARLIER come first. */
static struct event *merge(struct event *earlier, struct event *later) {
  struct event *first = NULL, **link = &first;
  while (earlier && later) {
    if (earlier->order <= later->order) {
      *link = earlier;
      earlier = earlier->next;
    } else {
      *link = later;
      later = later->next;
    }
    link = &(*link)->next;
  }
  *link = earlier ? earlier : later;
  return first;
}

/* Take the longest ordered run from the front of LIST.
 * returns: the run. */
static struct event *take_run(struct event **list) {
  struct event *first = *list, *last = first;
  while (last->next && last->order <= last->next->order) {
    last = last->next;
  }
  *list = last->next;
  last->next = NULL;
  return first;
}

/* Take 2^LEVEL runs, or all if there are fewer, from the front of LIST.
 * returns: the events of the runs, in order. */
static struct event *take_runs(struct event **list, unsigned level) {
  if (level == 0) {
    return take_run(list);
  }
  struct event *earlier = take_runs(list, level - 1);
  return *list ? merge(earlier, take_runs(list, level - 1)) : earlier;
}

/* Return LIST in order. */
static struct event *sort(struct event *list) {
  struct event *sorted = take_run(&list);
  for (unsigned level = 0; list; level++) {
    sorted = merge(sorted, take_runs(&list, level));
  }
  return sorted;
}

/* --- the clock --- */

uint64_t wheel_next(const struct wheel *wheel) {
  uint64_t end = wheel->horizon / WHEEL_BLOCK;
  for (uint64_t block = end - WHEEL_BLOCKS; block < end; block++) {
    uint64_t used = wheel->used[block % WHEEL_BLOCKS];
    if (used) {
      return block * WHEEL_BLOCK + (unsigned)__builtin_ctzll(used);
    }
  }
  return wheel->nlate ? wheel->late[0].at : UINT64_MAX;
}

size_t wheel_count(const struct wheel *wheel) {
  size_t count = wheel->nlate;
  for (unsigned block = 0; block < WHEEL_BLOCKS; block++) {
    for (uint64_t used = wheel->used[block]; used; used &= used - 1) {
      const struct event *last = wheel->slots[block * WHEEL_BLOCK + (unsigned)__builtin_ctzll(used)];
      const struct event *event = last;
      do {
        count++;
        event = event->next;
      } while (event != last);
    }
  }
  return count;
}

/* Make the block of the earliest event, which is at cycle NEXT, the current block. */
static void find_block(struct wheel *wheel, uint64_t next) {
  uint64_t block = next / WHEEL_BLOCK;
  wheel->horizon = (block + WHEEL_BLOCKS) * WHEEL_BLOCK;
  while (wheel->nlate && wheel->late[0].at < wheel->horizon) {
    struct event *event = late_take(wheel, 0);
    event->pending = false;
    wheel_add(wheel, event, event->at);
  }
}

/* Empty SLOT, the first slot with events in its block; USED has a bit for each slot of the block with events.
 * returns: the events of the slot, in order. */
static inline struct event *take_slot(struct wheel *wheel, unsigned slot, uint64_t *used) {
  struct event *last = wheel->slots[slot], *first = last->next;
  wheel->slots[slot] = NULL;
  last->next = NULL;
  *used &= *used - 1;
  if (wheel->unordered[slot]) {
    wheel->unordered[slot] = false;
    first = sort(first);
  }
  return first;
}

/* Move events from SLOT, the slot of the running cycle, to the running events: events that come no later than
 * the first running event, or all events of an unordered slot. Other events stay in the slot, since each
 * insertion would pass all earlier events. */
static void take_due(struct wheel *wheel, unsigned slot, uint64_t *used) {
  struct event *last = wheel->slots[slot], *first = last->next, *due = first;
  uint32_t order = wheel->running->order;
  if (wheel->unordered[slot] || last->order <= order) {
    wheel->running = merge(wheel->running, take_slot(wheel, slot, used));
  } else if (first->order <= order) {
    while (due->next->order <= order) {
      due = due->next;
    }
    last->next = due->next;
    due->next = NULL;
    wheel->running = merge(wheel->running, first);
  }
}

bool wheel_run(struct wheel *wheel, uint64_t end) {
  uint64_t next = wheel_next(wheel);
  if (next >= end) {
    return false;
  }
  find_block(wheel, next);
  uint64_t begin = wheel->horizon - WHEEL_SLOTS;
  uint64_t *used = &wheel->used[begin / WHEEL_BLOCK % WHEEL_BLOCKS];
  while (*used && begin + (unsigned)__builtin_ctzll(*used) < end) {
    wheel->now = begin + (unsigned)__builtin_ctzll(*used);
    unsigned slot = (unsigned)(wheel->now % WHEEL_SLOTS);
    struct event *event = take_slot(wheel, slot, used);
    do {
      wheel->running = event->next;
      event->pending = false;
      event->run(event);
      if (wheel->running && wheel->slots[slot]) { /* something has been added to this cycle */
        take_due(wheel, slot, used);
      }
      event = wheel->running;
    } while (event);
  }
  return true;
}
