/* SPDX-License-Identifier: BSD-3-Clause
 * Main memory to main memory through local store: two buffers in turn, so that one buffer is read into while
 * the other buffer is written out.
 * source: Velamati et al. 2007, sections 4 and 6.1 (double buffering). */
#pragma once

#include "algos/step/step.h"

enum {
  DOUBLE_BUFFER_BUFFERS = 2,
  DOUBLE_BUFFER_BYTES = 16384, /* bytes of each buffer */
};

/* One source, and the places for copies of the source. Addresses are multiples of 16. */
struct double_buffer_copy {
  uint64_t from;
  const uint64_t *to;
  unsigned nto;
  size_t nbytes;
};

/* The scratch of the functions below: the two buffers. */
size_t double_buffer_scratch(const struct coll_group *group);

/* Copy as COPY says and wait until all has been written. */
void double_buffer_copy_to_all(struct coll *c, const struct double_buffer_copy *copy);

/* Copy NBYTES from effective address FROM to TO. */
void double_buffer_copy(struct coll *c, uint64_t to, uint64_t from, size_t nbytes);

/* --- many copies as one stream: while one piece is written out, the next piece is read in, also a piece of
 * the next copy --- */

/* A copy; addresses are multiples of 16. */
struct copy {
  uint64_t to, from;
  size_t nbytes;
};

/* The stream: the buffer for the next read, and the piece in the other buffer, not yet written out. All zero:
 * the stream begins. */
struct copies {
  unsigned next;
  struct copy waiting; /* no bytes: there is none */
  const uint64_t *to;  /* nto places, origins of the targets of copies; NULL: each copy has a target */
  unsigned nto;
};

/* Add COPY. */
void copies_add(struct coll *c, struct copies *copies, struct copy copy);

/* Wait until all has been written. */
void copies_finish(struct coll *c, struct copies *copies);

/* --- combination --- */

/* Combine NFROM vectors of NBYTES at effective addresses FROM, all multiples of 16, and write the result to
 * TO, which may be one of these addresses. Uses the scratch of double_buffer_scratch as four buffers of half
 * the size: two for the result, two for operands. */
struct memory_combine {
  uint64_t to;
  const uint64_t *from;
  unsigned nfrom;
  size_t nbytes;
};
void memory_combine(struct coll *c, const struct memory_combine *combine);
