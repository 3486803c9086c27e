/* SPDX-License-Identifier: BSD-3-Clause
 * Reduce, all-reduce, reduce-scatter and scan with one flaw each. */
#include "algos/step/layout.h"
#include "sim/spu/spu_time.h"
#include "tests/gaming/mutants.h"

enum flaw {
  SOUND,
  FORGETS_ONE, /* rank */
  COMBINES_TWICE,
  WRONG_OPERATOR, /* whatever was asked for */
  BEFORE_THE_TAG, /* combines what has not arrived */
  EARLY_REUSE,    /* the next vector comes into a buffer that is still read */
  ROOT_ZERO,
  NO_WAIT, /* changes what a partner is reading */
  TOO_FEW_ROUNDS,
  EXCLUSIVE,    /* rank r leaves out itself */
  OTHER_WAY,    /* from the last rank to the first */
  NOTHING,      /* is done at all */
  SAME_PARTNER, /* in all rounds */
  LAST_ELEMENT_MISSING,
  INTO_SCRATCH, /* combines */
};

static size_t vector_scratch(const struct coll_group *group) {
  return (group->nbytes + 15) / 16 * 16;
}

/* --- reduce: the root takes one vector after the other --- */

/* Combine what comes next into the buffer of the root. */
static void combine(struct coll *c, enum flaw flaw) {
  if (flaw == WRONG_OPERATOR) {
    spu_note_load(c->scratch, c->nbytes);
    spu_note_store(c->buffer, c->nbytes);
    combine_run(&(struct combine){OP_MAX, c->group->type, c->buffer, c->scratch, c->nbytes});
    return;
  }
  step_combine(c, c->buffer, c->scratch, c->nbytes);
}

static void take_and_combine(struct coll *c, unsigned from, enum flaw flaw) {
  struct step_transfer get = {.ls = c->scratch, .ea = step_await_post(c, from), .nbytes = c->nbytes};
  step_start_get(c, &get);
  if (flaw != BEFORE_THE_TAG) {
    step_finish(c, 0);
  }
  if (flaw == EARLY_REUSE) {
    step_start_get(c, &get); /* as if for a next one */
  }
  combine(c, flaw);
  if (flaw == COMBINES_TWICE && from == c->nranks - 1) {
    combine(c, flaw);
  }
  step_finish(c, 0);
  step_acknowledge(c, from);
}

static void linear(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  unsigned root = flaw == ROOT_ZERO ? 0 : c->root;
  unsigned n = flaw == FORGETS_ONE ? c->nranks - 1 : c->nranks;
  if (c->rank != root) {
    if (c->rank < n) {
      step_post_ea_more(c, root, step_peer_ea(c, c->rank, c->buffer));
      step_await_taken(c, root);
    }
    return;
  }
  for (unsigned r = 0; r < n; r++) {
    if (r != root) {
      take_and_combine(c, r, flaw);
    }
  }
}

/* --- all-reduce: recursive doubling on a power of two ranks --- */

static void doubling(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  unsigned n = flaw == TOO_FEW_ROUNDS ? c->nranks / 2 : flaw == NOTHING ? 0 : c->nranks;
  size_t nbytes =
    c->nbytes - (flaw == LAST_ELEMENT_MISSING && c->nbytes > 8 ? combine_size(c->group->type) : 0);
  for (unsigned distance = 1; distance < n; distance *= 2) {
    unsigned peer = c->rank ^ (flaw == SAME_PARTNER ? 1 : distance);
    step_begin(c);
    step_post_ea_more(c, peer, step_peer_ea(c, c->rank, c->buffer));
    step_take(c, peer, c->scratch, nbytes);
    if (flaw != NO_WAIT) {
      step_await_taken(c, peer);
    }
    step_combine(c, flaw == INTO_SCRATCH ? c->scratch : c->buffer,
                 flaw == INTO_SCRATCH ? c->buffer : c->scratch, nbytes);
    if (flaw == NO_WAIT) {
      step_await_taken(c, peer);
    }
  }
}

/* --- reduce-scatter: each rank takes the blocks of the rank from all others --- */

