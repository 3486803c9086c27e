/* SPDX-License-Identifier: BSD-3-Clause
 * A server whose service time is no whole number of cycles: a ramp, a link. It carries the remainder. */
#pragma once

#include <stdint.h>

/* When the server is free again. */
struct pace {
  uint64_t free_mcyc; /* in thousandths of a cycle */
  uint64_t ready;     /* the first whole cycle from then on */
};

/* Return the first whole cycle, not before AT, at which the server can start. */
static inline uint64_t
pace_ready(const struct pace *pace, uint64_t at)
{
  return pace->ready > at ? pace->ready : at;
}

/* Start a service of INTERVAL_MCYC thousandths of a cycle at cycle AT, at which the server is ready. */
static inline void
pace_take(struct pace *pace, uint64_t at, uint64_t interval_mcyc)
{
  uint64_t at_mcyc = 1000 * at;
  uint64_t start = pace->free_mcyc + 1000 > at_mcyc ? pace->free_mcyc : at_mcyc;
  pace->free_mcyc = start + interval_mcyc;
  pace->ready = (pace->free_mcyc + 999) / 1000;
}
