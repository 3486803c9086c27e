/* SPDX-License-Identifier: BSD-3-Clause
 * Broadcast down a tree in which every rank has up to `degree` children, as a plugin with a formula for its
 * time.
 *
 *   degree = 3:   0 > 1 2 3   then   1 > 4 5 6   2 > 7 8 9   ...
 *
 * A rank serves its children one after the other: each child takes the data and acknowledges before the next
 * child is told.
 *
 * rounds: degree for each level of the tree. */
#include "algos/cost/cost.h"
#include "algos/plugin.h"
#include "algos/step/step.h"

/* The rank at PLACE of the tree; place 0 is the root of the call. */
static unsigned rank_at(const struct coll *c, unsigned place) {
  return (place + c->root) % c->nranks;
}

static void run(struct coll *c) {
  unsigned place = (c->rank + c->nranks - c->root) % c->nranks, degree = coll_value(c, 0);
  step_begin(c);
  if (place > 0) {
    step_take(c, rank_at(c, (place - 1) / degree), c->buffer, c->nbytes);
  }
  for (unsigned child = place * degree + 1; child <= place * degree + degree && child < c->nranks; child++) {
    step_post(c, rank_at(c, child), c->buffer);
    step_await_taken(c, rank_at(c, child));
  }
}

/* The cycles until PLACE has the data: a round for PLACE, one for each child that the parent serves before
 * PLACE, and so on up to the root. A round between two chips takes longer. */
static double reach(const struct cost *c, unsigned place) {
  unsigned degree = c->values[0];
  double cycles = 0;
  while (place > 0) {
    unsigned parent = (place - 1) / degree;
    for (unsigned child = parent * degree + 1; child <= place; child++) {
      bool across = child / c->spes_per_chip != parent / c->spes_per_chip;
      cycles += across ? cost_round_across(c, c->m) : cost_round(c, c->m);
    }
    place = parent;
  }
  return cycles;
}

/* The cycles until the last place has the data. */
static double cost(const struct cost *c) {
  double last = 0;
  for (unsigned place = 1; place < c->p; place++) {
    last = fmax(last, reach(c, place));
  }
  return last;
}

static const struct algo bcast_kary = {
  .collective = COLL_BCAST,
  .name = "kary",
  .source = "ali2010", /* profile of software costs */
  .idea = "down a tree of any degree: child after child",
  .params = {{.name = "degree", .least = 1, .most = 15, .initial = 3, .compared = {2, 3, 4}}},
  .run = run,
  .cost = cost,
};

CELLCOLL_PLUGIN(&bcast_kary);
