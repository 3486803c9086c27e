/* SPDX-License-Identifier: BSD-3-Clause
 * A server whose service time is no whole number of cycles: a ramp, a link. It carries the remainder. */
#pragma once

#include <stdint.h>

/* When the server is free again. */
struct pace {
  uint64_t ready;      /* the first whole cycle from then on */
  uint64_t early_mcyc; /* by how many thousandths of a cycle it is free before that one: less than 1000 */
};

/* Return the first whole cycle, not before AT, at which the server can start. */
static inline uint64_t
pace_ready(const struct pace *pace, uint64_t at)
{
  return pace->ready > at ? pace->ready : at;
}

/* Start a service of INTERVAL_MCYC thousandths of a cycle at cycle AT, at which the server is ready: if that is the first
 * such cycle, as soon as it is free. */
static inline void
pace_take(struct pace *pace, uint64_t at, uint64_t interval_mcyc)
{
  uint64_t early_mcyc = at == pace->ready ? pace->early_mcyc : 0;
  uint64_t cycles = (interval_mcyc + 999 - early_mcyc) / 1000;
  pace->ready = at + cycles;
  pace->early_mcyc = 1000 * cycles + early_mcyc - interval_mcyc;
}

/* Return when the server is free again, in thousandths of a cycle. */
static inline uint64_t
pace_free_mcyc(const struct pace *pace)
{
  return 1000 * pace->ready - pace->early_mcyc;
}
