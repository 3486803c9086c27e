/* SPDX-License-Identifier: BSD-3-Clause
 * Reasons of computing, for observers of programs. */
#pragma once

#include <stdint.h>

/* The maximum number of cycles of one computation, a day, and the message for more cycles. */
#define COMPUTE_MAX (UINT64_C(1) << 48)
#define COMPUTE_FAULT "computes for more than 2^48 cycles"

enum compute_reason {
  COMPUTE_OTHER,
  COMPUTE_SEND,    /* to prepare a notification */
  COMPUTE_RECEIVE, /* to notice a message and act on the message */
  COMPUTE_DMA,     /* to prepare a data transfer */
  COMPUTE_TAG,     /* to notice the completion of a tag group */
  COMPUTE_STEP,    /* the bookkeeping of a step */
  COMPUTE_COMBINE, /* to combine two operands */
  COMPUTE_COPY,    /* a PPE copies bytes */
  COMPUTE_ISSUE,   /* to give a command to the MFC */
  COMPUTE_CHANNEL, /* to read a channel of the MFC */
  COMPUTE_MMIO,    /* a PPE reaches a register of an SPE */
  COMPUTE_WORK,    /* an application computes between calls */
  COMPUTE_REASONS,
};
