/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-one barrier: every rank signals rank 0, and then rank 0 signals all ranks.
 *
 *   ready   1 2 3 ... p-1  >  0
 *   go      0  >  1 2 3 ... p-1
 *
 * Alternatively the root releases by plain puts of flags: SIG of Velamati et al. has the same gather phase.
 *
 * rounds: 2.
 * source: ATOBar of Gaona, Fernandez, Acacio 2009, section 3.1, figure 2(a); SIG of Velamati et al. 2007,
 * section 5.1. */
#include "algos/phase/ready_go.h"

enum release { RELEASE_BY_SIGNAL, RELEASE_BY_PUT };

static void run(struct coll *c) {
  if (coll_value(c, 0) == RELEASE_BY_SIGNAL) {
    ready_go(c);
    return;
  }
  struct neighbours neighbours = neighbours_in_call(c);
  if (c->rank != neighbours.parent) {
    step_begin(c);
    step_signal(c, neighbours.parent);
    step_await(c, neighbours.parent);
    return;
  }
  ready_await_children(c, &neighbours);
  step_begin(c);
  for (uint32_t left = neighbours.children; left; left &= left - 1) {
    step_notify_more(c, (unsigned)__builtin_ctz(left));
  }
  step_settle_all(c);
}

const struct algo barrier_all_to_one = {
  .collective = COLL_BARRIER,
  .name = "all-to-one",
  .source = "gaona2009",
  .idea = "all signal the root and the root signals all",
  .needs = NEED_SIGNAL_BITS,
  .params = {{.name = "release",
              .choices = {[RELEASE_BY_SIGNAL] = {.word = "signal"},
                          [RELEASE_BY_PUT] = {.word = "put", .source = "velamati2007"}}}},
  .neighbours = neighbours_star,
  .run = run,
};
