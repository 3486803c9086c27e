/* SPDX-License-Identifier: BSD-3-Clause
 * See exact_bus.h.
 *
 * A transfer is split at 128-byte lines of its effective address into bus requests. Requests of several
 * queued commands interleave round robin: the priority inversion of tree algorithms. Gets and puts
 * have a window each, a bound on the requests under way (or share one, mfc.windows).
 * The commands of the SPU and those of the PPE (proxy) take turns, each side round robin (assumption).
 *
 * source: Ali, Midkiff, Pai 2010, sections 3.3 and 5.2. */
#include "sim/hw/exact/exact_bus.h"

#include "sim/base/engine/des.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"
#include "sim/hw/board/board.h"
#include "sim/hw/exact/bif.h"
#include "sim/hw/exact/command_bus.h"
#include "sim/hw/exact/eib.h"
#include "sim/hw/spe/spe.h"

#include <stdlib.h>

struct exact_bus {
  struct bus bus;
  struct board *board;
  struct bus_request *entries; /* of all windows of all MFCs */
};

/* --- windows --- */

/* Make all entries of window NUMBER of DMA free. Entries are taken in the order of their addresses first:
 * entries after the first free one are unused, unless all have been taken. */
static void empty_window(struct dma *dma, unsigned number) {
  struct dma_window *window = &dma->windows[number];
  unsigned size = dma->parameters->mfc_window;
  struct bus_request *entries = dma->entries + number * size, *last = &entries[size - 1];
  unsigned nused = last->transfer || !window->free ? size : (unsigned)(window->free - entries);
  for (unsigned i = 0; i < nused; i++) {
    entries[i] = (struct bus_request){.next = &entries[i + 1]};
  }
  last->next = NULL;
  window->free = entries;
  window->last_free = last;
  window->free_at = 0;
  window->ready = 0;
  dma->seen[number].n = 0;
}

/* Return how many window entries are taken, the last one from window NUMBER; called at each such event. */
static unsigned in_flight(struct dma *dma, unsigned number) {
  unsigned nwindows = dma->parameters->mfc_windows, count = nwindows * dma->parameters->mfc_window;
  for (unsigned i = 0; i < nwindows; i++) {
    struct dma_window_seen *seen = &dma->seen[i];
    seen->n -= i == number && seen->n > 0; /* the first entry */
    const struct bus_request *entry = seen->n ? seen->last->next : dma->windows[i].free;
    for (; entry && entry->free_at <= des_now(); entry = entry->next) {
      *seen = (struct dma_window_seen){seen->n + 1, entry};
    }
    count -= seen->n;
  }
  return count;
}

/* Return the cycle from which the credits of a request of TRANSFER could be held; 0: none are needed. */
static uint64_t credited(const struct dma *dma, const struct bus_transfer *transfer) {
  if (!transfer->needs_credits) {
    return 0;
  }
  uint64_t own = credits_taken_from(&dma->credits[transfer->command->given.direction]),
           chip = credits_taken_from(&dma->chip_credits[transfer->command->given.direction]);
  return MAX(own, chip);
}

void exact_bus_see_issue(const struct bus_request *request) {
  const struct bus_transfer *transfer = request->transfer;
  struct dma *dma = transfer->dma;
  struct probe_event event = {.kind = PROBE_ISSUE};
  event.issue = (struct probe_issue){
    .request = bus_request_name(request),
    .chip = dma->spe->chip,
    .coherent = transfer->source.kind == BUS_END_MEMORY || transfer->target.kind == BUS_END_MEMORY,
    .in_flight = dma->board->probes.counting ? in_flight(dma, transfer->window) : 0,
    .credited = credited(dma, transfer)};
  board_tell(dma->board, &event);
}

/* Ask for the command bus from the first cycle at which DMA can issue a bus request, if there is such a
 * cycle. */
static void ask_for_command_bus(struct dma *dma) {
  uint64_t from = exact_bus_wanted_from(dma);
  if (from != UINT64_MAX) {
    command_bus_ask(dma->command_bus, dma->spe->unit, from);
  }
}

