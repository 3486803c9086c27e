/* SPDX-License-Identifier: BSD-3-Clause
 * Broadcast, all-gather, gather, scatter and all-to-all with one flaw each. */
#include "algos/step/call_map.h"
#include "algos/step/layout.h"
#include "sim/spu/spu_time.h"
#include "tests/gaming/mutants.h"

#include <string.h>

enum flaw {
  SOUND,
  NO_ACK,  /* what was taken is not acknowledged */
  NO_WAIT, /* a buffer is used again before it was taken */
  WRONG_PARTNER,
  OFF_BY_ONE, /* a block too early */
  TOO_FEW_STEPS,
  NO_TAG,         /* the flag goes out before the data has */
  NOT_READY,      /* puts before the receiver has entered */
  ROOT_ZERO,      /* whatever the root is */
  WRONG_PLACE,    /* the result */
  BEHIND_THE_END, /* more bytes than there are */
  NO_FENCE,       /* the flag may overtake the data */
  TOUCHES_INPUT,
  FORGETS_OWN, /* block */
  NOTHING,     /* is done at all */
  LAST_BYTE_MISSING,
  LAST_BLOCK_MISSING,
  A_BLOCK_BEHIND_THE_END,
  MISALIGNED,
  UNASKED, /* takes from the rank after the root, and tells that rank so */
};

/* --- broadcast: everybody takes the vector of the root --- */

static size_t bytes_taken(const struct coll *c, enum flaw flaw) {
  return flaw == LAST_BYTE_MISSING && c->nbytes > 1     ? c->nbytes - 1
         : flaw == LAST_BLOCK_MISSING && c->nbytes > 16 ? c->nbytes - 16
         : flaw == BEHIND_THE_END                       ? c->nbytes + 1
         : flaw == A_BLOCK_BEHIND_THE_END               ? c->nbytes + 48
                                                        : c->nbytes;
}

static void flat(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  if (flaw == NOTHING) {
    return;
  }
  if (c->rank == c->root) {
    mutant_give(c);
    return;
  }
  unsigned before = (c->rank + c->nranks - 1) % c->nranks, next = (c->root + 1) % c->nranks;
  unsigned from = flaw == NOT_READY ? before : flaw == WRONG_PARTNER || flaw == UNASKED ? next : c->root;
  uint64_t ea = step_peer_ea(c, from, c->buffer);
  if (flaw != UNASKED && (flaw != NOT_READY || from == c->root)) {
    ea = step_await_post(c, from);
  }
  ea += flaw == OFF_BY_ONE ? 16 : flaw == MISALIGNED ? 1 : 0;
  step_fetch(c, c->buffer, ea, bytes_taken(c, flaw));
  if (flaw != NO_ACK) {
    step_acknowledge(c, flaw == UNASKED ? from : c->root);
  }
}

/* --- all-gather: blocks go round a ring --- */

static void ring(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  unsigned n = c->nranks, to = (c->rank + 1) % n, from = (c->rank + n - 1) % n;
  unsigned steps = flaw == TOO_FEW_STEPS ? n / 2 : n - 1;
  for (unsigned i = 0; i < steps; i++) {
    struct span out = layout_block(c->group, (c->rank + n - i) % n);
    struct span in = layout_block(c->group, (from + n - i + (flaw == OFF_BY_ONE)) % n);
    unsigned giver = flaw == WRONG_PARTNER && i == n - 2 ? to : from;
    step_begin(c);
    step_post_ea_more(c, to, step_peer_ea(c, c->rank, c->buffer + out.offset));
    if (flaw == NO_ACK) {
      step_fetch(c, c->buffer + in.offset, step_await_post(c, giver), in.nbytes);
    } else {
      step_take(c, giver, c->buffer + in.offset, in.nbytes);
    }
    if (flaw != NO_WAIT) {
      step_await_taken(c, to);
    }
  }
}

/* --- gather: the root says that it is ready, all put their blocks and raise a flag --- */

static void collect(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  unsigned root = flaw == ROOT_ZERO ? 0 : c->root;
  for (unsigned r = 0; c->rank == root && r < c->nranks; r++) {
    if (r != root) {
      step_notify_more(c, r);
    }
  }
  for (unsigned r = 0; c->rank == root && r < c->nranks; r++) {
    if (r != root) {
      step_await(c, r);
    }
  }
  if (c->rank == root) {
    return;
  }
  struct span block = layout_block(c->group, c->rank);
  size_t shift = flaw == WRONG_PLACE ? 16 : 0;
  size_t more = flaw == BEHIND_THE_END && c->rank == c->nranks - 1 ? 48 : 0;
  struct step_transfer put = {.ls = c->buffer + block.offset,
                              .ea = step_peer_ea(c, root, c->buffer + block.offset + shift),
                              .nbytes = block.nbytes + more};
  if (flaw != NOT_READY) {
    step_await(c, root);
  }
  step_start_put(c, &put);
  if (flaw != NO_TAG) {
    step_finish(c, 0);
  }
  step_notify_more(c, root);
  step_finish(c, 0);
  if (flaw == NOT_READY) {
    step_await(c, root);
  }
}

