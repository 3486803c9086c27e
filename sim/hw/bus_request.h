/* SPDX-License-Identifier: BSD-3-Clause
 * The unit of work of the machine: at most one 128-byte line on its way from one local store to another. */
#pragma once

#include "sim/base/wheel.h"

#include <stdbool.h>
#include <stdint.h>

struct blade;
struct dma;
struct dma_command;
struct snr;
struct spe;

enum { BUS_REQUEST_BYTES_MAX = 128 };

/* One end of a transfer: a unit on the ring of a chip, and the bytes or the register behind it. */
struct bus_end {
  struct spe *spe;
  uint8_t *bytes;  /* in its local store; NULL for a register */
  struct snr *snr; /* signal notification register; NULL for bytes */
};

/* owner: its MFC, which has as many as it may have outstanding. */
struct bus_request {
  struct event event;       /* its next stage */
  struct bus_request *next; /* in the queue of an on-ramp, or in the free list of its MFC */
  struct dma *dma;
  struct dma_command *command;
  struct bus_end source, target;
  unsigned chip;     /* where it is now */
  unsigned from, to; /* units: where it enters and leaves the rings of that chip */
  unsigned nbytes;
  bool is_put;
  uint64_t ready_at;  /* when its data was ready on this chip */
  uint64_t last_beat; /* when its last beat has reached the target */
  uint8_t data[BUS_REQUEST_BYTES_MAX];
};

/* Begin the life of REQUEST: its command has just been accepted by the command bus of its issuer's chip. */
void bus_request_start(struct bus_request *request);

/* Go on with REQUEST, whose transfer on the current chip was granted and ends (last beat) at cycle END. */
void bus_request_granted(struct bus_request *request, uint64_t end);

/* Go on with REQUEST, which a link has taken and which can enter chip CHIP at cycle AT. */
void bus_request_crossed(struct bus_request *request, unsigned chip, uint64_t at);
