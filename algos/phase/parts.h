/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of a rank's buffer, such as algorithms move. */
#pragma once

#include "algos/step/coll.h"
#include "algos/step/layout.h"

/* Part of a rank's buffer. */
struct part {
  uint8_t *bytes;
  size_t nbytes;
};

/* Return the whole buffer of C. */
static inline struct part parts_all(const struct coll *c) {
  return (struct part){.bytes = c->buffer, .nbytes = layout_buffer_bytes(c->group)};
}

/* Return COUNT of the p parts of the buffer of C from FIRST on, one part for each rank: the blocks of the
 * ranks, or equal pieces of the vector in collectives without blocks. */
static inline struct part parts_range(const struct coll *c, unsigned first, unsigned count) {
  const struct coll_group *group = c->group;
  struct span span = collective_has_blocks(group->call.algo->collective)
                       ? layout_blocks(group, first, count)
                       : layout_pieces(group, first, first + count, group->nranks);
  return (struct part){.bytes = c->buffer + span.offset, .nbytes = span.nbytes};
}