/* --- scatter: all say that they are ready, the root puts blocks, and behind each a flag in the same tag
 * group --- */

/* The scratch: a flag that arrives, and one that is put. */
struct deal_flags {
  _Alignas(16) uint32_t arrived;
  _Alignas(16) uint32_t sent;
};

static size_t deal_scratch(const struct coll_group *group) {
  (void)group;
  return sizeof(struct deal_flags);
}

static void deal_out(struct coll *c, enum flaw flaw) {
  struct deal_flags *flags = (struct deal_flags *)c->scratch;
  spu_note_store(&flags->sent, 16);
  flags->sent = c->ncalls + 1;
  for (unsigned i = 1; i < c->nranks; i++) {
    unsigned r = (c->root + i) % c->nranks, slot = i % STEP_SLOTS;
    struct span block = layout_block(c->group, flaw == OFF_BY_ONE ? (r + 1) % c->nranks : r);
    uint8_t *at = c->buffer + block.offset;
    step_await(c, r);
    step_start_put(c, &(struct step_transfer){at, step_peer_ea(c, r, at), block.nbytes, slot, false});
    step_start_put(c, &(struct step_transfer){&flags->sent, step_peer_ea(c, r, &flags->arrived), 16, slot,
                                              flaw != NO_FENCE});
  }
  for (unsigned slot = 0; slot < STEP_SLOTS; slot++) {
    step_finish(c, slot);
  }
}

static void deal(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  struct deal_flags *flags = (struct deal_flags *)c->scratch;
  spu_note_flags(&flags->arrived, 16);
  if (c->rank == c->root) {
    deal_out(c, flaw);
    return;
  }
  step_notify_more(c, c->root);
  spu_wait_flag(&(struct spu_flag){&flags->arrived, c->ncalls + 1, (int)c->root, "block"});
}

/* --- all-to-all: everybody puts into everybody's buffer --- */

static void keep_own(struct coll *c) {
  size_t at = c->rank * layout_stride(c->group), nbytes = layout_count(c->group, c->rank, c->rank);
  spu_note_load(c->in + at, nbytes);
  spu_note_store(c->buffer + at, nbytes);
  memcpy(c->buffer + at, c->in + at, nbytes);
}

static void swap(struct coll *c) {
  const enum flaw flaw = coll_value(c, 0);
  size_t stride = layout_stride(c->group);
  for (unsigned i = 1; i < c->nranks; i++) {
    step_notify_more(c, (c->rank + i) % c->nranks);
  }
  if (flaw != FORGETS_OWN) {
    keep_own(c);
  }
  for (unsigned i = 1; i < c->nranks; i++) {
    unsigned r = (c->rank + i) % c->nranks, place = flaw == WRONG_PLACE ? r : c->rank;
    bool last = r == c->nranks - 1 && c->rank == c->nranks - 2;
    step_await(c, r);
    step_store(c, c->in + r * stride, step_peer_ea(c, r, c->buffer + place * stride),
               layout_count(c->group, c->rank, r) + (flaw == BEHIND_THE_END && last ? 2 * stride : 0));
    step_notify_more(c, r);
  }
  for (unsigned i = 1; i < c->nranks; i++) {
    step_await(c, (c->rank + i) % c->nranks);
  }
  if (flaw == TOUCHES_INPUT && c->nbytes && c->rank == 1) {
    spu_note_store(c->in + stride, 1);
    c->in[stride] ^= 1;
  }
}

