/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_tag_status.h. Looking at the status now takes mfc.channel-read cycles; every other call takes only
 * the time of the wait. */
#include "sim/spu/spu_tag_status.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/spu_channel.h"
#include "sim/spu/waits.h"

#include <stdio.h>

void mfc_write_tag_mask(uint32_t mask) {
  spu_self()->hw->dma.tag_query.mask = mask;
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
    program_compute(spe->board, COMPUTE_CHANNEL, spe->board->parameters->channel_read);
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
  wait_for(WAIT_TAG_STATUS, spe->board, &(struct wait){.spe = spe}, NULL);
  return take_answer(&spe->dma);
}

uint32_t mfc_stat_tag_status(void) {
  return spu_look()->dma.tag_query.answered;
}

/* Ask for the status under CONDITION and read the answer: as mfc_write_tag_update and mfc_read_tag_status,
 * but the program, which may be ahead of the machine, waits only once. */
static uint32_t ask_and_read(enum dma_tag_condition condition) {
  struct spe *spe = spu_self()->hw;
  wait_for(WAIT_TAGS, spe->board, &(struct wait){.spe = spe, .number = condition}, NULL);
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
