/* SPDX-License-Identifier: BSD-3-Clause
 * Many copies from main memory to main memory as one stream through the two buffers of double_buffer.h: while
 * one piece is written out the next one is read in, also when it belongs to the next copy.
 * source: Velamati et al. 2007, sections 4 and 6.1 (double buffering). */
#pragma once

#include "algos/memory/double_buffer.h"

/* A copy; addresses are multiples of 16. */
struct copy {
  uint64_t to, from;
  size_t nbytes;
};

/* The stream: the buffer that is read into next, and the piece in the other one that has not been written out
 * yet. All zero: it begins. */
struct copies {
  unsigned next;
  struct copy waiting; /* no bytes: there is none */
  const uint64_t *to;  /* nto places that copies count from; NULL: they say themselves where they go */
  unsigned nto;
};

/* Add COPY. */
void copies_add(struct coll *c, struct copies *copies, struct copy copy);

/* Wait until all has been written. */
void copies_finish(struct coll *c, struct copies *copies);
