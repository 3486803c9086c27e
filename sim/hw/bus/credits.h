/* SPDX-License-Identifier: BSD-3-Clause
 * Credits: a limit on bus requests under way, such as the entries of a window. Each request holds a credit; a
 * credit given back has a cycle, and another request can hold the credit from this cycle on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct credits {
  uint64_t from;             /* cycle of the first credit given back; UINT64_MAX: all are held; 0: no limit */
  uint64_t *free_at;         /* cycles of the credits given back, ascending; NULL: no limit */
  unsigned first, end, mask; /* places, modulo a power of two */
};

/* Return how many places N credits need. */
static inline unsigned credits_room(unsigned n) {
  unsigned room = 1;
  while (room < n) {
    room *= 2;
  }
  return room;
}

/* Return N credits, all given back, with places from *PLACES on, all 0; N 0: no limit. *PLACES moves to the
 * end of these places. */
static inline struct credits credits_at(uint64_t **places, unsigned n) {
  struct credits credits = {.free_at = n ? *places : NULL, .end = n, .mask = credits_room(n) - 1};
  *places += credits_room(n);
  return credits;
}

/* Hold a credit from now on; a credit has been given back. */
static inline void credits_take(struct credits *credits) {
  if (credits->free_at) {
    bool more = ++credits->first != credits->end;
    credits->from = more ? credits->free_at[credits->first & credits->mask] : UINT64_MAX;
  }
}

/* Return the cycle at which the credit that was taken last had been given back; 0: no limit. */
static inline uint64_t credits_taken_from(const struct credits *credits) {
  return credits->free_at ? credits->free_at[(credits->first - 1) & credits->mask] : 0;
}

/* Give N credits back, at even intervals from cycle FIRST to cycle LAST.
 * returns: whether all credits were held. */
static inline bool credits_give(struct credits *credits, unsigned n, uint64_t first, uint64_t last) {
  bool all = credits->first == credits->end;
  if (!credits->free_at) {
    return false;
  }
  for (unsigned i = 0; i < n; i++) {
    uint64_t at = n > 1 ? first + (last - first) * i / (n - 1) : first;
    unsigned place = credits->end++;
    for (; place != credits->first && credits->free_at[(place - 1) & credits->mask] > at; place--) {
      credits->free_at[place & credits->mask] = credits->free_at[(place - 1) & credits->mask];
    }
    credits->free_at[place & credits->mask] = at;
  }
  credits->from = credits->free_at[credits->first & credits->mask];
  return all;
}
