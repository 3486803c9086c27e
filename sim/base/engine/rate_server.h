/* SPDX-License-Identifier: BSD-3-Clause
 * A server whose service time is no whole number of cycles: a ramp, a link. The server carries the
 * remainder. */
#pragma once

#include "sim/base/minmax.h"

#include <stdbool.h>
#include <stdint.h>

/* A service time. */
struct rate_interval {
  uint64_t cycles, rest_mcyc; /* whole cycles, and the rest in thousandths of a cycle */
};

/* Return the service time of MCYC thousandths of a cycle. */
static inline struct rate_interval rate_interval(uint64_t mcyc) {
  return (struct rate_interval){.cycles = mcyc / 1000, .rest_mcyc = mcyc % 1000};
}

/* Return INTERVAL in thousandths of a cycle. */
static inline uint64_t rate_interval_mcyc(struct rate_interval interval) {
  return 1000 * interval.cycles + interval.rest_mcyc;
}

/* When the server is free again. */
struct rate_server {
  uint64_t ready;      /* the first whole cycle from then on */
  uint64_t early_mcyc; /* thousandths of a cycle between the exact instant and `ready`: less than 1000 */
};

/* Return the first whole cycle, not before AT, at which the server can start. */
static inline uint64_t rate_server_ready(const struct rate_server *server, uint64_t at) {
  return MAX(server->ready, at);
}

/* Start a service of INTERVAL at cycle AT, at which the server is ready. In the first cycle in which the
 * server is ready the service begins within the cycle before, as soon as the server is free; in a later cycle
 * it begins with that cycle. */
static inline void rate_server_take(struct rate_server *server, uint64_t at, struct rate_interval interval) {
  uint64_t early_mcyc = at == server->ready ? server->early_mcyc : 0;
  bool next = interval.rest_mcyc > early_mcyc;
  server->ready = at + interval.cycles + next;
  server->early_mcyc = early_mcyc + (next ? 1000 : 0) - interval.rest_mcyc;
}

/* Return when the server is free again, in thousandths of a cycle. */
static inline uint64_t rate_server_free_mcyc(const struct rate_server *server) {
  return 1000 * server->ready - server->early_mcyc;
}
