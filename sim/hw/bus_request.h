/* SPDX-License-Identifier: BSD-3-Clause
 * The unit of work of the machine: at most one 128-byte line on its way between local stores and memories. */
#pragma once

#include "sim/base/wheel.h"

#include <stdbool.h>
#include <stdint.h>

struct blade;
struct dma;
struct dma_command;
struct memory;
struct spe;

enum { BUS_REQUEST_BYTES_MAX = 128 };

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

/* Two cache lines. While it waits its event is that for which it waits: its data
 * is ready at cycle `at`, and of those of the same cycle the lowest `order` comes first; or the window entry is free at `at`.
 * owner: its MFC, which has as many as it may have outstanding. */
struct bus_request {
  _Alignas(64) struct event event; /* its next stage */
  struct bus_request *next;        /* in the queue of an on-ramp or a link, or in the free list of its MFC */
  struct bus_request *before;      /* in the queue of an on-ramp */
  struct dma *dma;
  struct dma_command *command;
  uint64_t ea; /* effective address of its first byte */
  struct bus_end source, target;
  uint16_t chip;    /* where it is now */
  uint8_t from, to; /* units: where it enters and leaves the rings of that chip */
  uint8_t nbytes;
  bool is_put;
};

/* Begin the life of REQUEST: its command has just been accepted by the command bus of its issuer's chip. */
void bus_request_start(struct bus_request *request);

/* Go on with REQUEST, whose transfer on the current chip was granted and ends (last beat) at cycle END. */
void bus_request_granted(struct bus_request *request, uint64_t end);

/* Go on with REQUEST, which a link has taken and which can enter chip CHIP at cycle AT. */
void bus_request_crossed(struct bus_request *request, unsigned chip, uint64_t at);
