/* SPDX-License-Identifier: BSD-3-Clause
 * An algorithm of your own: broadcast down a chain, in pieces, as a plugin.
 *
 *   step 1   0 > 1
 *   step 2   0 > 1   1 > 2
 *   step 3   0 > 1   1 > 2   2 > 3
 *
 * Every rank takes piece after piece from the previous rank and offers each piece to the next rank, so that
 * all links of the chain are busy at once.
 *
 * rounds: pieces + p - 2. */
#include "algos/cost/cost.h"
#include "algos/plugin.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"

/* The program of one rank. */
static void run(struct coll *c) {
  unsigned place = (c->rank + c->nranks - c->root) % c->nranks, pieces = coll_value(c, 0);
  unsigned before = (c->rank + c->nranks - 1) % c->nranks, behind = (c->rank + 1) % c->nranks;
  bool first = place == 0, last = place == c->nranks - 1;
  for (unsigned i = 0; i < pieces; i++) {
    struct span piece = layout_piece(c->group, i, pieces);
    step_begin(c);
    if (!first) {
      step_take(c, before, c->buffer + piece.offset, piece.nbytes);
    }
    if (!last && i > 0) {
      step_await_taken(c, behind); /* one offer at a time */
    }
    if (!last) {
      step_post(c, behind, c->buffer + piece.offset);
    }
  }
  if (!last) {
    step_await_taken(c, behind); /* before the next call may overwrite the buffer */
  }
}

/* The time according to the model, in cycles: the first piece goes down the whole chain, and one link crosses
 * if there are two chips; then the other pieces arrive at the rate of the slowest link. */
static double cost(const struct cost *c) {
  unsigned pieces = c->values[0];
  size_t m = c->m / pieces;
  double slowest = c->two_chips ? cost_round_across(c, m) : cost_round(c, m);
  return cost_rounds(c, c->p - 1, m) + (pieces - 1) * slowest;
}

static const struct algo bcast_chain = {
  .collective = COLL_BCAST,
  .name = "chain",
  .source = "ali2010", /* profile of software costs */
  .idea = "down a chain of ranks in pieces",
  .params = {{.name = "pieces", .least = 1, .most = 64, .initial = 4}},
  .run = run,
  .cost = cost,
};

CELLCOLL_PLUGIN(&bcast_chain);
