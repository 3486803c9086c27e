/* SPDX-License-Identifier: BSD-3-Clause
 * All-reduce around a ring, as a plugin: every rank sends only to the next rank.
 *
 * The vector is cut into as many pieces as there are ranks. In each of the first p - 1 steps a rank takes a
 * piece from the previous rank, combines the piece with its own, and sends the result on in the next step;
 * then each rank has one complete piece. In p - 1 further steps the complete pieces go once around.
 *
 *   step 1   0 > 1: piece 0   1 > 2: piece 1   2 > 0: piece 2
 *   step 2   0 > 1: piece 2   1 > 2: piece 0   2 > 0: piece 1
 *
 * rounds: 2 (p - 1), each with 1/p of the data. */
#include "algos/plugin.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"

/* Piece NUMBER of the vector of C; numbers wrap around. */
static struct span piece_of(const struct coll *c, unsigned number) {
  return layout_piece(c->group, number % c->nranks, c->nranks);
}

static void run(struct coll *c) {
  unsigned p = c->nranks, before = (c->rank + p - 1) % p, behind = (c->rank + 1) % p;
  for (unsigned step = 0; step < p - 1; step++) {
    struct span out = piece_of(c, c->rank + p - step), in = piece_of(c, c->rank + p - step - 1);
    step_begin(c);
    step_post(c, behind, c->buffer + out.offset);
    step_take(c, before, c->scratch, in.nbytes);
    step_combine(c, c->buffer + in.offset, c->scratch, in.nbytes);
    step_await_taken(c, behind);
  }
  for (unsigned step = 0; step < p - 1; step++) {
    struct span out = piece_of(c, c->rank + 1 + p - step), in = piece_of(c, c->rank + p - step);
    step_begin(c);
    step_post(c, behind, c->buffer + out.offset);
    step_take(c, before, c->buffer + in.offset, in.nbytes);
    step_await_taken(c, behind);
  }
}

/* Bytes of local store for a piece between its arrival and its combination: the size of the largest piece. */
static size_t scratch(const struct coll_group *group) {
  size_t largest = 0;
  for (unsigned i = 0; i < group->nranks; i++) {
    struct span piece = layout_piece(group, i, group->nranks);
    largest = piece.nbytes > largest ? piece.nbytes : largest;
  }
  return largest;
}

static const struct algo allreduce_ring = {
  .collective = COLL_ALLREDUCE,
  .name = "ring",
  .source = "ali2010", /* profile of software costs */
  .idea = "pieces around a ring: combined on the first turn and handed on on the second",
  .scratch = scratch,
  .run = run,
};

CELLCOLL_PLUGIN(&allreduce_ring);
