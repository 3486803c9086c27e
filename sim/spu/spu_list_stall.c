/* SPDX-License-Identifier: BSD-3-Clause
 * See spu_list_stall.h. */
#include "sim/spu/spu_list_stall.h"

#include "sim/base/des.h"
#include "sim/hw/dma_list.h"
#include "sim/hw/machine.h"
#include "sim/hw/program.h"
#include "sim/hw/spe.h"
#include "sim/spu/spu.h"

#include <stdio.h>

/* A wait for a DMA list of one MFC that stops. */
struct stall_wait {
  struct des_wait wait;
  const struct dma *dma;
};

static bool has_stopped(const struct des_wait *wait) {
  return ((const struct stall_wait *)wait)->dma->list_stalls != 0;
}

static void describe(const struct des_wait *wait, char *text, size_t size) {
  (void)wait;
  snprintf(text, size, "waits for a DMA list that stops behind an element with its notify bit");
}

uint32_t mfc_read_list_stall_status(void) {
  struct spe *spe = spu_self()->hw;
  struct stall_wait wait = {.wait = {.kinds = SPE_POKE_DMA, .ready = has_stopped, .describe = describe},
                            .dma = &spe->dma};
  program_wait(spe->machine, &wait.wait, PROBE_FOR_TAGS, NULL);
  uint32_t tags = spe->dma.list_stalls;
  spe->dma.list_stalls = 0;
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
