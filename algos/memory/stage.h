/* SPDX-License-Identifier: BSD-3-Clause
 * Main memory to main memory through local store: two buffers used in turn, so that one is read into while the other is
 * written out.
 * source: Velamati et al. 2007, sections 4 and 6.1 (double buffering). */
#pragma once

#include "algos/step/step.h"

enum {
  STAGE_BUFFERS = 2,
  STAGE_BYTES = 16384, /* of each */
};

/* One source, and the places that all get the same. Addresses are multiples of 16. */
struct stage {
  uint64_t from;
  const uint64_t *to;
  unsigned nto;
  size_t nbytes;
};

/* The scratch that the functions below use: the two buffers. */
size_t stage_scratch(const struct coll_group *group);

/* Copy as STAGE says and wait until all has been written. */
void stage_copy_to_all(struct coll *c, const struct stage *stage);

/* Copy NBYTES from effective address FROM to TO. */
void stage_copy(struct coll *c, uint64_t to, uint64_t from, size_t nbytes);
