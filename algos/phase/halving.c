/* SPDX-License-Identifier: BSD-3-Clause
 * See halving.h. */
#include "algos/phase/halving.h"

size_t halving_scratch(const struct coll_group *group) {
  return (layout_stride(group) + 16) / 2; /* pieces are places of 16 bytes, one half may have one more */
}

void halving_reduce_scatter(struct coll *c, unsigned root) {
  unsigned number = c->rank ^ root;
  for (unsigned distance = c->nranks / 2; distance > 0; distance /= 2) {
    unsigned first = number - number % distance;
    struct part keep = parts_range(c, first, distance), give = parts_range(c, first ^ distance, distance);
    step_begin(c);
    step_exchange(c, c->rank ^ distance, give.bytes, c->scratch, keep.nbytes);
    step_combine(c, keep.bytes, c->scratch, keep.nbytes);
  }
}
