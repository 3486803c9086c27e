/* SPDX-License-Identifier: BSD-3-Clause
 * See memory_combine.h. Buffers 0 and 1 take pieces of the first vector in turn, buffers 2 and 3 pieces of
 * the other vectors; slot 1 + b belongs to buffer b. The program gets each piece one piece ahead. */
#include "algos/memory/memory_combine.h"

#include "algos/memory/double_buffer.h"

enum { HALF_BYTES = DOUBLE_BUFFER_BYTES / 2 };

/* Return get INDEX of COMBINE: vector INDEX modulo nfrom of a piece. */
static struct step_transfer operand(const struct coll *c, const struct memory_combine *combine,
                                    size_t index) {
  size_t piece = index / combine->nfrom, vector = index % combine->nfrom;
  size_t offset = piece * HALF_BYTES, left = combine->nbytes - offset;
  size_t before = piece * (combine->nfrom - 1) + vector - 1; /* operands other than first vectors */
  unsigned buffer = (unsigned)(vector == 0 ? piece % 2 : 2 + before % 2);
  return (struct step_transfer){.ls = c->scratch + (size_t)buffer * HALF_BYTES,
                                .ea = combine->from[vector] + offset,
                                .nbytes = left < HALF_BYTES ? left : HALF_BYTES,
                                .slot = 1 + buffer,
                                .fenced = true};
}

void memory_combine(struct coll *c, const struct memory_combine *combine) {
  size_t n = (combine->nbytes + HALF_BYTES - 1) / HALF_BYTES * combine->nfrom;
  for (size_t i = 0; i <= n && n > 0; i++) {
    if (i < n) {
      struct step_transfer next = operand(c, combine, i);
      step_start_get(c, &next);
    }
    if (i == 0) {
      continue;
    }
    struct step_transfer into = operand(c, combine, (i - 1) / combine->nfrom * combine->nfrom);
    struct step_transfer from = operand(c, combine, i - 1);
    step_finish(c, from.slot);
    if (from.ls != into.ls) {
      step_combine(c, into.ls, from.ls, from.nbytes);
    }
    if (i % combine->nfrom == 0) { /* the operand was the last one of a piece, now written out */
      into.ea += combine->to - combine->from[0];
      into.fenced = false;
      step_start_put(c, &into);
    }
  }
  for (unsigned buffer = 0; buffer < 2; buffer++) {
    step_finish(c, 1 + buffer);
  }
}
