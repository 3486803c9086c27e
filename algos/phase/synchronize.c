/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/synchronize.h"

#include "algos/step/ranks.h"

static const struct {
  void (*tell)(struct coll *c, unsigned to);
  void (*hear)(struct coll *c, unsigned from);
} ways[] = {
  [SYNCHRONIZE_BY_FLAG] = {step_notify, step_await},
  [SYNCHRONIZE_BY_SIGNAL] = {step_signal, step_await_signal},
};

void synchronize_ranks(struct coll *c, enum synchronize_by by) {
  unsigned r = c->rank, m = ranks_floor_power(c->nranks);
  if (r >= m) {
    step_begin(c);
    ways[by].tell(c, r - m);
    ways[by].hear(c, r - m);
    return;
  }
  if (r + m < c->nranks) {
    step_begin(c);
    ways[by].hear(c, r + m);
  }
  for (unsigned distance = 1; distance < m; distance *= 2) {
    step_begin(c);
    ways[by].tell(c, r ^ distance);
    ways[by].hear(c, r ^ distance);
  }
  if (r + m < c->nranks) {
    step_begin(c);
    ways[by].tell(c, r + m);
  }
}
