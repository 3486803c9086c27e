/* SPDX-License-Identifier: BSD-3-Clause
 * Combining data in main memory: pieces go through local store, double buffered.
 * source: Velamati et al. 2007, section 7.1. */
#pragma once

#include "algos/step/step.h"

/* Combine NFROM vectors of NBYTES at effective addresses FROM, all multiples of 16, and write the result to
 * TO, which may be one of these addresses. Uses the scratch of double_buffer.h as four buffers of half the
 * size: two for the result, two for operands. */
struct memory_combine {
  uint64_t to;
  const uint64_t *from;
  unsigned nfrom;
  size_t nbytes;
};
void memory_combine(struct coll *c, const struct memory_combine *combine);
