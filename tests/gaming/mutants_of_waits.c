/* SPDX-License-Identifier: BSD-3-Clause
 * Broadcasts through main memory, barriers by signals and by flags with one flaw each. */
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "tests/gaming/mutants.h"

enum flaw {
  SOUND,
  PIECE_MISSING,
  LAST_BYTES_MISSING, /* those behind the last whole quadword */
  NO_WAIT,            /* the root leaves while its data is read */
  NO_TAG,             /* leaves before its own data has arrived */
  OWN_ADDRESS,        /* reads its own memory */
  OTHER_BIT,          /* signals in the name of another rank */
  FORGETS_ONE,        /* rank */
  NO_RELEASE,         /* goes on without having been told to */
  SIGNALS_TWICE,
  FORGETS_ALL,  /* ranks */
  NOTHING,      /* is done at all */
  SAME_PARTNER, /* in all rounds */
  LOW_PARTNER,  /* of a round before in the third round */
  NEIGHBOUR,    /* flags to the right, and waits from the right */
  GIVES_UP,     /* after a while */
  BY_VARIABLE,  /* rank 1 tells its entry by a variable of C, not by a flag */
};

/* --- broadcast: all copy from the main memory of the root --- */

enum { PIECE = 4096 };

/* Copy NBYTES from FROM to the own memory, through one buffer. */
static void copy(struct coll *c, uint64_t from, enum flaw flaw) {
  size_t nbytes = flaw == LAST_BYTES_MISSING ? c->nbytes / 16 * 16 : c->nbytes;
  for (size_t done = 0; done < nbytes; done += PIECE) {
    size_t piece = nbytes - done < PIECE ? nbytes - done : PIECE;
    if (flaw == PIECE_MISSING && done == 2 * PIECE) {
      continue;
    }
    step_finish(c, 0);
    step_fetch(c, c->scratch, from + done, piece);
    step_start_put(c, &(struct step_transfer){c->scratch, c->buffer_ea + done, piece, 0, false});
  }
  if (flaw != NO_TAG) {
    step_finish(c, 0);
  }
}

static void memory(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  step_begin(c);
  if (c->rank != c->root) {
    uint64_t from = step_await_post(c, c->root);
    copy(c, flaw == OWN_ADDRESS ? c->buffer_ea : from, flaw);
    step_notify_more(c, c->root);
    return;
  }
  for (unsigned i = 1; i < c->nranks; i++) {
    step_post_ea_more(c, (c->root + i) % c->nranks, c->buffer_ea);
  }
  for (unsigned i = 1; i < c->nranks && flaw != NO_WAIT; i++) {
    step_await(c, (c->root + i) % c->nranks);
  }
}

static size_t piece_scratch(const struct coll_group *group) {
  (void)group;
  return PIECE;
}

/* --- barrier: all signal rank 0, which signals all --- */

/* Signal rank 0 in the name of rank AS. */
static void signal_as(struct coll *c, unsigned as) {
  uint32_t *bits = (uint32_t *)(void *)(c->scratch + 12); /* congruent to the register modulo 16 */
  spu_note_store(bits, sizeof *bits);
  *bits = UINT32_C(1) << (as + (c->ncalls % 2 ? COLL_SIGNAL_BITS : 0));
  mfc_sndsig(bits, spu_signal_ea(c->group->spe_of[0], 1), 0, 0, 0);
  step_finish(c, 0);
}

static void central(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  unsigned n = flaw == FORGETS_ONE ? c->nranks - 1 : flaw == FORGETS_ALL ? 1 : c->nranks;
  if (c->rank == 0) {
    for (unsigned r = 1; r < n; r++) {
      step_await_signal(c, r);
    }
    for (unsigned r = 1; r < c->nranks; r++) {
      step_signal(c, r);
    }
    return;
  }
  if (flaw == OTHER_BIT && c->rank == 2) {
    signal_as(c, 1);
  } else if (c->rank < n) {
    step_signal(c, 0);
  }
  if (flaw == SIGNALS_TWICE && c->rank == 1) {
    signal_as(c, 1);
  }
  if (flaw != NO_RELEASE) {
    step_await_signal(c, 0);
  }
}

/* --- barrier: all exchange flags at distance 1, 2, 4 ... --- */

static void doubling(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  for (unsigned distance = 1; distance < c->nranks && flaw != NOTHING; distance *= 2) {
    unsigned step = flaw == SAME_PARTNER ? 1 : flaw == LOW_PARTNER && distance == 4 ? 2 : distance;
    unsigned peer = flaw == NEIGHBOUR ? (c->rank + step) % c->nranks : c->rank ^ step;
    step_notify_more(c, peer);
    step_await(c, peer);
  }
}

/* --- barrier: rank 0 looks at the flags of all by a loop of its own --- */