void exact_bus_take_back(struct dma *dma, struct dma_window *window, struct bus_request *request) {
  struct bus_request **link = &window->free;
  while (*link && (*link)->free_at <= request->free_at) {
    link = &(*link)->next;
  }
  request->next = *link;
  *link = request;
  if (!request->next) {
    window->last_free = request;
  }
  if (window->free == request) {
    window->free_at = request->free_at;
    ask_for_command_bus(dma);
  }
}

void exact_bus_give_credits(struct dma *dma, enum dma_direction direction, uint64_t at) {
  const struct parameters *parameters = dma->parameters;
  struct spe *spes = &dma->board->spes[dma->spe->chip * parameters->spes_per_chip];
  bool mine = credits_give(&dma->credits[direction], 1, at, at);
  if (credits_give(&dma->chip_credits[direction], 1, at, at)) {
    for (unsigned i = 0; i < parameters->spes_per_chip; i++) {
      ask_for_command_bus(&spes[i].dma);
    }
  } else if (mine) {
    ask_for_command_bus(dma);
  }
}

/* --- the interface --- */

static void begin(struct bus *bus, struct bus_transfer *transfer) {
  struct dma *dma = transfer->dma;
  const struct bus_end *source = &transfer->source, *target = &transfer->target;
  (void)bus;
  transfer->chip = (uint16_t)source->chip;
  transfer->from = source->unit;
  transfer->to = source->chip != target->chip ? (uint8_t)dma->parameters->bif_unit : target->unit;
  transfer->rings = dma->board->eibs[source->chip];
  *exact_bus_entries(transfer) |= dma_bit(transfer->command->given.side, transfer->command->entry);
  if (!dma->issues) { /* else the command bus asks again by itself */
    ask_for_command_bus(dma);
  }
}

static void stop(struct bus *bus, struct dma *dma) {
  (void)bus;
  command_bus_withdraw(dma->command_bus, dma->spe->unit);
}

/* Let DMA have nothing to issue. */
static void reset_issue(struct dma *dma) {
  for (unsigned i = 0; i < DMA_SIDES; i++) {
    dma->queues[i].last = dma->queues[i].size - 1;
  }
  dma->last = DMA_PROXY;
  dma->crossing[DMA_GET] = dma->crossing[DMA_PUT] = 0;
  dma->windows[DMA_WINDOWS_MAX - 1].free_at = UINT64_MAX;
  for (unsigned i = 0; i < dma->parameters->mfc_windows; i++) {
    empty_window(dma, i);
  }
}

static void reset(struct bus *bus) {
  struct exact_bus *exact = (struct exact_bus *)bus;
  struct board *board = exact->board;
  for (unsigned i = 0; i < board->parameters->nchips; i++) {
    eib_reset(board->eibs[i]);
  }
  bif_reset(board->bif);
  bif_reset_credits(board->bif);
  for (unsigned i = 0; i < board->parameters->nspes; i++) {
    reset_issue(&board->spes[i].dma);
  }
}

static void release(struct bus *bus) {
  struct exact_bus *exact = (struct exact_bus *)bus;
  xfree_all(exact->board->eibs, exact->board->parameters->nchips);
  free(exact->entries);
  free(exact);
}

struct bus *exact_bus_new(struct board *board) {
  const struct parameters *parameters = board->parameters;
  unsigned nentries = parameters->mfc_windows * parameters->mfc_window; /* of an MFC */
  struct exact_bus *exact = xcalloc(1, sizeof *exact);
  exact->bus = (struct bus){.begin = begin, .stop = stop, .reset = reset, .free = release};
  exact->board = board;
  exact->entries = xcalloc_lines((size_t)parameters->nspes * nentries, sizeof *exact->entries);
  board->eibs = xcalloc(parameters->nchips, sizeof *board->eibs);
  for (unsigned i = 0; i < parameters->nchips; i++) {
    board->eibs[i] = eib_new(board, i);
  }
  for (unsigned i = 0; i < parameters->nspes; i++) {
    struct spe *spe = &board->spes[i];
    spe->dma.command_bus = &board->eibs[spe->chip]->command_bus;
    spe->dma.command_bus->askers[spe->unit].dma = &spe->dma;
    spe->dma.entries = exact->entries + (size_t)i * nentries;
  }
  reset(&exact->bus);
  return &exact->bus;
}
