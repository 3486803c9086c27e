/* SPDX-License-Identifier: BSD-3-Clause
 * Real numbers in order. */
#pragma once

#include <stdlib.h>

static inline int reals_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sort N VALUES. */
static inline void reals_sort(double *values, size_t n) {
  qsort(values, n, sizeof *values, reals_compare);
}

/* Return the middle of N > 0 VALUES, the mean of the two middle ones if N is even. VALUES get sorted. */
static inline double reals_median(double *values, size_t n) {
  reals_sort(values, n);
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}
