/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that counts the traffic of a machine. */
#pragma once

#include "sim/hw/probe.h"

#include <stdint.h>

struct counters {
  struct probe probe;
  uint64_t dma_commands;
  uint64_t bus_requests;
  uint64_t eib_bytes; /* on the rings of all chips; a crossing counts on both sides */
  uint64_t bif_bytes; /* on the links */
};

/* Add what OTHER has counted to COUNTERS. */
void counters_add(struct counters *counters, const struct counters *other);

/* Make COUNTERS ready to be attached to a blade, at zero. */
void counters_init(struct counters *counters);