static void blocks(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  unsigned n = c->nranks;
  uint8_t *own = c->buffer + layout_block(c->group, flaw == ROOT_ZERO ? 0 : c->rank).offset;
  size_t nbytes =
    c->nbytes - (flaw == LAST_ELEMENT_MISSING && c->nbytes > 8 ? combine_size(c->group->type) : 0);
  for (unsigned i = flaw == FORGETS_ONE ? 2 : 1; i < n; i++) {
    unsigned to = (c->rank + i) % n, from = (c->rank + n - i) % n;
    step_begin(c);
    step_post_ea_more(c, to, step_peer_ea(c, c->rank, c->buffer + layout_block(c->group, to).offset));
    step_take(c, from, c->scratch, c->nbytes);
    step_combine(c, own, c->scratch, nbytes);
    step_await_taken(c, to);
  }
}

/* --- scan: down the line --- */

static void line(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  unsigned n = c->nranks, place = flaw == OTHER_WAY ? n - 1 - c->rank : c->rank;
  unsigned before = flaw == OTHER_WAY ? c->rank + 1 : c->rank - 1;
  unsigned behind = flaw == OTHER_WAY ? c->rank - 1 : c->rank + 1;
  step_begin(c);
  if (place > 0) {
    step_take(c, before, c->scratch, c->nbytes);
    if (flaw != EXCLUSIVE || c->rank != n - 1) {
      step_combine(c, c->buffer, c->scratch, c->nbytes);
    }
  }
  if (place < n - 1) {
    step_post_ea_more(c, behind, step_peer_ea(c, c->rank, c->buffer));
    step_await_taken(c, behind);
  }
}

#define REDUCE(flaw, ...) \
  { MUTANT(COLL_REDUCE, linear, flaw), .algo.scratch = vector_scratch, __VA_ARGS__ }
#define ALLREDUCE(flaw, ...) \
  { \
    MUTANT(COLL_ALLREDUCE, doubling, flaw), .algo.scratch = vector_scratch, \
                                            .algo.needs = NEED_POWER_OF_TWO_RANKS, __VA_ARGS__ \
  }
#define REDUCESCATTER(flaw, ...) \
  { MUTANT(COLL_REDUCESCATTER, blocks, flaw), .algo.scratch = vector_scratch, __VA_ARGS__ }
#define SCAN(flaw, ...) \
  { MUTANT(COLL_SCAN, line, flaw), .algo.scratch = vector_scratch, __VA_ARGS__ }

const struct mutant mutants_of_reductions[] = {
  REDUCE(SOUND),
  REDUCE(FORGETS_ONE, .expected = {"rank 0: 0 bytes have come from other ranks"}),
  REDUCE(COMBINES_TWICE, .expected = {"rank 0: element 0 is "}),
  REDUCE(WRONG_OPERATOR, .expected = {"rank 0: element 0 is "}),
  REDUCE(BEFORE_THE_TAG,
         .expected = {"rank 0: element 0 is ", "hazard: get of 4 bytes (rank 0 on SPE 0", "reads 4 bytes"}),
  REDUCE(EARLY_REUSE, .expected = {"hazard: get of 4 bytes (rank 0 on SPE 0", "reads 4 bytes",
                                   "a wait for tag 0 between the two"}),
  REDUCE(ROOT_ZERO, .expected = {"rank 1: element 0 is "}),
  ALLREDUCE(SOUND),
  ALLREDUCE(NO_WAIT, .expected = {"hazard: get of 4 bytes (rank 1 on SPE 1", "reads and rank 0 on SPE 0",
                                  "must learn from a flag"}),
  ALLREDUCE(TOO_FEW_ROUNDS, .expected = {"rank 0: element 0 is "}),
  ALLREDUCE(NOTHING, .expected = {"rank 0: element 0 is "}),
  ALLREDUCE(SAME_PARTNER, .expected = {"rank 2: element 0 is "}),
  ALLREDUCE(LAST_ELEMENT_MISSING, .expected = {"rank 0: element 3 is "}),
  ALLREDUCE(INTO_SCRATCH, .expected = {"rank 0: element 0 is "}),
  REDUCESCATTER(SOUND),
  REDUCESCATTER(FORGETS_ONE, .expected = {"rank 0: element 0 is "}),
  REDUCESCATTER(ROOT_ZERO, .expected = {"rank 1: element 4 is "}), /* behind a place of 16 bytes */
  REDUCESCATTER(LAST_ELEMENT_MISSING, .expected = {"rank 0: element 3 is "}),
  SCAN(SOUND),
  SCAN(EXCLUSIVE, .expected = {"rank 1: element 0 is "}),
  SCAN(OTHER_WAY,
       .expected = {": element 0 is "}), /* of rank 0, unless a maximum or minimum is its own element */
  {.algo.name = NULL},
};
