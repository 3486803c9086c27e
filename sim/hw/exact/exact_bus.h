/* SPDX-License-Identifier: BSD-3-Clause
 * The exact bus: a transfer goes in bus requests, one by one, over command bus, rings and links. Here are the
 * begin and the end of every bus request, at its MFC; the stages in between are in bus_request.c. */
#pragma once

#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"
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
  return MAX(own, chip);
}

/* Return the queue entries of DMA with bytes to issue, a window entry and credits now. */
static inline dma_entries exact_bus_ready(const struct dma *dma) {
  dma_entries ready = 0;
  for (unsigned i = 0; i < DMA_WINDOWS_MAX; i++) {
    ready |= dma->windows[i].free_at <= des_now() ? dma->windows[i].ready : 0;
  }
  if (__builtin_expect((dma->crossing[DMA_GET] | dma->crossing[DMA_PUT]) != 0, 0)) {
    for (unsigned i = 0; i < DMA_DIRECTIONS; i++) {
      if (dma->crossing[i] && dma->windows[dma_window_of(dma, i)].free_at <= des_now()) {
        ready |= exact_bus_credits_from(dma, i) <= des_now() ? dma->crossing[i] : 0;
      }
    }
  }
  return ready;
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
  transfer->nbytes = MIN(left, line);
}

/* Return the set of queue entries with the command of TRANSFER while TRANSFER has bytes to issue. */
static inline dma_entries *exact_bus_entries(const struct bus_transfer *transfer) {
  struct dma *dma = transfer->dma;
  return transfer->needs_credits ? &dma->crossing[transfer->command->given.direction]
                                 : &dma->windows[transfer->window].ready;
}

/* Issue the next bus request of DMA. The command bus has chosen DMA, with bytes to issue and a window entry.
 * returns: the bus request, to be started; NULL: another MFC has taken the last credit of the chip. */
static inline struct bus_request *exact_bus_issue(struct dma *dma) {
  const struct board *board = dma->board;
  dma_entries ready = exact_bus_ready(dma);
  uint32_t spu = (uint32_t)ready, proxy = (uint32_t)(ready >> DMA_QUEUE_MAX);
  if (__builtin_expect(!ready, 0)) {
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
    *exact_bus_entries(transfer) &= ~dma_bit(side, entry);
    dma->issues = true;
    dma_issued(transfer->command);
    dma->issues = false;
  }
  return request;
}

/* Return the cycle from which on DMA has bytes to issue, with a window entry and credits; the cycle may be
 * over; UINT64_MAX: no bytes to issue, all entries or credits held, or DMA has stopped. */
static inline uint64_t exact_bus_wanted_from(const struct dma *dma) {
  uint64_t from = UINT64_MAX;
  if (dma->stopped) {
    return UINT64_MAX;
  }
  for (unsigned i = 0; i < DMA_WINDOWS_MAX; i++) {
    const struct dma_window *window = &dma->windows[i];
    from = window->ready && window->free_at < from ? window->free_at : from;
  }
  for (unsigned i = 0; i < DMA_DIRECTIONS; i++) {
    if (__builtin_expect(dma->crossing[i] != 0, 0)) {
      uint64_t free_at = dma->windows[dma_window_of(dma, i)].free_at,
               credits = exact_bus_credits_from(dma, i);
      uint64_t at = MAX(free_at, credits);
      LOWER(from, at);
    }
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
