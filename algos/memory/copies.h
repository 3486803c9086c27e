/* SPDX-License-Identifier: BSD-3-Clause
 * Many copies from main memory to main memory as one stream through the two buffers of double_buffer.h: while
 * one piece is written out, the next piece is read in, also a piece of the next copy.
 * source: Velamati et al. 2007, sections 4 and 6.1 (double buffering). */
#pragma once

#include "algos/memory/double_buffer.h"

/* A copy; addresses are multiples of 16. */
struct copy {
  uint64_t to, from;
  size_t nbytes;
};

/* The stream: the buffer for the next read, and the piece in the other buffer that has not been written out
 * yet. All zero: the stream begins. */
struct copies {
  unsigned next;
  struct copy waiting; /* no bytes: there is none */
  const uint64_t *to;  /* nto places that the targets of copies count from; NULL: a copy has its own target */
  unsigned nto;
};

/* Add COPY. */
void copies_add(struct coll *c, struct copies *copies, struct copy copy);

/* Wait until all has been written. */
void copies_finish(struct coll *c, struct copies *copies);
