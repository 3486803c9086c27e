/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives that are right in the usual order, told nothing to the detector, and rely on the pace of the
 * machine (tests/gaming/orders). `sound` uses the same buffers with all waits.
 *
 *   hides-list  lazy: the elements of a list are used after long work, without a wait
 *   hides-get   the same by a get, also on hosts
 *   fills-late  eager: the source of a put is filled in after the command
 *   two-signals stalls: the second word into signal register 2 comes long after the first, and no handshake
 *               between: the word overwrites the first if the reader is slow */
#include "algos/plugin.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"

#include <string.h>

enum { TAG = 20, PIECE = 1024, WORDS = 2048 };

static size_t scratch(const struct coll_group *group) {
  return group->nbytes + WORDS + 256;
}

static void finish(void) {
  mfc_write_tag_mask(UINT32_C(1) << TAG);
  mfc_read_tag_status_all();
}

/* Tell whether a put or a list of pieces can move the vector. */
static bool can_move(const struct coll *c) {
  return c->nbytes && c->nbytes % 16 == 0 && c->nbytes <= 16384;
}

/* The usual broadcast, of other sizes. */
static void spread(struct coll *c) {
  if (c->rank != c->root) {
    step_take(c, c->root, c->buffer, c->nbytes);
    return;
  }
  for (unsigned r = 0; r < c->nranks; r++) {
    if (r != c->root) {
      step_post(c, r, c->buffer);
    }
  }
  for (unsigned r = 0; r < c->nranks; r++) {
    if (r != c->root) {
      step_await_taken(c, r);
    }
  }
}

/* Get the vector into scratch by a list, and copy from there without a word to the detector. WAITS: after the
 * wait for the tag. */
static void get_list(struct coll *c, bool waits) {
  step_begin(c);
  if (c->rank == c->root || !can_move(c)) {
    spread(c);
    return;
  }
  mfc_list_element_t *list = (void *)(c->scratch + (c->nbytes + 127) / 128 * 128);
  uint64_t ea = step_await_post(c, c->root);
  unsigned n = 0;
  for (size_t at = 0; at < c->nbytes; at += PIECE) {
    size_t left = c->nbytes - at;
    list[n++] =
      (mfc_list_element_t){.size = (left < PIECE ? left : PIECE) & 0x7fff, .eal = mfc_ea2l(ea + at)};
  }
  mfc_getl(c->scratch, ea, list, n * (uint32_t)sizeof *list, TAG, 0, 0);
  if (waits) {
    finish();
  }
  spu_compute(40000 + 16 * c->nbytes);
  spu_catch_up();
  memcpy(c->buffer, c->scratch, c->nbytes);
  finish();
  step_acknowledge(c, c->root);
}

static void hides_list(struct coll *c) {
  get_list(c, false);
}

static void sound(struct coll *c) {
  get_list(c, true);
}

/* The same by a plain get, on SPEs and on hosts. */
static void hides_get(struct coll *c) {
  step_begin(c);
  if (c->rank == c->root || !c->nbytes) {
    spread(c);
    return;
  }
  step_start_get(c, &(struct step_transfer){c->scratch, step_await_post(c, c->root), c->nbytes, 0, false});
  spu_compute_for(COMPUTE_OTHER, c->group->port->wait_tag ? 2000000 : 100000); /* of hosts, or SPEs */
  spu_catch_up();
  memcpy(c->buffer, c->scratch, c->nbytes);
  step_finish(c, 0);
  step_acknowledge(c, c->root);
}

static void fills_late(struct coll *c) {
  step_begin(c);
  if (!can_move(c)) {
    spread(c);
  } else if (c->rank != c->root) {
    step_notify(c, c->root);
    step_await(c, c->root);
  } else {
    for (unsigned i = 1; i < c->nranks; i++) {
      unsigned r = (c->root + i) % c->nranks;
      step_await(c, r);
      memset(c->scratch, 0, c->nbytes);
      mfc_put(c->scratch, step_peer_ea(c, r, c->buffer), (uint32_t)c->nbytes, TAG, 0, 0);
      memcpy(c->scratch, c->buffer, c->nbytes);
      finish();
      step_notify(c, r);
    }
  }
}

/* Rank 0 sends two words to each other rank; a barrier has no data to get wrong, so that a lost word is a
 * deadlock. */
static void two_signals(struct coll *c) {
  step_begin(c);
  for (unsigned r = 1; c->rank != 0 && r < c->nranks; r++) {
    if (r == c->rank) {
      step_notify(c, 0);
      spu_read_signal2();
      spu_read_signal2();
      step_notify(c, 0);
      step_await(c, 0);
    }
  }
  if (c->rank == 0) {
    uint32_t *word = (uint32_t *)(c->scratch + 12);
    *word = 1;
    for (unsigned r = 1; r < c->nranks; r++) {
      step_await(c, r);
      for (unsigned i = 0; i < 2; i++) {
        mfc_sndsig(word, spu_signal_ea(c->group->spe_of[r], 2), TAG, 0, 0);
        finish();
        spu_compute(30000);
      }
    }
    for (unsigned r = 1; r < c->nranks; r++) {
      step_await(c, r);
    }
    for (unsigned r = 1; r < c->nranks; r++) {
      step_notify(c, r);
    }
  }
}

#define ENTRY(what, called, program, needed) \
  &(const struct algo) { \
    .collective = COLL_##what, .name = called, .source = "ali2010", .needs = needed, \
    .idea = "relies on the pace of the machine", .scratch = scratch, .run = program \
  }
CELLCOLL_PLUGIN(ENTRY(BCAST, "sound", sound, NEED_SPES), ENTRY(BCAST, "hides-list", hides_list, NEED_SPES),
                ENTRY(BCAST, "hides-get", hides_get, 0), ENTRY(BCAST, "fills-late", fills_late, NEED_SPES),
                ENTRY(BARRIER, "two-signals", two_signals, NEED_SPES));
