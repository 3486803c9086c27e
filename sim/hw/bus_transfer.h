/* SPDX-License-Identifier: BSD-3-Clause
 * A transfer between local stores and memories that is cut into bus requests, and its two ends. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct dma;
struct dma_command;
struct eib;
struct memory;
struct spe;

enum bus_end_kind {
  BUS_END_LS,      /* bytes of a local store */
  BUS_END_SIGNAL,  /* a signal notification register */
  BUS_END_MAILBOX, /* an inbound mailbox */
  BUS_END_MEMORY,  /* bytes of the main memory of a chip */
};

/* One end of a transfer: a unit on the ring of a chip, and what lies behind it. */
struct bus_end {
  uint8_t kind; /* enum bus_end_kind */
  uint8_t unit;
  uint8_t signal; /* SIGNAL: 0 or 1 */
  unsigned chip;
  union {
    struct spe *spe;       /* LS, SIGNAL, MAILBOX */
    struct memory *memory; /* MEMORY */
  };
  uint8_t *bytes; /* LS, MEMORY; else NULL */
};

/* What a DMA command, or an element of its list, moves: two cache lines. It says how its bus requests go on, which therefore
 * are small and quickly made.
 * owner: the MFC, until all bytes have been delivered. */
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
  struct bus_transfer *next;                   /* among the unused ones of the MFC */
};

/* Begin TRANSFER, whose ends, dma and command are set: NBYTES from or (IS_PUT) to effective address EA. */
void bus_transfer_begin(struct bus_transfer *transfer, bool is_put, uint64_t ea, uint32_t nbytes);
