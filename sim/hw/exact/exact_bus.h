/* SPDX-License-Identifier: BSD-3-Clause
 * The exact bus: a transfer goes in bus requests, one by one, over command bus, rings and links. Here are the
 * begin and the end of every bus request, at its MFC; the stages in between are in bus_request.c. */
#pragma once

#include "sim/base/engine/des.h"
#include "sim/hw/board/board.h"
#include "sim/hw/bus/arbiter.h"
#include "sim/hw/bus/bus.h"
#include "sim/hw/exact/bus_request.h"
#include "sim/hw/spe/dma.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tell the observers that REQUEST is issued. */
void exact_bus_see_issue(const struct bus_request *request) __attribute__((cold));

/* Put REQUEST, a window entry of DMA, among the free entries of WINDOW, ordered by the cycle from which an
 * entry is free. Before, the list is empty, or the last entry is free later. */
void exact_bus_take_back(struct dma *dma, struct dma_window *window, struct bus_request *request);

/* Return the cycle from which on DMA has credits for another bus request of DIRECTION to a local store of
 * another chip; UINT64_MAX: all credits are held. */
static inline uint64_t exact_bus_credits_from(const struct dma *dma, unsigned direction) {
  uint64_t own = dma->credits[direction].from, chip = dma->chip_credits[direction].from;
  return own > chip ? own : chip;
}

/* Return the bits of the queue entries of SIDE with bytes to issue, a window entry and credits now. */
static inline uint32_t exact_bus_ready(const struct dma *dma, enum dma_side side) {
  const struct dma_queue *queue = &dma->queues[side];
  uint32_t entries = 0;
  for (unsigned i = 0; i < DMA_WINDOWS_MAX; i++) {
    entries |= dma->windows[i].free_at <= des_now() ? queue->ready[i] : 0;
  }
  for (unsigned i = 0; i < DMA_DIRECTIONS && __builtin_expect(dma->ncrossing > 0, 0); i++) {
    entries &= exact_bus_credits_from(dma, i) > des_now() ? ~queue->crossing[i] : UINT32_MAX;
  }
  return entries;
}

/* Let REQUEST move the next bytes of TRANSFER, which has bus requests of up to LINE bytes. */
static inline void exact_bus_fill(struct bus_request *request, struct bus_transfer *transfer, uint32_t line) {
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

/* Issue the next bus request of DMA. The command bus has chosen DMA, with bytes to issue and a window entry.
 * returns: the bus request, to be started; NULL: another MFC has taken the last credit of the chip. */
static inline struct bus_request *exact_bus_issue(struct dma *dma) {
  const struct board *board = dma->board;
  uint32_t spu = exact_bus_ready(dma, DMA_SPU), proxy = exact_bus_ready(dma, DMA_PROXY);
  if (__builtin_expect(!(spu | proxy), 0)) {
    return NULL;
  }
  enum dma_side side = proxy && (!spu || dma->last == DMA_SPU) ? DMA_PROXY : DMA_SPU; /* sides take turns */
  struct dma_queue *queue = &dma->queues[side];
  unsigned entry = arbiter_next(side == DMA_SPU ? spu : proxy, 0, queue->last);
  struct bus_transfer *transfer = queue->transfers[entry];
  struct dma_window *window = &dma->windows[transfer->window];
  struct bus_request *request = window->free;
  window->free = request->next;
  window->free_at = request->next ? request->next->free_at : UINT64_MAX;
  dma->last = side;
  queue->last = entry;
  if (__builtin_expect(transfer->needs_credits, 0)) {
    credits_take(&dma->credits[transfer->command->given.direction]);
    credits_take(&dma->chip_credits[transfer->command->given.direction]);
  }
  exact_bus_fill(request, transfer, dma->parameters->eib_request_bytes);
  if (board_is_followed(board)) {
    exact_bus_see_issue(request);
  }
  if (!transfer->left) {
    queue->ready[transfer->window] &= ~(UINT32_C(1) << entry);
    if (__builtin_expect(transfer->needs_credits, 0)) {
      queue->crossing[transfer->command->given.direction] &= ~(UINT32_C(1) << entry);
      dma->ncrossing--;
    }
    dma->issues = true;
    dma_issued(transfer->command);
    dma->issues = false;
  }
  return request;
}

/* Return what exact_bus_wanted_from does, for DMA with transfers that need credits. */
uint64_t exact_bus_wanted_with_credits(const struct dma *dma);

/* Return the cycle from which on DMA has bytes to issue, with a window entry and credits; the cycle may be
 * over; UINT64_MAX: no bytes to issue, all entries or credits held, or DMA has stopped. */
static inline uint64_t exact_bus_wanted_from(const struct dma *dma) {
  uint64_t from = UINT64_MAX;
  if (dma->stopped) {
    return UINT64_MAX;
  }
  if (__builtin_expect(dma->ncrossing > 0, 0)) {
    return exact_bus_wanted_with_credits(dma);
  }
  for (unsigned i = 0; i < DMA_WINDOWS_MAX; i++) {
    uint32_t ready = dma->queues[DMA_SPU].ready[i] | dma->queues[DMA_PROXY].ready[i];
    from = ready && dma->windows[i].free_at < from ? dma->windows[i].free_at : from;
  }
  return from;
}

/* Give the credits of a bus request of DMA in DIRECTION back, for cycle AT on. */
void exact_bus_give_credits(struct dma *dma, enum dma_direction direction, uint64_t at);

/* REQUEST is delivered at cycle AT: from now on the MFC knows when the window entry is free. */
static inline void exact_bus_arrives(struct bus_request *request, uint64_t at) {
  const struct bus_transfer *transfer = request->transfer;
  struct dma_window *window = &transfer->dma->windows[transfer->window];
  request->free_at = at + transfer->hold;
  if (window->free && window->last_free->free_at <= request->free_at) {
    request->next = NULL;
    window->last_free->next = request;
    window->last_free = request;
  } else {
    exact_bus_take_back(transfer->dma, window, request);
  }
}

/* REQUEST is delivered: free the credits; the MFC learns of a transfer that is complete. */
static inline void exact_bus_delivered(struct bus_request *request) {
  struct bus_transfer *transfer = request->transfer;
  if (__builtin_expect(transfer->needs_credits, 0)) {
    exact_bus_give_credits(transfer->dma, transfer->command->given.direction, des_now() + transfer->hold);
  }
  transfer->undelivered -= request->nbytes;
  if (!transfer->undelivered) {
    dma_transfer_delivered(transfer);
  }
}
