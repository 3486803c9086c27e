/* SPDX-License-Identifier: BSD-3-Clause
 * How an MFC issues a bus request: what happens for every one of them. */
#pragma once

#include "sim/base/des.h"
#include "sim/hw/arbiter.h"
#include "sim/hw/machine.h"
#include "sim/hw/dma.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return the queue entries of SIDE that have something to issue and a window entry for it now. */
static inline uint32_t dma_can_issue(const struct dma *dma, enum dma_side side) {
  uint32_t entries = 0;
  for (unsigned i = 0; i < DMA_WINDOWS_MAX; i++) {
    entries |= dma->windows[i].free_at <= des_now() ? dma->queues[side].ready[i] : 0;
  }
  return entries;
}

/* Let REQUEST move the next bytes of TRANSFER, which has bus requests of up to LINE bytes. */
static inline void dma_fill(struct bus_request *request, struct bus_transfer *transfer, uint32_t line) {
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
static inline struct bus_request *dma_issue(struct dma *dma) {
  const struct machine *machine = dma->machine;
  uint32_t spu = dma_can_issue(dma, DMA_SPU), proxy = dma_can_issue(dma, DMA_PROXY);
  enum dma_side side = proxy && (!spu || dma->last == DMA_SPU) ? DMA_PROXY : DMA_SPU; /* they take turns */
  struct dma_queue *queue = &dma->queues[side];
  unsigned entry = arbiter_next(side == DMA_SPU ? spu : proxy, 0, queue->last);
  struct bus_transfer *transfer = queue->transfers[entry];
  struct dma_window *window = &dma->windows[transfer->window];
  struct bus_request *request = window->free;
  window->free = request->next;
  window->free_at = request->next ? request->next->event.at : UINT64_MAX;
  dma->last = side;
  queue->last = entry;
  dma_fill(request, transfer, dma->parameters->request_bytes);
  if (machine_is_followed(machine)) {
    dma_see_issue(request);
  }
  if (!transfer->left) {
    queue->ready[transfer->window] &= ~(UINT32_C(1) << entry);
    dma_issued(transfer->command);
  }
  return request;
}

/* Return the cycle from which on DMA has something to issue and a window entry to issue it with, which may be
 * over; UINT64_MAX if that is not known. */
static inline uint64_t dma_issues_from(const struct dma *dma) {
  uint64_t from = UINT64_MAX;
  for (unsigned i = 0; i < DMA_WINDOWS_MAX; i++) {
    uint32_t ready = dma->queues[DMA_SPU].ready[i] | dma->queues[DMA_PROXY].ready[i];
    from = ready && dma->windows[i].free_at < from ? dma->windows[i].free_at : from;
  }
  return dma->stopped ? UINT64_MAX : from;
}