const struct mutant mutants_of_moves[] = {
  {MUTANT(COLL_BCAST, flat, SOUND)},
  {MUTANT(COLL_BCAST, flat, NOTHING), .expected = {"rank 1: byte 0 is 0x"}},
  {MUTANT(COLL_BCAST, flat, LAST_BYTE_MISSING), .expected = {"rank 1: byte 3 is 0x"}},
  {MUTANT(COLL_BCAST, flat, LAST_BLOCK_MISSING), .expected = {"rank 1: byte 4 is 0x"}},
  {MUTANT(COLL_BCAST, flat, OFF_BY_ONE),
   .expected = {"rank 1: byte 0 is 0x", "(behind the buffer of rank 0)"}},
  {MUTANT(COLL_BCAST, flat, BEHIND_THE_END),
   .expected = {"rank 1: byte 0 (behind the end) is 0x", "reads 1 bytes"}},
  {MUTANT(COLL_BCAST, flat, A_BLOCK_BEHIND_THE_END),
   .expected = {"rank 1: byte 0 (behind the end) is 0x", "reads 48 bytes"}},
  {MUTANT(COLL_BCAST, flat, MISALIGNED), .expected = {"rank 1 stopped at cycle ", "equal in their low 4 bits",
                                                      "; deadlock: rank 0 waits for flag 1 from rank 1"}},
  {MUTANT(COLL_BCAST, flat, WRONG_PARTNER),
   .expected = {"deadlock: rank 1 waits for address 1 from rank 1", "; a cycle of 1; 1 other waits"}},
  {MUTANT(COLL_BCAST, flat, UNASKED), .expected = {"deadlock: rank 0 waits for flag 1 from rank 1"}},
  {MUTANT(COLL_BCAST, flat, NOT_READY), .expected = {"rank 2: byte 0 is 0x"}},
  {MUTANT(COLL_BCAST, flat, NO_ACK), .expected = {"deadlock: rank 0 waits for flag 1 from rank 1"}},
  {MUTANT(COLL_ALLGATHER, ring, SOUND)},
  {MUTANT(COLL_ALLGATHER, ring, NO_ACK), .expected = {"deadlock: rank 0 waits for flag 1 from rank 1"}},
  {MUTANT(COLL_ALLGATHER, ring, NO_WAIT),
   .expected = {"hazard: get of 1 bytes (rank 1 on SPE 1", "reads and rank 0 on SPE 0"}},
  {MUTANT(COLL_ALLGATHER, ring, WRONG_PARTNER),
   .expected = {"deadlock: rank 0 waits for address 1 from rank 1"}},
  {MUTANT(COLL_ALLGATHER, ring, OFF_BY_ONE),
   .expected = {"rank 0: byte 0 of the block from rank 0 is 0x", "hazard: get of 1 bytes (rank 0 on SPE 0",
                "in no order"}},
  {MUTANT(COLL_ALLGATHER, ring, TOO_FEW_STEPS),
   .expected = {"rank 0: byte 0 of the block from rank 1 is 0x"}},
  {MUTANT(COLL_GATHER, collect, SOUND)},
  {MUTANT(COLL_GATHER, collect, ROOT_ZERO), .expected = {"rank 1: byte 0 of the block from rank 0 is 0x"}},
  {MUTANT(COLL_GATHER, collect, WRONG_PLACE), .expected = {"rank 0: byte 0 of the block from rank 1 is 0x"}},
  {MUTANT(COLL_GATHER, collect, BEHIND_THE_END), .expected = {"rank 0: byte 0 (behind the end) is 0x"}},
  {MUTANT(COLL_GATHER, collect, NO_TAG),
   .expected = {"hazard: put of 1 bytes (rank 1 on SPE 1", "writes and rank 0 on SPE 0",
                "a wait for tag 0 before the message that followed the first"}},
  {MUTANT(COLL_GATHER, collect, NOT_READY),
   .expected = {"hazard: rank 0 on SPE 0 (cycle 0) writes and put of 1 bytes (rank 1 on SPE 1",
                "must learn from a flag"}},
  {MUTANT(COLL_GATHERV, collect, SOUND)},
  {MUTANT(COLL_SCATTER, deal, SOUND), .algo.scratch = deal_scratch},
  {MUTANT(COLL_SCATTER, deal, OFF_BY_ONE), .algo.scratch = deal_scratch,
   .expected = {"rank 1: byte 0 of the block from rank 0 is 0x"}},
  {MUTANT(COLL_SCATTER, deal, NO_FENCE), .algo.scratch = deal_scratch,
   .expected = {"hazard: put of 1 bytes (rank 0 on SPE 0; tag 17", "writes and rank 1 on SPE 1",
                "a fence under tag 17 on that message"}},
  {MUTANT(COLL_ALLTOALL, swap, SOUND)},
  {MUTANT(COLL_ALLTOALLV, swap, SOUND)},
  {MUTANT(COLL_ALLTOALL, swap, WRONG_PLACE), .expected = {"rank 1: byte 0 of the block from rank 0 is 0x"}},
  {MUTANT(COLL_ALLTOALLV, swap, FORGETS_OWN), .expected = {"rank 1: byte 0 of the block from rank 1 is 0x"}},
  {MUTANT(COLL_ALLTOALL, swap, TOUCHES_INPUT), .expected = {"rank 1: byte 16 of the input is 0x"}},
  {MUTANT(COLL_ALLTOALL, swap, BEHIND_THE_END),
   .expected = {"rank 1: byte 0 of the block from rank 1 is 0x"}},
  {.algo.name = NULL},
};
