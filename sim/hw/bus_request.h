/* SPDX-License-Identifier: BSD-3-Clause
 * The unit of work of the machine: at most one 128-byte line on its way between local stores and memories. */
#pragma once

#include "sim/base/wheel.h"

#include <stdbool.h>
#include <stdint.h>

struct blade;
struct dma;
struct dma_command;
struct eib;
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

/* A transfer that is cut into bus requests: what they have in common, worked out once, and where the next one begins.
 * owner: its DMA command. */
struct bus_transfer {
  struct bus_end source, target; /* the bytes are those of the next bus request */
  struct eib *rings;             /* of the chip of the source */
  uint64_t
    delay; /* from the command bus until the source is asked, or until the data is ready if it takes no turns */
  uint64_t interval; /* until the command bus is free again */
  uint8_t from, to;  /* units: where it enters and leaves the rings of the chip of the source */
  bool source_takes_turns, target_takes_turns; /* a memory, or a local store whose port is shared */
  bool is_far_put;                             /* its target is on another chip than its issuer */
};

/* Two cache lines. While it waits its event is that for which it waits: its data
 * is ready at cycle `at`, and of those of the same cycle the lowest `order` comes first; or the window entry is free at `at`.
 * owner: its MFC, which has as many as it may have outstanding. */
struct bus_request {
  _Alignas(64) struct event event; /* its next stage */
  struct bus_request *next;        /* in the queue of an on-ramp or a link, or in the free list of its MFC */
  struct bus_request *before;      /* in the queue of an on-ramp */
  struct dma_command *command;
  uint16_t chip;    /* where it is now */
  uint8_t from, to; /* units: where it enters and leaves the rings of that chip */
  uint8_t nbytes;
  bool target_takes_turns, is_far_put; /* see struct bus_transfer */
  struct bus_end source, target;
  struct dma *dma;
};

/* Work out for TRANSFER, whose ends are known, what its bus requests have in common; IS_PUT: its issuer is its source. */
void bus_transfer_init(struct bus_transfer *transfer, struct blade *blade, bool is_put);

/* Let REQUEST move the next NBYTES of TRANSFER. */
static inline void
bus_request_fill(struct bus_request *request, const struct bus_transfer *transfer, uint32_t nbytes)
{
  request->source = transfer->source;
  request->target = transfer->target;
  request->chip = (uint16_t)transfer->source.chip;
  request->from = transfer->from;
  request->to = transfer->to;
  request->nbytes = (uint8_t)nbytes;
  request->target_takes_turns = transfer->target_takes_turns;
  request->is_far_put = transfer->is_far_put;
}

/* Begin the life of REQUEST: its command has just been accepted by the command bus of its issuer's chip. */
void bus_request_start(struct bus_request *request);

/* Go on with REQUEST, whose transfer on the current chip was granted and ends (last beat) at cycle END. */
void bus_request_granted(struct bus_request *request, uint64_t end);

/* Go on with REQUEST, which a link has taken and which can enter chip CHIP at cycle AT. */
void bus_request_crossed(struct bus_request *request, unsigned chip, uint64_t at);
