/* SPDX-License-Identifier: BSD-3-Clause
 * An algorithm that is WRONG, as a plugin: the root tells all ranks the address of its data and does not wait
 * for the acknowledgements.
 *
 *   0 > 1 2 3 4 5 6 7
 *
 * One call ends with the right data everywhere. In a loop of calls the root enters the next call and refills
 * its buffer while other ranks still read the buffer. `cellcoll check bcast:hasty --plugin bcast_hasty.so`
 * finds the error and prints a command to show the error. */
#include "algos/plugin.h"
#include "algos/step/step.h"

static void run(struct coll *c) {
  step_begin(c);
  if (c->rank != c->root) {
    step_take(c, c->root, c->buffer, c->nbytes);
    return;
  }
  for (unsigned rank = 0; rank < c->nranks; rank++) {
    if (rank != c->root) {
      step_post_ea_more(c, rank, step_peer_ea(c, c->rank, c->buffer));
    }
  }
  step_settle_all(c);
  /* missing: step_await_taken(c, rank) for every other rank */
}

static const struct algo bcast_hasty = {
  .collective = COLL_BCAST,
  .name = "hasty",
  .source = "ali2010",
  .idea = "all ranks at once without waiting for them (wrong)",
  .run = run,
};

CELLCOLL_PLUGIN(&bcast_hasty);
