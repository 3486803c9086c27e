/* SPDX-License-Identifier: BSD-3-Clause
 * Traffic of a machine since its reset, including traffic still to come from transfers that have begun. Each
 * transfer is counted once: an observer would see each bus request, and every call asks for these four
 * numbers. */
#pragma once

#include <stdint.h>

struct bus_traffic {
  uint64_t dma_commands; /* commands that have come from their queue to the bus */
  uint64_t bus_requests;
  uint64_t eib_bytes; /* bytes on the rings of source and target; bytes from chip to chip count twice */
  uint64_t bif_bytes; /* on the links */
  uint64_t calls;     /* a fingerprint of commands and actions of programs, each with its cycle */
};
