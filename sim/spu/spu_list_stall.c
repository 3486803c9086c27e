/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_list_stall.h. */
#include "sim/spu/spu_list_stall.h"

#include "sim/base/engine/des.h"
#include "sim/hw/dma_list.h"
#include "sim/hw/board.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"
#include "sim/spu/waits.h"

#include <stdio.h>

uint32_t mfc_read_list_stall_status(void) {
  struct spe *spe = spu_self()->hw;
  wait_for(WAIT_LIST_STALL, spe->board, &(struct wait){.spe = spe}, NULL);
  uint32_t tags = spe->dma.list_stalls;
  spe->dma.list_stalls = 0;
  board_see_order(spe->board,
                  &(struct probe_event){.kind = PROBE_SEEN_STALLS,
                                        .seen = {.program = spe->index, .spe = spe->index, .mask = tags}});
  return tags;
}

uint32_t mfc_stat_list_stall_status(void) {
  return spu_look()->dma.list_stalls != 0;
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