enum { PATIENCE = 2000000, LOOK = 500 /* cycles */ };

static volatile bool rank_1_is_here;

/* Tell whether rank 0 sees RANK, which reports its entry as FLAW says. */
static bool is_here(struct coll *c, unsigned rank, enum flaw flaw) {
  return flaw == BY_VARIABLE && rank == 1 ? rank_1_is_here : step_is_notified(c, rank);
}

static void looking(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  uint64_t end = spu_cycles() + PATIENCE;
  if (flaw == BY_VARIABLE && c->rank == 1) {
    spu_catch_up();
    rank_1_is_here = true;
  } else if (c->rank) {
    step_notify(c, 0);
  }
  for (unsigned r = 1; !c->rank && r < c->nranks; r++) {
    while (!is_here(c, r, flaw) && (flaw != GIVES_UP || spu_cycles() < end)) {
      spu_compute(LOOK);
      spu_catch_up();
    }
    if (flaw == BY_VARIABLE && r == 1) {
      rank_1_is_here = false;
    } else if (step_is_notified(c, r)) {
      step_await(c, r);
    }
  }
  for (unsigned r = 1; !c->rank && r < c->nranks; r++) {
    step_notify(c, r);
  }
  if (c->rank) {
    step_await(c, 0);
  }
}

static size_t signal_scratch(const struct coll_group *group) {
  (void)group;
  return 16;
}

#define MEMORY(flaw, ...) \
  { MUTANT(COLL_BCAST, memory, flaw), .algo.in_memory = true, .algo.scratch = piece_scratch, __VA_ARGS__ }
#define CENTRAL(flaw, ...) \
  { \
    MUTANT(COLL_BARRIER, central, flaw), .algo.needs = NEED_SIGNAL_BITS, .algo.scratch = signal_scratch, \
                                         __VA_ARGS__ \
  }

#define DOUBLING(flaw, ...) \
  { MUTANT(COLL_BARRIER, doubling, flaw), .algo.needs = NEED_POWER_OF_TWO_RANKS, __VA_ARGS__ }

#define LOOKING(flaw, ...) \
  { MUTANT(COLL_BARRIER, looking, flaw), __VA_ARGS__ }

const struct mutant mutants_of_waits[] = {
  MEMORY(SOUND),
  MEMORY(PIECE_MISSING, .expected = {"rank 0: byte 8192 is 0x"}),
  MEMORY(LAST_BYTES_MISSING, .expected = {"rank 1: byte 0 is 0x"}),
  MEMORY(NO_WAIT,
         .expected = {"rank 1: byte 0 is 0x", "hazard: put of 16 bytes (rank 0 on SPE 0", "writes 16 bytes"}),
  MEMORY(NO_TAG, .expected = {"rank 1: byte 0 is 0x"}),
  MEMORY(OWN_ADDRESS, .expected = {"rank 1: byte 0 is 0x"}),
  CENTRAL(SOUND),
  CENTRAL(OTHER_BIT, .expected = {"deadlock: rank 0 waits for a signal in register 1 from rank 2"}),
  CENTRAL(FORGETS_ONE, .expected = {"rank 0 left call 1 at cycle ", "the last rank entered at cycle "}),
  CENTRAL(NO_RELEASE, .expected = {"rank 1 left call 1 at cycle ", "the last rank entered at cycle "}),
  CENTRAL(SIGNALS_TWICE, .expected = {"hazard: rank 1 on SPE 1 sends signal 0x2 to register 1 of SPE 0",
                                      "adds nothing to the unread 0x2"}),
  CENTRAL(FORGETS_ALL, .expected = {"rank 0 left call 1 at cycle ", "the last rank entered at cycle "}),
  DOUBLING(SOUND),
  DOUBLING(NOTHING, .expected = {"with late ranks (rank 0 in call 0; ", "rank 1 left call 0 at cycle 0;"}),
  DOUBLING(SAME_PARTNER, .expected = {"rank 2 left call 0 at cycle ", "the last rank entered at cycle "}),
  DOUBLING(LOW_PARTNER, .expected = {"rank 4 left call 0 at cycle ", "the last rank entered at cycle "}),
  DOUBLING(NEIGHBOUR, .expected = {"deadlock: rank 0 waits for flag 1 from rank 1 "}),
  LOOKING(SOUND),
  LOOKING(GIVES_UP, .expected = {"with late ranks (rank 0 in call 0; ", "rank 0 left call 1 at cycle ",
                                 "the last rank entered at cycle "}),
  LOOKING(BY_VARIABLE, .expected = {"hazard: rank 0 on SPE ", " leaves the barrier of call 0 at cycle ",
                                    "tells that rank 1 has entered"}),
  {.algo.name = NULL},
};
