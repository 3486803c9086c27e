/* SPDX-License-Identifier: BSD-3-Clause
 * Turns among units: two-level round robin over the units of a ring. */
#pragma once

#include <stdint.h>

/* Return the unit of the non-empty set WAITING to be served next: units in PRIORITY first; within each level
 * the first unit after LAST, wrapping round.
 * source: Kistler, Perrone, Petrini 2006; Ali, Midkiff, Pai 2010, section 3.3. */
static inline unsigned arbiter_next(uint32_t waiting, uint32_t priority, unsigned last) {
  uint32_t level = waiting & priority ? waiting & priority : waiting;
  uint32_t after = level & (UINT32_MAX << last << 1);
  return (unsigned)__builtin_ctz(after ? after : level);
}
