/* SPDX-License-Identifier: BSD-3-Clause
 * Arithmetic on rank numbers. */
#pragma once

#include <stdbool.h>

/* Return floor(log2 N) of N > 0. */
static inline unsigned ranks_floor_log2(unsigned n) {
  return 31 - (unsigned)__builtin_clz(n);
}

/* Return ceil(log2 N) of N > 0. */
static inline unsigned ranks_ceil_log2(unsigned n) {
  return n > 1 ? ranks_floor_log2(n - 1) + 1 : 0;
}

/* Return the largest power of two <= N, for N > 0. */
static inline unsigned ranks_floor_power(unsigned n) {
  return 1U << ranks_floor_log2(n);
}

/* Tell whether N is a power of two. */
static inline bool ranks_is_power(unsigned n) {
  return n && (n & (n - 1)) == 0;
}

/* Renumber the N ranks of an operation so that ROOT becomes 0; the inverse. For a power of two, exclusive or
 * keeps ranks of one chip together (so a tree crosses between chips as often as from rank 0); else the
 * numbers are rotated. */
static inline unsigned ranks_to_virtual(unsigned rank, unsigned root, unsigned n) {
  return ranks_is_power(n) ? rank ^ root : (rank + n - root) % n;
}

static inline unsigned ranks_from_virtual(unsigned virtual_rank, unsigned root, unsigned n) {
  return ranks_is_power(n) ? virtual_rank ^ root : (virtual_rank + root) % n;
}
