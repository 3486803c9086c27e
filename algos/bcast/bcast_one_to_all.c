/* SPDX-License-Identifier: BSD-3-Clause
 * One-to-all broadcast: the root tells all ranks of a chip the place of the data, and these ranks get the
 * data at the same time; the root's own chip first, then the other chips, one after the other.
 *
 *   0 > 1 2 ... 7   then   0 > 8 9 ... 15
 *
 * rounds: one per chip.
 * source: Ali, Midkiff, Pai 2010, sections 4 and 5.2, figure 4(a), table 2. */
#include "algos/cost/cost.h"
#include "algos/step/step.h"

/* Serve all ranks of CHIP and wait until each has acknowledged. */
static void serve_chip(struct coll *c, unsigned chip) {
  step_begin(c);
  for (unsigned r = 0; r < c->nranks; r++) {
    if (r != c->rank && c->group->chip_of[r] == chip) {
      step_post_ea_more(c, r, step_peer_ea(c, c->rank, c->buffer));
    }
  }
  step_settle_all(c);
  for (unsigned r = 0; r < c->nranks; r++) {
    if (r != c->rank && c->group->chip_of[r] == chip) {
      step_await_taken(c, r);
    }
  }
}

static void run(struct coll *c) {
  if (c->rank != c->root) {
    step_begin(c);
    step_take(c, c->root, c->buffer, c->nbytes);
    return;
  }
  unsigned nchips = c->group->nchips, own = c->group->chip_of[c->rank];
  for (unsigned i = 0; i < nchips; i++) {
    serve_chip(c, (own + i) % nchips);
  }
}

static double cost(const struct cost *c) {
  return cost_fan_out(c, c->m);
}

const struct algo bcast_one_to_all = {
  .collective = COLL_BCAST,
  .name = "one-to-all",
  .source = "ali2010",
  .idea = "all ranks get the data from the root at the same time",
  .run = run,
  .cost = cost,
};
