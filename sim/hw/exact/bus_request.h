/* SPDX-License-Identifier: BSD-3-Clause
 * The unit of work of the machine: at most one 128-byte line on the way between local stores and memories. */
#pragma once

#include "sim/base/engine/wheel.h"
#include "sim/hw/bus/bus.h"
#include "sim/hw/watch/probe.h"

#include <stdint.h>

/* One cache line. `event` is the request's next stage: data ready, arrival at a link, or delivery, at cycle
 * `event.at`. Stages of one cycle run in ascending `order`.
 * owner: the MFC, which has as many as bus requests may be outstanding. */
struct bus_request {
  _Alignas(64) struct event event; /* the next stage */
  struct bus_request *next;        /* in the queue of an on-ramp or a link, or in the free list of the MFC */
  union {
    struct bus_request *before; /* in the queue of an on-ramp */
    uint64_t free_at; /* in the free list of the MFC, from the last grant on: the window entry is free */
  };
  struct bus_transfer *transfer;
  uint16_t chip;    /* the current chip */
  uint8_t from, to; /* units: entry to and exit from the rings of the current chip */
  uint16_t offset;  /* of the first byte in the transfer */
  uint16_t nbytes;
};

/* Return the name of REQUEST for observers. */
struct probe_request bus_request_name(const struct bus_request *request);

/* Begin REQUEST, filled in by exact_bus_issue and just accepted by the command bus of the issuer's chip. */
void bus_request_start(struct bus_request *request);

/* Continue REQUEST after a grant on the current chip; the last beat of the transfer is at cycle END. */
void bus_request_granted(struct bus_request *request, uint64_t end);

/* Continue REQUEST after a link: REQUEST can enter chip CHIP at cycle AT. */
void bus_request_crossed(struct bus_request *request, unsigned chip, uint64_t at);

/* Make all bytes of TRANSFER visible in the target now, for a bus without bus requests; on a machine with
 * times_only bytes of data are not copied. */
void bus_request_land(struct bus_transfer *transfer);
