/* SPDX-License-Identifier: BSD-3-Clause
 * A signal notification register: 32 bits that others write and the SPU reads.
 * source: Cell Broadband Engine Architecture; Gaona, Fernandez, Acacio 2009, section 2. */
#pragma once

#include "sim/hw/probe.h"

#include <stdbool.h>
#include <stdint.h>

struct snr {
  uint32_t value;
  bool full;                  /* written since the last read */
  struct probe_cause written; /* by which program, the last time; for those who watch */
  bool or_mode;               /* writes are combined with OR; else the last one wins */
};

/* Take what a sender wrote. */
void snr_write(struct snr *snr, uint32_t value);

/* Return the content and clear it. Only a full register may be read; the SPU stalls on an empty one. */
uint32_t snr_read(struct snr *snr);
