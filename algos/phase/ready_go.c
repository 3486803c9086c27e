/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/ready_go.h"

#include "algos/step/port.h"

struct neighbours neighbours_in_call(const struct coll *c) {
  const struct algo *algo = c->group->call.algo;
  if (!algo->neighbours) {
    spu_fault("an algorithm without .neighbours in its struct algo uses the neighbours of a rank");
  }
  return algo->neighbours(c->group, c->rank);
}

static void await_all(struct coll *c, uint32_t ranks) {
  while (ranks) {
    ranks &= ~(UINT32_C(1) << step_await_any_signal(c, ranks));
  }
}

static void signal_all(struct coll *c, uint32_t ranks) {
  for (; ranks; ranks &= ranks - 1) {
    step_begin(c);
    step_signal(c, (unsigned)__builtin_ctz(ranks));
  }
}

void ready_await_children(struct coll *c, const struct neighbours *neighbours) {
  await_all(c, neighbours->children);
}

void ready_and_await_go(struct coll *c, const struct neighbours *neighbours) {
  if (neighbours->parent != c->rank) {
    step_begin(c);
    step_signal(c, neighbours->parent);
    step_await_signal(c, neighbours->parent);
  }
}

void go_tell_children(struct coll *c, const struct neighbours *neighbours) {
  signal_all(c, neighbours->children);
}

void ready_go(struct coll *c) {
  struct neighbours neighbours = neighbours_in_call(c);
  ready_await_children(c, &neighbours);
  ready_and_await_go(c, &neighbours);
  go_tell_children(c, &neighbours);
}

void ready_go_on_chips(struct coll *c) {
  struct neighbours neighbours = neighbours_in_call(c);
  uint32_t leaders = neighbours.parent == c->rank ? neighbours_other_leaders(c->group, c->rank) : 0;
  ready_await_children(c, &neighbours);
  ready_and_await_go(c, &neighbours);
  signal_all(c, leaders);
  await_all(c, leaders);
  go_tell_children(c, &neighbours);
}
