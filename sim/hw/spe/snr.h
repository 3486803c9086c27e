/* SPDX-License-Identifier: BSD-3-Clause
 * A signal notification register: 32 bits, written by others and read by the SPU.
 * source: Cell Broadband Engine Architecture; Gaona, Fernandez, Acacio 2009, section 2. */
#pragma once

#include "sim/hw/watch/probe.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct snr {
  uint32_t value;
  bool full;                  /* written since the last read */
  struct probe_cause written; /* the last program that wrote; for observers */
  bool or_mode;               /* writes are combined with OR; else the last one wins */
};

/* Take the value of a sender. */
static inline void snr_write(struct snr *snr, uint32_t value) {
  snr->value = snr->or_mode ? snr->value | value : value;
  snr->full = true;
}

/* Return the content and clear the register. Only a full register may be read; the SPU stalls on an empty
 * register. */
static inline uint32_t snr_read(struct snr *snr) {
  assert(snr->full);
  uint32_t value = snr->value;
  snr->value = 0;
  snr->full = false;
  return value;
}
