/* SPDX-License-Identifier: BSD-3-Clause
 * A server whose service time is no whole number of cycles: a ramp, a link. It carries the remainder. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A service time. */
struct pace_interval {
  uint64_t cycles, rest_mcyc; /* whole cycles, and what is left, in thousandths of one */
};

/* Return the service time of MCYC thousandths of a cycle. */
static inline struct pace_interval
pace_interval(uint64_t mcyc)
{
  return (struct pace_interval){.cycles = mcyc / 1000, .rest_mcyc = mcyc % 1000};
}

/* Return INTERVAL in thousandths of a cycle. */
static inline uint64_t
pace_interval_mcyc(struct pace_interval interval)
{
  return 1000 * interval.cycles + interval.rest_mcyc;
}

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

/* Start a service of INTERVAL at cycle AT, at which the server is ready: if that is the first such cycle, as soon as it is
 * free. */
static inline void
pace_take(struct pace *pace, uint64_t at, struct pace_interval interval)
{
  uint64_t early_mcyc = at == pace->ready ? pace->early_mcyc : 0;
  bool next = interval.rest_mcyc > early_mcyc;
  pace->ready = at + interval.cycles + next;
  pace->early_mcyc = early_mcyc + (next ? 1000 : 0) - interval.rest_mcyc;
}

/* Return when the server is free again, in thousandths of a cycle. */
static inline uint64_t
pace_free_mcyc(const struct pace *pace)
{
  return 1000 * pace->ready - pace->early_mcyc;
}
