/* SPDX-License-Identifier: BSD-3-Clause
 * Credits: a limit on bus requests under way. Each request holds a credit; a credit given back has a cycle,
 * and another request can hold the credit from this cycle on. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct credits {
  uint64_t free_at; /* cycle of the first credit given back; UINT64_MAX: all are held; 0: no limit */
  uint64_t *times;  /* [size] cycles of credits given back, a ring in ascending order */
  unsigned size;    /* 0: no limit */
  unsigned head;    /* place of the first credit given back */
  unsigned count;   /* number of credits given back */
};

/* Give all SIZE credits back to CREDITS; TIMES has room for their cycles; SIZE 0: no limit. */
static inline void credits_reset(struct credits *credits, uint64_t *times, unsigned size) {
  *credits = (struct credits){.times = times, .size = size, .count = size};
  memset(times, 0, size * sizeof *times);
}

/* Hold a credit from now on; a credit has been given back. */
static inline void credits_take(struct credits *credits) {
  if (credits->size) {
    credits->head = (credits->head + 1) % credits->size;
    credits->count--;
    credits->free_at = credits->count ? credits->times[credits->head] : UINT64_MAX;
  }
}

/* Return the cycle at which the credit that was taken last had been given back; 0: no limit. */
static inline uint64_t credits_taken_from(const struct credits *credits) {
  return credits->size ? credits->times[(credits->head + credits->size - 1) % credits->size] : 0;
}

/* Give a credit back for cycle AT on, not before the cycles of other credits given back.
 * returns: whether all credits were held. */
static inline bool credits_give(struct credits *credits, uint64_t at) {
  if (!credits->size) {
    return false;
  }
  credits->times[(credits->head + credits->count) % credits->size] = at;
  credits->count++;
  if (credits->count == 1) {
    credits->free_at = at;
  }
  return credits->count == 1;
}
