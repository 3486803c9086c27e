/* SPDX-License-Identifier: BSD-3-Clause
 * A small broadcast for each rule of order; a plugin for each -DP=n (tests/gaming/orders). -DRACY=0: sound;
 * -DRACY=1: one order is missing.
 *
 *   1 tags      the data is waited for, then a notification      racy: not waited for
 *   2 fence     the flag has a fence under the tag of the data   racy: under another tag
 *   3 barrier   the first half is put with a barrier of its tag, the second half and the flag follow it, flag
 *               last with a fence
 *                                                                racy: no fence on the flag, so that only the
 *                                                                  first half is before it
 *   4 all       mfc_barrier between data and a flag of another tag              racy: mfc_barrier after the
 *                                                                               flag
 *   5 signal    sndsigf under the tag of the data                               racy: sndsig
 *   6 mailbox   data waited for; a word to the PPE, which answers all           racy: not waited for
 *   7 line      data waited for; a counter in main memory is increased (putllc) racy: not waited for
 *   8 post      an address and its serial arrive in one 16-byte entry; the data is got from there, its tag
 *               waited for, the taking told
 *                                                                racy: told before the tag is waited for
 *   9 left      the place that a flag left from is used again after the answer   racy: before the answer, no
 *                                                                                tag waited for
 *  10 list      a list is got, and its elements overwritten after its tag        racy: before its tag
 */
#include "algos/phase/mailbox.h"
#include "algos/plugin.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"

#include <string.h>

#ifndef RACY
#define RACY 0
#endif

enum { FLAG = 0, OUT = 16, LIST = 128, LINE = 256, WORK = 20 };

static size_t scratch(const struct coll_group *group) {
  (void)group;
  return 512;
}

static void __attribute__((unused))
put_data(struct coll *c, unsigned to, size_t first, size_t end, unsigned slot, bool barrier) {
  step_start_put(c, &(struct step_transfer){c->buffer + first, step_peer_ea(c, to, c->buffer + first),
                                            end - first, slot, barrier});
}

static void __attribute__((unused)) tags(uint32_t mask) {
  mfc_write_tag_mask(mask);
  mfc_read_tag_status_all();
}

static void __attribute__((unused)) see_flag(struct coll *c) {
  struct spu_flag flag = {
    .word = (uint32_t *)(c->scratch + FLAG), .value = c->ncalls + 1, .peer = (int)c->root, .what = "flag"};
  spu_wait_flag(&flag);
  spu_compute(WORK);
}

static __attribute__((unused)) uint32_t *flag_out(struct coll *c) {
  uint32_t *out = (uint32_t *)(c->scratch + OUT + (P == 9 ? 0 : 16 * (c->ncalls % 2)));
  return out;
}

static void __attribute__((unused)) all_ready(struct coll *c) {
  for (unsigned i = 1; i < c->nranks; i++) {
    step_await(c, (c->root + i) % c->nranks);
  }
}

static void __attribute__((unused)) get_list(struct coll *c) {
  uint64_t ea = step_await_post(c, c->root);
  size_t whole = c->nbytes / 16 * 16 <= 16384 ? c->nbytes / 16 * 16 : 0;
  mfc_list_element_t *list = (mfc_list_element_t *)(c->scratch + LIST);
  if (whole) {
    spu_note_store(list, sizeof *list);
    *list = (mfc_list_element_t){.size = whole & 0x7fff, .eal = (uint32_t)ea};
    mfc_getl(c->buffer, ea, list, sizeof *list, 3, 0, 0);
  }
  if (!RACY) {
    tags(1 << 3);
  }
  spu_note_store(list, sizeof *list); /* the same element again: nothing changes, the order is what counts */
  tags(1 << 3);
  step_fetch(c, c->buffer + whole, ea + whole, c->nbytes - whole);
  step_notify(c, c->root);
}

static void __attribute__((unused)) get_post(struct coll *c) {
  uint64_t ea = step_await_post(c, c->root);
  step_start_get(c, &(struct step_transfer){c->buffer, ea, c->nbytes, 0, false});
  if (!RACY) {
    step_finish(c, 0);
  }
  step_notify(c, c->root);
  step_finish(c, 0);
}

/* The root tells the address of its buffer; all others get the data from there. */
static void __attribute__((unused)) run_posts(struct coll *c) {
  if (c->rank == c->root) {
    for (unsigned i = 1; i < c->nranks; i++) {
      step_post(c, (c->root + i) % c->nranks, c->buffer);
    }
    all_ready(c);
  } else {
    (P == 10 ? get_list : get_post)(c);
  }
}

