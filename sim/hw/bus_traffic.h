/* SPDX-License-Identifier: BSD-3-Clause
 * What has passed through a machine since its reset, or will pass because of what has begun; when a run is
 * over the same. Each transfer is counted once: an observer would have to be told of each bus request, and
 * every call asks for these four numbers. */
#pragma once

#include <stdint.h>

struct bus_traffic {
  uint64_t dma_commands; /* that have come from their queue to the bus */
  uint64_t bus_requests;
  uint64_t eib_bytes; /* on the rings of source and target; twice what goes from chip to chip */
  uint64_t bif_bytes; /* on the links */
};
