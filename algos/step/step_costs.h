/* SPDX-License-Identifier: BSD-3-Clause
 * Software cost of the vocabulary: cycles of an SPE program of some code base in addition to the hardware. */
#pragma once

#include <stdint.h>

/* units: SPU cycles. source: the profile of a platform file, field by field. */
struct step_costs {
  uint64_t send;    /* prepare and issue one notification */
  uint64_t receive; /* notice a notification that has arrived and act on it */
  uint64_t dma;     /* prepare and issue one data transfer */
  uint64_t tag;     /* notice the completion of a tag group */
  uint64_t step;    /* bookkeeping of one step (round) */
  uint64_t combine; /* call of the function for two operands, without the work itself */
  double quadword;  /* combine 16 bytes; source: the platform, by operator and type */
};
