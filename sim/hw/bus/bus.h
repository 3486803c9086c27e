/* SPDX-License-Identifier: BSD-3-Clause
 * A bus, and the transfers between local stores and memories that cross it, cut into bus requests. A bus
 * carries a transfer from its begin at an MFC to the target, where all bytes can be seen.
 *
 * For each transfer a bus calls dma_issued (dma.h) when all of the transfer has gone out, and
 * dma_transfer_delivered later, when all bytes can be seen. */
#pragma once

#include "sim/hw/board/bus_end.h"

#include <stdbool.h>
#include <stdint.h>

struct board;
struct bus_transfer;
struct dma;
struct dma_command;
struct eib;

/* The first member of each kind of bus. */
struct bus {
  /* Carry TRANSFER from now on; dma_issued calls this too, for the next transfer of a command. */
  void (*begin)(struct bus *bus, struct bus_transfer *transfer);
  /* DMA has stopped: let nothing more of DMA go out; bytes on their way arrive. */
  void (*stop)(struct bus *bus, struct dma *dma);
  /* Make BUS idle; all MFCs are. */
  void (*reset)(struct bus *bus);
  /* Release BUS. */
  void (*free)(struct bus *bus);
};

/* Make the idle exact bus, or the idle bus of rates, of BOARD, after the MFCs, the memories and the BIF.
 * owner: the caller, with `free`. */
struct bus *exact_bus_new(struct board *board);
struct bus *rates_new(struct board *board);

enum { BUS_REQUEST_BYTES_MAX = 128 };

/* The move of a DMA command, or of an element of its list: two cache lines. The transfer holds the times and
 * the way of its bus requests, so a request is small and quickly made.
 * owner: a pool of the machine; the transfer belongs to the MFC until all bytes have been delivered. */
struct bus_transfer {
  _Alignas(64) struct bus_end source; /* place of the first byte */
  struct bus_end target;
  struct dma *dma;
  struct dma_command *command;
  /* of the next bus request, on the exact bus: */
  uint16_t chip;    /* of the source */
  uint8_t from, to; /* units: entry and exit on the rings of the chip */
  uint32_t offset;  /* of the request's first byte in the transfer */
  uint32_t nbytes;
  /* of all: */
  uint32_t left;        /* bytes to issue */
  uint32_t undelivered; /* bytes not yet visible in the target */
  uint32_t first;       /* offset of the transfer among all bytes of the command */
  struct eib *rings;    /* of the chip of the source, on the exact bus */
  uint32_t delay;       /* from the command bus to ready data, or, if the source takes turns, to the source */
  uint32_t interval;    /* until the command bus can accept the next one */
  uint32_t visible;     /* from the last beat in the target until the bytes can be seen there */
  uint32_t hold;        /* from `visible` until the window entry is free */
  bool source_takes_turns, target_takes_turns; /* a memory, or a local store whose port is shared */
  bool is_far_put;                             /* the target is on another chip than the issuer */
  bool needs_credits; /* limits on requests to local stores and registers of other chips count the requests */
  uint8_t window;     /* number of the window of the MFC that bus requests are taken from */
};

/* Begin TRANSFER on BOARD, whose ends, dma and command are set: NBYTES from or (IS_PUT) to effective address
 * EA. */
void bus_transfer_begin(struct bus_transfer *transfer, struct board *board, bool is_put, uint64_t ea,
                        uint32_t nbytes);

/* Return how many bus requests of up to LINE bytes TRANSFER, which has just begun, takes. */
static inline unsigned bus_transfer_requests(const struct bus_transfer *transfer, uint32_t line) {
  return 1 + (transfer->left - transfer->nbytes + line - 1) / line;
}
