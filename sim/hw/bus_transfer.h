/* SPDX-License-Identifier: BSD-3-Clause
 * A transfer between local stores and memories that is cut into bus requests. */
#pragma once

#include "sim/hw/bus_end.h"

#include <stdbool.h>
#include <stdint.h>

struct dma;
struct dma_command;
struct eib;

/* What a DMA command, or an element of its list, moves: two cache lines. It says how its bus requests go on,
 * which therefore are small and quickly made.
 * owner: a pool of the machine; it belongs to the MFC until all bytes have been delivered. */
struct bus_transfer {
  _Alignas(64) struct bus_end source; /* its first byte */
  struct bus_end target;
  struct dma *dma;
  struct dma_command *command;
  /* of the next bus request: */
  uint16_t chip;    /* of the source */
  uint8_t from, to; /* units: where it enters and leaves the rings of that chip */
  uint32_t offset;  /* of its first byte in the transfer */
  uint32_t nbytes;
  /* of all: */
  uint32_t left;        /* bytes to issue */
  uint32_t undelivered; /* bytes that are not yet visible in the target */
  uint32_t first;       /* of its bytes, among those that the command moves */
  struct eib *rings;    /* of the chip of the source */
  uint32_t delay;       /* from the command bus to ready data, or, if the source takes turns, to the source */
  uint32_t interval;    /* until the command bus can accept the next one */
  uint32_t visible;     /* from the last beat in the target until the bytes can be seen there */
  uint32_t hold;        /* from then on until the window entry is free */
  bool source_takes_turns, target_takes_turns; /* a memory, or a local store whose port is shared */
  bool is_far_put;                             /* the target is on another chip than the issuer */
  uint8_t window;                              /* of its MFC: from which its bus requests are taken */
};

/* Begin TRANSFER, whose ends, dma and command are set: NBYTES from or (IS_PUT) to effective address EA. */
void bus_transfer_begin(struct bus_transfer *transfer, bool is_put, uint64_t ea, uint32_t nbytes);
