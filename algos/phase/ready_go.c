/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/phase/ready_go.h"

#include "algos/step/layout.h"
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

/* --- transfers between a parent and its children: slot r has the transfers of rank r --- */

/* The direction of data between a parent and the children. */
enum way { DOWN, UP };

/* Return the place of the operand of CHILD: the place of CHILD among the children. */
static uint8_t *operand_of(const struct coll *c, const struct neighbours *neighbours, unsigned child) {
  uint32_t before = neighbours->children & ((UINT32_C(1) << child) - 1);
  return c->scratch + (size_t)__builtin_popcount(before) * layout_stride(c->group);
}

/* Start the transfer of CHILD, a ready child; later finish the transfer. */
static void start_child(struct coll *c, const struct neighbours *neighbours, unsigned child, enum way way) {
  struct step_transfer transfer = {.ls = way == UP ? operand_of(c, neighbours, child) : c->buffer,
                                   .ea = step_peer_ea(c, child, c->buffer),
                                   .nbytes = c->nbytes,
                                   .slot = child};
  (way == UP ? step_start_get : step_start_put)(c, &transfer);
}

static void finish(struct coll *c, const struct neighbours *neighbours, unsigned child, enum way way) {
  step_finish(c, child);
  if (way == UP) {
    step_combine(c, c->buffer, operand_of(c, neighbours, child), c->nbytes);
  }
}

size_t child_transfers_scratch(const struct coll_group *group) {
  return neighbours_most_children(group) * layout_stride(group);
}

/* Serve all children, all ready: start all transfers, then finish all. */
static void together(struct coll *c, const struct neighbours *neighbours, enum way way) {
  for (uint32_t left = neighbours->children; left; left &= left - 1) {
    start_child(c, neighbours, (unsigned)__builtin_ctz(left), way);
  }
  for (uint32_t left = neighbours->children; left; left &= left - 1) {
    finish(c, neighbours, (unsigned)__builtin_ctz(left), way);
  }
}

/* Start the transfer of each child as soon as the child is ready. When all transfers have been started,
 * finish the transfers in the same order and let each child go, children on other chips first. */
static void as_ready(struct coll *c, const struct neighbours *neighbours, enum way way) {
  unsigned arrivals[COLL_SIGNAL_BITS], n = 0;
  for (uint32_t missing = neighbours->children; missing;) {
    unsigned child = step_await_any_signal(c, missing);
    start_child(c, neighbours, child, way);
    arrivals[n++] = child;
    missing &= ~(UINT32_C(1) << child);
  }
  uint32_t turns[] = {neighbours->remote, neighbours->children & ~neighbours->remote};
  for (unsigned turn = 0; turn < 2; turn++) {
    for (unsigned i = 0; i < n; i++) {
      unsigned child = arrivals[i];
      if (turns[turn] >> child & 1) {
        step_begin(c);
        finish(c, neighbours, child, way);
        step_signal(c, child);
      }
    }
  }
}

void child_transfers_down_in_phases(struct coll *c) {
  struct neighbours neighbours = neighbours_in_call(c);
  ready_await_children(c, &neighbours);
  ready_and_await_go(c, &neighbours);
  together(c, &neighbours, DOWN);
  go_tell_children(c, &neighbours);
}

void child_transfers_down_as_ready(struct coll *c) {
  struct neighbours neighbours = neighbours_in_call(c);
  ready_and_await_go(c, &neighbours);
  as_ready(c, &neighbours, DOWN);
}

void child_transfers_up_in_phases(struct coll *c) {
  struct neighbours neighbours = neighbours_in_call(c);
  ready_await_children(c, &neighbours);
  together(c, &neighbours, UP);
  ready_and_await_go(c, &neighbours);
  go_tell_children(c, &neighbours);
}

void child_transfers_up_as_ready(struct coll *c) {
  struct neighbours neighbours = neighbours_in_call(c);
  as_ready(c, &neighbours, UP);
  ready_and_await_go(c, &neighbours);
}
