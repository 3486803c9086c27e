/* SPDX-License-Identifier: BSD-3-Clause
 * See dma_tags.h. The answer counts for the cycle in which the condition is met; later commands of the SPU do
 * not change the answer. If the SPU changes the mask before, the new mask counts. An unread answer
 * stays until a read or a later answer: a question alone does not clear the answer.
 * source: Cell Broadband Engine Architecture 1.02, 9.3; RPCS3 pull request 8543 (result of hardware). */
#include "sim/hw/spe/dma_tags.h"

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/spe/dma.h"
#include "sim/hw/spe/spe.h"

bool dma_tags_meet(const struct dma *dma, enum dma_tag_condition condition) {
  uint32_t mask = dma->tag_query.mask, done = dma_tags_done(dma, DMA_SPU, mask);
  return condition == DMA_TAGS_ALL ? done == mask : condition == DMA_TAGS_NOW || done != 0;
}

void dma_tags_ask(struct dma *dma, enum dma_tag_condition condition) {
  dma_let_go(dma, DMA_SPU, dma->tag_query.mask, condition == DMA_TAGS_ANY, des_now());
  dma->tag_query.condition = condition;
  dma->tag_query.asked = true;
  dma_tags_look(dma, (struct probe_cause){.kind = PROBE_BY_NOTHING});
}

void dma_tags_look(struct dma *dma, struct probe_cause cause) {
  struct dma_tag_query *query = &dma->tag_query;
  if (query->asked && dma_tags_meet(dma, query->condition)) {
    query->asked = false;
    query->answered = true;
    spe_note_event(dma->spe, SPE_EVENT_TAG_STATUS, cause);
    query->answer = dma_tags_done(dma, DMA_SPU, query->mask);
    board_see_order(dma->board, &(struct probe_event){.kind = PROBE_TAGS_DONE,
                                                      .seen = {.spe = dma->issuer, .mask = query->answer}});
  }
}
