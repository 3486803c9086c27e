/* SPDX-License-Identifier: BSD-3-Clause
 * A broadcast and a barrier that are wrong at a few points only: each flaw must be met by the points that
 * `check` draws. */
#include "algos/step/group.h"
#include "sim/spu/spu_time.h"
#include "tests/gaming/mutants.h"

enum flaw {
  SOUND,
  AT_24_BYTES,
  AT_3_KIB,
  AT_1000_BYTES,
  FROM_40_TO_60_BYTES,
  IN_CALL_4,
  IN_CALL_6,
  UNLESS_PACKED,
  OUT_OF_ORDER,
  ON_24_RANKS,
  ON_29_RANKS,
  LAST_ROOT_SKEWED,
  LATE_DATA,
  SAME_ROOT, /* waits at its next call for the ranks to be ready: another root waits in vain */
  IMPATIENT, /* gives up part of the data after a long wait */
};

/* Return whether ranks are chip by chip. */
static bool is_packed(const struct coll *c) {
  for (unsigned r = 0; r < c->nranks; r++) {
    if (c->group->spe_of[r] != r) {
      return false;
    }
  }
  return true;
}

/* Return whether a rank sits on an SPE in front of that of the one before it. */
static bool is_out_of_order(const struct coll *c) {
  for (unsigned r = 1; r < c->nranks; r++) {
    if (c->group->spe_of[r] < c->group->spe_of[r - 1] && c->group->chip_of[r] == c->group->chip_of[r - 1]) {
      return true;
    }
  }
  return false;
}

/* Return whether C is a call in which FLAW shows; ENTERED is when its last rank but one was seen to have
 * entered. */
static bool shows(const struct coll *c, enum flaw flaw) {
  switch (flaw) {
  case AT_24_BYTES:
    return c->nbytes == 24;
  case AT_3_KIB:
    return c->nbytes == 3072;
  case AT_1000_BYTES:
    return c->nbytes == 1000;
  case FROM_40_TO_60_BYTES:
    return c->nbytes >= 40 && c->nbytes <= 60;
  case IN_CALL_4:
    return c->ncalls == 3;
  case IN_CALL_6:
    return c->ncalls == 5;
  case UNLESS_PACKED:
    return !is_packed(c);
  case OUT_OF_ORDER:
    return is_out_of_order(c);
  case ON_24_RANKS:
    return c->nranks == 24;
  case ON_29_RANKS:
    return c->nranks == 29;
  case LAST_ROOT_SKEWED:
    return c->nranks > 2 && c->root == c->nranks - 1 && c->ncalls == 0 && spu_cycles() > 5000;
  default:
    return false;
  }
}

static void flat(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  if (c->rank == c->root) {
    for (unsigned i = 1; flaw == SAME_ROOT && c->ncalls > 0 && i < c->nranks; i++) {
      step_await(c, (c->root + i) % c->nranks);
    }
    mutant_give(c);
    return;
  }
  uint64_t begin = spu_cycles(), ea = step_await_post(c, c->root);
  if (flaw == LATE_DATA && c->nbytes > 0) { /* acknowledges at once, and leaves while the data is under way */
    step_start_get(c, &(struct step_transfer){.ls = c->buffer, .ea = ea, .nbytes = c->nbytes});
    step_notify(c, c->root);
    return;
  }
  bool wrong = shows(c, flaw) || (flaw == IMPATIENT && spu_cycles() - begin > 100000);
  step_fetch(c, c->buffer, ea, wrong && c->nbytes > 0 ? c->nbytes - 1 : c->nbytes);
  step_acknowledge(c, c->root);
  if (flaw == SAME_ROOT) {
    step_notify(c, c->root);
  }
}

static void join(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  for (unsigned r = 1; c->rank == 0 && r < c->nranks; r++) {
    step_await(c, r);
  }
  for (unsigned r = 1; c->rank == 0 && r < c->nranks; r++) {
    step_notify(c, r);
  }
  if (c->rank > 0) {
    step_notify(c, 0);
  }
  if (c->rank > 0 && !shows(c, flaw)) {
    step_await(c, 0);
  }
}

const struct mutant mutants_of_points[] = {
  {MUTANT(COLL_BCAST, flat, SOUND)},
  {MUTANT(COLL_BCAST, flat, AT_24_BYTES), .expected = {"byte 23 is 0x"}},
  {MUTANT(COLL_BCAST, flat, AT_3_KIB), .expected = {"byte 3071 is 0x"}},
  {MUTANT(COLL_BCAST, flat, AT_1000_BYTES), .expected = {"byte 999 is 0x"}},
  {MUTANT(COLL_BCAST, flat, FROM_40_TO_60_BYTES), .expected = {"byte "}},
  {MUTANT(COLL_BCAST, flat, IN_CALL_4), .expected = {"byte "}},
  {MUTANT(COLL_BCAST, flat, IN_CALL_6), .expected = {"byte "}},
  {MUTANT(COLL_BCAST, flat, UNLESS_PACKED), .expected = {"byte "}},
  {MUTANT(COLL_BCAST, flat, OUT_OF_ORDER), .expected = {"byte "}},
  {MUTANT(COLL_BCAST, flat, LAST_ROOT_SKEWED), .expected = {"byte "}},
  {MUTANT(COLL_BCAST, flat, LATE_DATA),
   .expected = {"hazard: get of ", "a wait for tag 0 before the message that followed the first"}},
  {MUTANT(COLL_BCAST, flat, SAME_ROOT), .expected = {"deadlock: rank "}},
  {MUTANT(COLL_BCAST, flat, IMPATIENT), .expected = {"byte "}},
  {MUTANT(COLL_BARRIER, join, SOUND)},
  {MUTANT(COLL_BARRIER, join, IN_CALL_4), .expected = {"leaves the barrier of call 3 at cycle"}},
  {MUTANT(COLL_BARRIER, join, OUT_OF_ORDER), .expected = {"left call 0 at cycle"}},
  {.algo.name = NULL},
};

/* Those that show on machines with more SPEs only. */
const struct mutant mutants_of_many_ranks[] = {
  {MUTANT(COLL_BCAST, flat, SOUND)},
  {MUTANT(COLL_BCAST, flat, ON_24_RANKS), .expected = {"byte "}},
  {MUTANT(COLL_BCAST, flat, ON_29_RANKS), .expected = {"byte "}},
  {MUTANT(COLL_BARRIER, join, ON_29_RANKS), .expected = {"left call"}},
  {.algo.name = NULL},
};
