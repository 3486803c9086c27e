/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays that grow: a pointer, NULL at first, and the number of elements. The owner frees the pointer. */
#pragma once

#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"

#include <stdbool.h>
#include <string.h>

/* Return ITEMS, N elements of SIZE bytes, with room for one more. The room doubles when N is a power of two:
 * no owner stores the room. The room of an emptied array stays. */
static inline void *vec_grow(void *items, size_t n, size_t size) {
  bool has_room = n ? (n & (n - 1)) != 0 : items != NULL;
  return has_room ? items : xrealloc(items, n ? 2 * n : 1, size);
}

/* Return ITEMS, N elements of SIZE bytes, with COUNT elements. The new elements are zero. */
static inline void *vec_extend(void *items, size_t n, size_t count, size_t size) {
  char *longer = xrealloc(items, count, size);
  memset(longer + n * size, 0, (count - n) * size);
  return longer;
}

/* The number of elements of ARRAY, which is no pointer. */
#define VEC_LENGTH(array) (sizeof(array) / sizeof *(array))

/* A loop over N ITEMS; ITEM is the pointer to one after the other. */
#define VEC_EACH(item, items, n) \
  for (__typeof__((items) + 0) item = (items); (size_t)(item - (items)) < (n); item++)

/* Add an element to ITEMS, of N elements. The macro is the new element, not initialised; N is one more
 * then. */
#define VEC_ADD(items, n) (*((items) = vec_grow((items), (n), sizeof *(items)), &(items)[(n)++]))

/* A pointer to element INDEX of ITEMS, of N elements. If INDEX is not below N, N rises beyond INDEX, and the
 * new elements are zero. */
#define VEC_REACH(items, n, index) \
  ((index) < (n) ? &(items)[index] \
                 : ((items) = vec_extend((items), (n), 2 * (index) + 16, sizeof *(items)), \
                    (n) = 2 * (index) + 16, &(items)[index]))

/* The number of items before the first one, of N sorted ITEMS, for which IS_BEHIND is true; IS_BEHIND tests
 * `item`, a pointer to an item. */
#define VEC_COUNT_BEFORE(items, n, is_behind) \
  __extension__({ \
    size_t low_ = 0, high_ = (n); \
    while (low_ < high_) { \
      size_t middle_ = low_ + (high_ - low_) / 2; \
      __typeof__(&(items)[0]) item = &(items)[middle_]; \
      if (is_behind) { \
        high_ = middle_; \
      } else { \
        low_ = middle_ + 1; \
      } \
    } \
    low_; \
  })

/* The index of the first one of N ITEMS for which TEST, of `item`, a pointer to an item, is true; N: none. */
#define VEC_INDEX(items, n, test) \
  __extension__({ \
    size_t index_ = 0, n_ = (n); \
    for (; index_ < n_; index_++) { \
      __typeof__(&(items)[0]) item = &(items)[index_]; \
      if (test) { \
        break; \
      } \
    } \
    index_; \
  })

/* A pointer to that item; NULL: none. */
#define VEC_FIND(items, n, test) \
  __extension__({ \
    size_t found_ = VEC_INDEX(items, n, test); \
    found_ < (n) ? &(items)[found_] : NULL; \
  })
