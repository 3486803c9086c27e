/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hw/spe/snr.h"

#include <assert.h>

void snr_write(struct snr *snr, uint32_t value) {
  snr->value = snr->or_mode ? snr->value | value : value;
  snr->full = true;
}

uint32_t snr_read(struct snr *snr) {
  assert(snr->full);
  uint32_t value = snr->value;
  snr->value = 0;
  snr->full = false;
  return value;
}
