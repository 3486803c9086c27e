/* SPDX-License-Identifier: BSD-3-Clause
 * How an MFC issues a bus request: what happens for every one of them. */
#pragma once

#include "sim/hw/arbiter.h"
#include "sim/hw/machine.h"
#include "sim/hw/dma.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return the queue of the side whose turn it is; one of them is ready. */
static inline struct dma_queue *
dma_next_queue(struct dma *dma)
{
  struct dma_queue *spu = &dma->queues[DMA_SPU], *proxy = &dma->queues[DMA_PROXY];
  bool is_proxy = proxy->ready && (!spu->ready || dma->last == DMA_SPU);
  dma->last = is_proxy ? DMA_PROXY : DMA_SPU;
  return is_proxy ? proxy : spu;
}

/* Let REQUEST move the next bytes of TRANSFER, which has bus requests of up to LINE bytes. */
static inline void
dma_fill(struct bus_request *request, struct bus_transfer *transfer, uint32_t line)
{
  uint32_t nbytes = transfer->nbytes, offset = transfer->offset, left = transfer->left - nbytes;
  request->transfer = transfer;
  request->chip = transfer->chip;
  request->from = transfer->from;
  request->to = transfer->to;
  request->offset = (uint16_t)offset;
  request->nbytes = (uint16_t)nbytes;
  transfer->offset = offset + nbytes;
  transfer->left = left;
  transfer->nbytes = left < line ? left : line;
}

/* Issue the next bus request of DMA, which has one and a window entry for it; the command bus accepts it.
 * returns: it, to be started. */
static inline struct bus_request *
dma_issue(struct dma *dma)
{
  const struct machine *machine = dma->machine;
  struct dma_queue *queue = dma_next_queue(dma);
  unsigned entry = arbiter_next(queue->ready, 0, queue->last);
  struct bus_transfer *transfer = queue->transfers[entry];
  struct bus_request *request = dma->free;
  dma->free = request->next;
  queue->last = entry;
  dma_fill(request, transfer, dma->parameters->request_bytes);
  if (machine_is_seen(machine)) {
    dma_see_issue(request);
  }
  if (!transfer->left) {
    queue->ready &= ~(UINT32_C(1) << entry);
    dma_issued(transfer->command);
  }
  return request;
}

/* Return the cycle from which on DMA has something to issue and a window entry to issue it with, which may be over;
 * UINT64_MAX if that is not known. */
static inline uint64_t
dma_issues_from(const struct dma *dma)
{
  uint32_t ready = dma->queues[DMA_SPU].ready | dma->queues[DMA_PROXY].ready;
  return ready && dma->free && !dma->stopped ? dma->free->event.at : UINT64_MAX;
}