static void __attribute__((unused)) receive(struct coll *c) {
  step_notify(c, c->root); /* ready */
#if P == 1
  step_await(c, c->root);
#elif P == 5
  step_await_signal(c, c->root);
#elif P == 6
  uint32_t word = 0;
  mailbox_ask(c, &word, 1);
#elif P == 7
  step_await_count(c, c->scratch + LINE, c->group->shared_ea, c->ncalls + 1);
#else
  see_flag(c);
#endif
  spu_compute(WORK);
#if P == 9
  step_notify(c, c->root); /* the answer */
#endif
}

/* Send the data to rank TO, and what tells that the data has come. */
static void __attribute__((unused)) send(struct coll *c, unsigned i) {
  unsigned to = (c->root + i) % c->nranks;
  uint64_t flag = step_peer_ea(c, to, c->scratch + FLAG);
  size_t half = c->nbytes / 32 * 16;
  (void)flag, (void)half;
  step_await(c, to);
#if P == 3
  put_data(c, to, 0, half, 0, true);
  put_data(c, to, half, c->nbytes, 0, false);
  (RACY ? mfc_put : mfc_putf)(flag_out(c), flag, 16, 0, 0, 0);
#else
  put_data(c, to, 0, c->nbytes, 0, false);
#endif
#if P == 1
  if (!RACY) {
    step_finish(c, 0);
  }
  step_notify(c, to);
#elif P == 2
  mfc_putf(flag_out(c), flag, 16, RACY ? 16 : 0, 0, 0);
#elif P == 4
  if (!RACY) {
    mfc_barrier(7);
  }
  mfc_put(flag_out(c), flag, 16, 16, 0, 0);
  if (RACY) {
    mfc_barrier(7);
  }
#elif P == 5
  uint32_t *bits = (uint32_t *)(c->scratch + LIST + 16 * (c->ncalls % 2) + 12);
  spu_note_store(bits, 4);
  static unsigned sent[16]; /* to each rank: signals take the halves of the register in turn */
  *bits = UINT32_C(1) << (c->rank + (sent[to]++ % 2 ? 16 : 0));
  (RACY ? mfc_sndsig : mfc_sndsigf)(bits, spu_signal_ea(c->group->spe_of[to], 1), 0, 0, 0);
  step_finish(c, 0);
#elif P == 9
  if (i > 1 && !RACY) {
    step_await(c, (c->root + i - 1) % c->nranks); /* the answer of the rank before */
  }
  spu_note_store(flag_out(c), 16);
  *flag_out(c) = c->ncalls + 1;
  mfc_putf(flag_out(c), flag, 16, 0, 0, 0);
#endif
}

/* After the data has been sent to all. */
static void __attribute__((unused)) end_sends(struct coll *c) {
  (void)c;
#if P == 6
  uint32_t word = 0;
  if (!RACY) {
    step_finish(c, 0);
  }
  mailbox_ask(c, &word, 1);
#elif P == 7
  uint32_t *counter = (uint32_t *)(c->scratch + LINE);
  if (!RACY) {
    step_finish(c, 0);
  }
  do {
    step_load_line(c, counter, c->group->shared_ea);
    ++*counter;
  } while (!step_store_line(c, counter, c->group->shared_ea));
#elif P == 9
  for (unsigned i = RACY ? 1 : c->nranks - 1; i < c->nranks && c->nranks > 1; i++) {
    step_await(c, (c->root + i) % c->nranks);
  }
#endif
  tags(0xffffffff);
}

static void run(struct coll *c) {
  spu_note_flags(c->scratch + FLAG, 16);
  step_begin(c);
#if P == 8 || P == 10
  run_posts(c);
#else
  if (c->rank != c->root) {
    receive(c);
    return;
  }
  if (P != 9) {
    spu_note_store(flag_out(c), 16);
    *flag_out(c) = c->ncalls + 1;
  }
  for (unsigned i = 1; i < c->nranks; i++) {
    send(c, i);
  }
  end_sends(c);
#endif
}

#if P == 6
static void ppe(const struct coll_group *group) {
  uint32_t word;
  for (unsigned r = 0; r < group->nranks; r++) {
    mailbox_hear(group, r, &word, 1);
  }
  mailbox_answer(group);
}
#endif

static const struct algo algo = {
  .collective = COLL_BCAST,
  .name = "litmus",
  .source = "ali2010",
  .idea = "one rule of order",
  .needs = P == 5 ? NEED_SPES | NEED_SIGNAL_BITS : NEED_SPES,
  .scratch = scratch,
  .run = run,
#if P == 6
  .ppe = ppe,
#elif P == 7
  .shared = 128,
#endif
};

CELLCOLL_PLUGIN(&algo);
