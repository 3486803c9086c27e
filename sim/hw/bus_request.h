/* SPDX-License-Identifier: BSD-3-Clause
 * The unit of work of the machine: at most one 128-byte line on its way between local stores and memories. */
#pragma once

#include "sim/base/wheel.h"
#include "sim/hw/bus_transfer.h"
#include "sim/hw/probe.h"

#include <stdint.h>

enum { BUS_REQUEST_BYTES_MAX = 128 };

/* One cache line. While it waits its event is that for which it waits: its data is ready, it reaches a link,
 * or the window entry is free, at cycle `at`; of those of the same cycle the lowest `order` comes first.
 * owner: its MFC, which has as many as it may have outstanding. */
struct bus_request {
  _Alignas(64) struct event event; /* its next stage */
  struct bus_request *next;        /* in the queue of an on-ramp or a link, or in the free list of its MFC */
  struct bus_request *before;      /* in the queue of an on-ramp */
  struct bus_transfer *transfer;
  uint16_t chip;    /* where it is now */
  uint8_t from, to; /* units: where it enters and leaves the rings of that chip */
  uint16_t offset;  /* of its first byte in the transfer */
  uint16_t nbytes;
};

/* Return the name of REQUEST that observers know it by. */
struct probe_request bus_request_name(const struct bus_request *request);

/* Begin the life of REQUEST, which exact_bus_issue has filled in and the command bus of its issuer's chip has
 * just accepted. */
void bus_request_start(struct bus_request *request);

/* Go on with REQUEST, whose transfer on the current chip was granted and ends (last beat) at cycle END. */
void bus_request_granted(struct bus_request *request, uint64_t end);

/* Go on with REQUEST, which a link has taken and which can enter chip CHIP at cycle AT. */
void bus_request_crossed(struct bus_request *request, unsigned chip, uint64_t at);

/* Let all bytes of TRANSFER be seen in its target now, for a bus without bus requests; on a machine with
 * times_only the bytes of data stay where they are. */
void bus_request_land(struct bus_transfer *transfer);
