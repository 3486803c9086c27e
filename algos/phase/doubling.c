/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/doubling.h"

#include "algos/phase/tree_collect.h"
#include "algos/phase/tree_send.h"
#include "algos/step/ranks.h"

void doubling_allgather(struct coll *c, unsigned distance) {
  for (; distance < c->nranks; distance *= 2) {
    unsigned first = c->rank - c->rank % distance;
    struct part own = parts_range(c, first, distance), other = parts_range(c, first ^ distance, distance);
    step_begin(c);
    step_exchange(c, c->rank ^ distance, own.bytes, other.bytes, other.nbytes);
  }
}

/* Exchange vectors with PEER and combine; the old vector may change from the acknowledgement of the
 * peer on. */
static void combine_with(struct coll *c, unsigned peer, bool confirm) {
  step_begin(c);
  step_exchange(c, peer, c->buffer, c->scratch, c->nbytes);
  step_combine(c, c->buffer, c->scratch, c->nbytes);
  if (confirm) {
    step_notify(c, peer);
    step_await(c, peer);
  }
}

void doubling_allreduce(struct coll *c, struct doubling how) {
  unsigned n = (c->nranks + how.distance - 1) / how.distance, m = ranks_floor_power(n);
  unsigned number = c->rank / how.distance;
  if (number >= m) {
    unsigned helper = (number - m) * how.distance;
    tree_send_part(c, helper, parts_all(c));
    tree_receive_part(c, helper, parts_all(c));
    return;
  }
  unsigned ward = (number + m) * how.distance;
  if (number + m < n) {
    tree_collect_combine(c, ward);
  }
  for (unsigned distance = 1; distance < m; distance *= 2) {
    combine_with(c, (number ^ distance) * how.distance, how.confirm);
  }
  if (number + m < n) {
    tree_send_part(c, ward, parts_all(c));
  }
}

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
