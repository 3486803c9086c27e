/* SPDX-License-Identifier: BSD-3-Clause
 * An algorithm of your own: broadcast down a chain, in pieces, as a plugin.
 *
 *   step 1   0 > 1
 *   step 2   0 > 1   1 > 2
 *   step 3   0 > 1   1 > 2   2 > 3
 *
 * Every rank takes piece after piece from the rank before it and offers each to the one behind it, so that all links of
 * the chain are busy at once.
 *
 * rounds: pieces + p - 2. */
#include "algos/cost.h"
#include "algos/layout.h"
#include "algos/plugin.h"
#include "algos/step.h"

/* The program of one rank. */
static void
run(struct coll *c)
{
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
    step_await_taken(c, behind); /* before the next call may overwrite it */
  }
}

/* Its time according to the model: the longest chain of steps, with 4 pieces. */
static double
cost(const struct cost *c)
{
  enum { PIECES = 4 };
  size_t m = c->m / PIECES;
  double rounds = PIECES + c->p - 2.0;
  return c->two_chips ? (rounds - 1) * cost_round(c, m) + cost_round_across(c, m) : rounds * cost_round(c, m);
}

static const struct algo bcast_chain = {
  .collective = COLL_BCAST,
  .name = "chain",
  .source = "ali2010", /* whose software costs it has */
  .idea = "down a chain of ranks in pieces",
  .params = {{.name = "pieces", .least = 1, .most = 64, .initial = 4}},
  .run = run,
  .cost = cost,
};

CELLCOLL_PLUGIN(&bcast_chain);
