/* SPDX-License-Identifier: BSD-3-Clause
 * Which units have to be looked at in which of the next cycles: a set of units per cycle. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CALENDAR_CYCLES = 64 };

struct calendar {
  uint64_t used; /* bit c % CALENDAR_CYCLES: the set of cycle c is not empty */
  uint32_t units[CALENDAR_CYCLES];
};

/* Note UNIT, at cycle NOW, for cycle AT, which is not in the past; one that is too far ahead is noted for the last cycle
 * that there is. */
static inline void
calendar_add(struct calendar *calendar, unsigned unit, uint64_t at, uint64_t now)
{
  unsigned slot = (unsigned)((at - now < CALENDAR_CYCLES ? at : now + CALENDAR_CYCLES - 1) % CALENDAR_CYCLES);
  calendar->units[slot] |= UINT32_C(1) << unit;
  calendar->used |= UINT64_C(1) << slot;
}

/* Take out the units of cycle NOW. */
static inline uint32_t
calendar_take(struct calendar *calendar, uint64_t now)
{
  unsigned slot = (unsigned)(now % CALENDAR_CYCLES);
  uint32_t units = calendar->units[slot];
  calendar->units[slot] = 0;
  calendar->used &= ~(UINT64_C(1) << slot);
  return units;
}

/* Take out all units. */
static inline void
calendar_clear(struct calendar *calendar)
{
  for (; calendar->used; calendar->used &= calendar->used - 1) {
    calendar->units[__builtin_ctzll(calendar->used)] = 0;
  }
}

/* Tell whether no units are noted. */
static inline bool
calendar_is_empty(const struct calendar *calendar)
{
  return !calendar->used;
}

/* Return the first cycle, from NOW on, for which units are noted; there must be some. */
static inline uint64_t
calendar_next(const struct calendar *calendar, uint64_t now)
{
  unsigned slot = (unsigned)(now % CALENDAR_CYCLES);
  uint64_t ahead = calendar->used >> slot | calendar->used << (CALENDAR_CYCLES - slot) % CALENDAR_CYCLES;
  return now + (unsigned)__builtin_ctzll(ahead);
}
