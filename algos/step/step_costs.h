/* SPDX-License-Identifier: BSD-3-Clause
 * Software cost of the vocabulary: what an SPE program of some code base spends around the hardware. */
#pragma once

#include <stdint.h>

/* units: SPU cycles. source: the profile of a platform file, field by field. */
struct step_costs {
  uint64_t send;    /* prepare and issue one notification */
  uint64_t receive; /* notice one that has arrived and act on it */
  uint64_t dma;     /* prepare and issue one data transfer */
  uint64_t tag;     /* notice that a tag group has completed */
  uint64_t step;    /* bookkeeping of one step (round) */
  uint64_t combine; /* call that combines two operands, without the work itself */
  double quadword;  /* combine 16 bytes; source: the platform, by operator and type */
};
