/* SPDX-License-Identifier: BSD-3-Clause
 * The current call of a rank, as an algorithm sees the call. */
#pragma once

#include "algos/step/group.h"

#include <stddef.h>
#include <stdint.h>

/* One rank's view of the call. Data is in place: `buffer` holds the input before the call and the result
 * after the call, blocks as in layout.h. Only the all-to-alls have a separate input, `in`, and leave the
 * input unchanged. */
struct coll {
  unsigned rank, nranks, root;
  size_t nbytes;
  uint8_t *buffer, *in;      /* in local store, at the same address on every rank; NULL: in main memory */
  uint64_t buffer_ea, in_ea; /* effective addresses of buffer and in, also in main memory */
  uint8_t *scratch;          /* algo->scratch bytes of local store, on a 128-byte line; see spu_note_flags */
  unsigned ncalls;           /* calls ended by the rank */
  const struct coll_group *group;
  struct coll_state *state; /* state of the vocabulary, private */
};

/* Return the number of calls of the algorithm ended by the rank of C, without a program's calls of other
 * algorithms. */
static inline unsigned coll_own_calls(const struct coll *c) {
  return c->group->turn ? c->group->turn->own : c->ncalls;
}

/* Return the value of parameter INDEX of the algorithm. */
static inline unsigned coll_value(const struct coll *c, unsigned index) {
  return c->group->call.values[index];
}
