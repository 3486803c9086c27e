/* SPDX-License-Identifier: BSD-3-Clause
 * SPE code in the words of the SDK, as a plugin: every rank but the root loads the data of the root in pieces
 * of at most 16 KiB, two at a time under two tags.
 *
 *   0 > 1 2 3 4 5 6 7
 *
 * The function load() is such code, unchanged; run() tells the other ranks the address of the data, and the
 * root that the data has been taken. docs/how-to/port-spe-code.md explains both. */
#include "algos/plugin.h"
#include "algos/step/step.h"

#include <spu_intrinsics.h>
#include <spu_mfcio.h>

/* Load SIZE bytes from effective address EA to LS, two pieces at a time. */
static void load(volatile uint8_t *ls, unsigned long long ea, uint32_t size) {
  uint32_t tags = mfc_multi_tag_reserve(2), next = 0;
  if (tags == MFC_TAG_INVALID) {
    spu_stop(1);
  }
  while (size > 0) {
    uint32_t piece = MFC_MAX_DMA_SIZE;
    if (size < MFC_MAX_DMA_SIZE) {
      piece = size & ~MFC_MIN_DMA_SIZE_MASK;
    }
    if (size < MFC_MIN_DMA_SIZE) { /* 8, 4, 2 or 1 bytes */
      piece = size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
    }
    mfc_write_tag_mask(1 << (tags + next));
    spu_mfcstat(MFC_TAG_UPDATE_ALL); /* the piece before the last one is there */
    spu_mfcdma64(ls, mfc_ea2h(ea), mfc_ea2l(ea), piece, tags + next, MFC_GET_CMD);
    ls += piece;
    ea += piece;
    size -= piece;
    next ^= 1;
  }
  mfc_write_tag_mask(3 << tags);
  mfc_read_tag_status_all();
  mfc_multi_tag_release(tags, 2);
}

static void run(struct coll *c) {
  step_begin(c);
  if (c->rank != c->root) {
    uint64_t ea = step_await_post(c, c->root);
    load(c->buffer, ea, (uint32_t)c->nbytes);
    step_acknowledge(c, c->root);
    return;
  }
  for (unsigned rank = 0; rank < c->nranks; rank++) {
    if (rank != c->root) {
      step_post_ea_more(c, rank, c->buffer_ea);
    }
  }
  step_settle_all(c);
  for (unsigned rank = 0; rank < c->nranks; rank++) {
    if (rank != c->root) {
      step_await_taken(c, rank);
    }
  }
}

static const struct algo bcast_ported = {
  .collective = COLL_BCAST,
  .name = "ported",
  .source = "ali2010",
  .idea = "all ranks at once in the words of the SDK",
  .run = run,
};

CELLCOLL_PLUGIN(&bcast_ported);
