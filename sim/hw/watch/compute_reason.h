/* SPDX-License-Identifier: BSD-3-Clause
 * Reasons of computing, for observers of programs. */
#pragma once

#include <stdint.h>

/* The maximum number of cycles of one computation, a day, and the message for more cycles. */
#define COMPUTE_MAX (UINT64_C(1) << 48)
#define COMPUTE_FAULT "computes for more than 2^48 cycles"

enum compute_reason {
#define COMPUTE_REASON(id, cause, word, phrase) COMPUTE_##id,
#include "sim/hw/watch/compute_reason.def"
  COMPUTE_REASONS,
};
