/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives with a missing order, and a sound twin; a plugin for each -DM=n (tests/gaming/orders):
 *
 *   0 sound   data put, flag put with a fence under the same tag
 *   1 pair    data put, flag put without a fence under the same tag
 *   2 untold the same into scratch; the receiver copies from there without telling (no spu_note_load, no
 *   spu_note_store)
 *   3 ack     the receiver gets the data and acknowledges before it has waited for its tag
 *   4 reuse   a scatter whose root packs every block in the same 128-byte aligned place, and puts it, without
 *             waiting between
 *   5 tag     the flag put has a fence, under another tag than the data
 *   6 far     as pair, the flag put DISTANCE cycles after the data put
 *   7 twice   two puts to the same place in no order: first zeros, then the data; then a flag with a fence
 *   8 parts   data in two puts under tags 0 and 2; waits for tag 0, then the flag with a fence under tag 0
 */
#include "algos/plugin.h"
#include "algos/step/layout.h"
#include "algos/step/step.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"

#include <string.h>

#ifndef M
#define M 0
#endif
/* Cycles between the flag's being seen and the first read of the data. */
#ifndef WORK
#define WORK 20
#endif
#ifndef DISTANCE
#define DISTANCE 4000
#endif

/* In scratch: the flag (one entry of 16 bytes), where it leaves from (two, in turn), and from 128 on a copy
 * of the data. */
enum { FLAG = 0, FLAG_OUT = 16, DATA = 128 };

static size_t scratch(const struct coll_group *group) {
  return DATA + 2 * (group->nbytes + 127) / 128 * 128 + 256;
}

static void __attribute__((unused))
put_data(struct coll *c, const void *from, unsigned to, const void *place, unsigned slot) {
  step_start_put(c,
                 &(struct step_transfer){
                   .ls = (void *)from, .ea = step_peer_ea(c, to, place), .nbytes = c->nbytes, .slot = slot});
}

/* Return where the flag of this call leaves from. */
static uint32_t *__attribute__((unused)) flag_out(struct coll *c) {
  return (uint32_t *)(c->scratch + FLAG_OUT + 16 * (c->ncalls % 2));
}

/* Put the flag of this call to rank TO. */
static void __attribute__((unused)) put_flag(struct coll *c, unsigned to) {
  uint32_t *out = flag_out(c);
#if M == 0 || M == 7 || M == 8
  mfc_putf(out, step_peer_ea(c, to, c->scratch + FLAG), 16, 0, 0, 0);
#elif M == 5
  mfc_putf(out, step_peer_ea(c, to, c->scratch + FLAG), 16, 16, 0, 0);
#else
  mfc_put(out, step_peer_ea(c, to, c->scratch + FLAG), 16, 0, 0, 0);
#endif
}

static void __attribute__((unused)) wait_for_flag(struct coll *c) {
  struct spu_flag flag = {
    .word = (uint32_t *)(c->scratch + FLAG), .value = c->ncalls + 1, .peer = (int)c->root, .what = "flag"};
  spu_wait_flag(&flag);
  spu_compute(WORK);
}

#if M == 4

static void run(struct coll *c) {
  size_t stride = layout_stride(c->group);
  step_begin(c);
  if (c->rank != c->root) {
    step_notify(c, c->root); /* this rank is ready */
    step_await(c, c->root);
    return;
  }
  uint8_t *pack = c->scratch + DATA;
  for (unsigned i = 1; i < c->nranks; i++) {
    unsigned to = (c->root + i) % c->nranks;
    step_await(c, to);
    spu_note_load(c->buffer + to * stride, c->nbytes);
    spu_note_store(pack, c->nbytes);
    spu_catch_up();
    memcpy(pack, c->buffer + to * stride, c->nbytes); /* missing: step_finish(c, 0) before it */
    step_start_put(
      c, &(struct step_transfer){pack, step_peer_ea(c, to, c->buffer + to * stride), c->nbytes, 0, false});
  }
  step_finish(c, 0);
  for (unsigned i = 1; i < c->nranks; i++) {
    step_notify(c, (c->root + i) % c->nranks);
  }
}

#elif M == 3

static void run(struct coll *c) {
  step_begin(c);
  if (c->rank == c->root) {
    for (unsigned i = 1; i < c->nranks; i++) {
      step_post(c, (c->root + i) % c->nranks, c->buffer);
    }
    for (unsigned i = 1; i < c->nranks; i++) {
      step_await_taken(c, (c->root + i) % c->nranks);
    }
    return;
  }
  step_start_get(c, &(struct step_transfer){c->buffer, step_await_post(c, c->root), c->nbytes, 0, false});
  step_acknowledge(c, c->root); /* too early */
  step_finish(c, 0);
}

#else

static void run(struct coll *c) {
  spu_note_flags(c->scratch + FLAG, 16);
  step_begin(c);
  if (c->rank != c->root) {
    step_notify(c, c->root); /* this rank is ready */
    wait_for_flag(c);
#if M == 2
    spu_catch_up();
    memcpy(c->buffer, c->scratch + DATA, c->nbytes);
#endif
    return;
  }
  spu_note_store(flag_out(c), 16);
  *flag_out(c) = c->ncalls + 1;
#if M == 7
  uint8_t *zeros = c->scratch + DATA;
  spu_note_store(zeros, c->nbytes);
  memset(zeros, 0, c->nbytes);
#endif
  for (unsigned i = 1; i < c->nranks; i++) {
    unsigned to = (c->root + i) % c->nranks;
    step_await(c, to);
#if M == 2
    put_data(c, c->buffer, to, c->scratch + DATA, 0);
#elif M == 7
    put_data(c, zeros, to, c->buffer, 0);
    put_data(c, c->buffer, to, c->buffer, 0);
#elif M == 8
    size_t half = c->nbytes / 32 * 16;
    step_start_put(c, &(struct step_transfer){c->buffer, step_peer_ea(c, to, c->buffer), half, 0, false});
    step_start_put(c, &(struct step_transfer){c->buffer + half, step_peer_ea(c, to, c->buffer + half),
                                              c->nbytes - half, 2, false});
    step_finish(c, 0);
#else
    put_data(c, c->buffer, to, c->buffer, 0);
#endif
#if M == 6
    spu_compute(DISTANCE);
#endif
    put_flag(c, to);
  }
  step_finish(c, 0);
#if M == 5
  mfc_write_tag_mask(1 << 16);
  mfc_read_tag_status_all();
#elif M == 8
  step_finish(c, 2);
#endif
}

#endif

#if M == 0
#define NAME "sound"
#elif M == 1
#define NAME "pair"
#elif M == 2
#define NAME "untold"
#elif M == 3
#define NAME "ack"
#elif M == 4
#define NAME "reuse"
#elif M == 5
#define NAME "tag"
#elif M == 6
#define NAME "far"
#elif M == 7
#define NAME "twice"
#elif M == 8
#define NAME "parts"
#endif

static const struct algo algo = {
#if M == 4
  .collective = COLL_SCATTER,
#else
  .collective = COLL_BCAST,
#endif
  .name = NAME,
  .source = "ali2010",
  .idea = "pushes data and a flag",
  .needs = NEED_SPES,
  .scratch = scratch,
  .run = run,
};

CELLCOLL_PLUGIN(&algo);
