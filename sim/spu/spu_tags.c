/* SPDX-License-Identifier: BSD-3-Clause
 * Tag groups and DMA lists, see spu_mfcio.h. Looking at the status now takes mfc.channel-read cycles; every
 * other call takes only the time of the wait. */
#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/board/program.h"
#include "sim/hw/spe/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/waits.h"

/* --- completion of DMA commands --- */

void mfc_write_tag_mask(uint32_t mask) {
  struct spe *spe = spu_self()->hw;
  if (spe->dma.tag_query.asked) { /* the old mask counts up to this cycle */
    des_sync(spe->actor);
  }
  spe->dma.tag_query.mask = mask;
  if (spe->dma.tag_query.asked) {
    dma_let_go(&spe->dma, DMA_SPU, mask, spe->dma.tag_query.condition == DMA_TAGS_ANY, des_now());
  }
  dma_tags_look(&spe->dma, (struct probe_cause){.kind = PROBE_BY_NOTHING});
}

uint32_t mfc_read_tag_mask(void) {
  return spu_self()->hw->dma.tag_query.mask;
}

void mfc_write_tag_update(uint32_t condition) {
  struct spe *spe = spu_self()->hw;
  if (condition >= DMA_TAG_CONDITIONS) {
    struct fault fault;
    spe_fault(spe, fault_set(&fault, "tag update condition %u, expected 0, 1 or 2", (unsigned)condition));
  }
  if (condition == DMA_TAGS_NOW) {
    program_compute(spe->board, COMPUTE_CHANNEL, spe->board->parameters->mfc_channel_read);
  }
  des_sync(spe->actor);
  dma_tags_ask(&spe->dma, (enum dma_tag_condition)condition);
}

void mfc_write_tag_update_immediate(void) {
  mfc_write_tag_update(MFC_TAG_UPDATE_IMMEDIATE);
}

void mfc_write_tag_update_any(void) {
  mfc_write_tag_update(MFC_TAG_UPDATE_ANY);
}

void mfc_write_tag_update_all(void) {
  mfc_write_tag_update(MFC_TAG_UPDATE_ALL);
}

uint32_t mfc_stat_tag_update(void) {
  spu_look();
  return 1;
}

/* Return the answer that DMA has, and clear the answer. */
static uint32_t take_answer(struct dma *dma) {
  dma->tag_query.answered = false;
  board_see_order(dma->board, &(struct probe_event){.kind = PROBE_SEEN_TAGS,
                                                    .seen = {.program = dma->issuer, .spe = dma->issuer}});
  return dma->tag_query.answer;
}

uint32_t mfc_read_tag_status(void) {
  struct spe *spe = spu_self()->hw;
  wait_for(WAIT_TAG_STATUS, &(struct wait){.spe = spe}, NULL);
  return take_answer(&spe->dma);
}

uint32_t mfc_stat_tag_status(void) {
  return spu_look()->dma.tag_query.answered;
}

/* Ask for the status under CONDITION and read the answer: as mfc_write_tag_update and mfc_read_tag_status,
 * but the program, which may be ahead of the machine, waits only once. */
static uint32_t ask_and_read(enum dma_tag_condition condition) {
  struct spe *spe = spu_self()->hw;
  if (spe->dma.tag_query.asked || spe->dma.tag_query.answered) { /* an unread answer is the one to be read */
    mfc_write_tag_update(condition);
    return mfc_read_tag_status();
  }
  dma_let_go(&spe->dma, DMA_SPU, spe->dma.tag_query.mask, condition == DMA_TAGS_ANY, des_local(spe->actor));
  wait_for(WAIT_TAGS, &(struct wait){.spe = spe, .number = condition}, NULL);
  dma_tags_ask(&spe->dma, condition);
  return take_answer(&spe->dma);
}

uint32_t mfc_read_tag_status_immediate(void) {
  mfc_write_tag_update_immediate();
  return mfc_read_tag_status();
}

uint32_t mfc_read_tag_status_any(void) {
  return ask_and_read(DMA_TAGS_ANY);
}

uint32_t mfc_read_tag_status_all(void) {
  return ask_and_read(DMA_TAGS_ALL);
}

/* --- DMA lists that stop --- */

uint32_t mfc_read_list_stall_status(void) {
  struct spe *spe = spu_self()->hw;
  dma_let_go(&spe->dma, DMA_SPU, UINT32_MAX, false, des_local(spe->actor));
  wait_for(WAIT_LIST_STALL, &(struct wait){.spe = spe}, NULL);
  uint32_t tags = spe->dma.list_stalls;
  spe->dma.list_stalls = 0;
  board_see_order(spe->board,
                  &(struct probe_event){.kind = PROBE_SEEN_STALLS,
                                        .seen = {.program = spe->index, .spe = spe->index, .mask = tags}});
  return tags;
}

uint32_t mfc_stat_list_stall_status(void) {
  struct spe *spe = spu_look();
  dma_let_go(&spe->dma, DMA_SPU, UINT32_MAX, false, des_now());
  return spe->dma.list_stalls != 0;
}

void mfc_write_list_stall_ack(uint32_t tag) {
  struct spe *spe = spu_self()->hw;
  if (tag >= DMA_TAGS) {
    struct fault fault;
    spe_fault(spe, fault_set(&fault, "tag %u, expected 0 to %d", (unsigned)tag, DMA_TAGS - 1));
  }
  des_sync(spe->actor);
  dma_list_resume(&spe->dma, tag);
}

/* --- tag manager --- */

/* Return the set of COUNT tags from FIRST on; 0 if there is no such set. */
static uint32_t tags(uint32_t first, uint32_t count) {
  if (count == 0 || count > DMA_TAGS || first > DMA_TAGS - count) {
    return 0;
  }
  return (UINT32_MAX >> (DMA_TAGS - count)) << first;
}

uint32_t mfc_multi_tag_reserve(uint32_t count) {
  struct spu *spu = spu_self();
  for (uint32_t first = 0, wanted; (wanted = tags(first, count)); first++) {
    if (!(spu->tags_taken & wanted)) {
      spu->tags_taken |= wanted;
      return first;
    }
  }
  return MFC_TAG_INVALID;
}

uint32_t mfc_tag_reserve(void) {
  return mfc_multi_tag_reserve(1);
}

uint32_t mfc_multi_tag_release(uint32_t first, uint32_t count) {
  struct spu *spu = spu_self();
  uint32_t given = tags(first, count);
  if (!given || (spu->tags_taken & given) != given) {
    return MFC_TAG_INVALID;
  }
  spu->tags_taken &= ~given;
  return MFC_TAG_VALID;
}

uint32_t mfc_tag_release(uint32_t tag) {
  return mfc_multi_tag_release(tag, 1);
}
