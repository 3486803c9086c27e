/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that writes what happens in the machine, one line per event, in the order in which it happens. */
#pragma once

#include "sim/hw/probe.h"

#include <stdio.h>

struct timeline {
  struct probe probe;
  FILE *stream;
};

/* Make TIMELINE ready to be attached to a blade; it writes to STREAM. A line is the cycle, the SPE whose DMA command it is,
 * and what happened:
 *
 *        cycle spe  what
 *          100   3  command of 256 bytes tag 1
 *          140   3  request of 128 bytes tag 1
 *          260   3  ring 2 of chip 0 from unit 1 to unit 4 (3 hops) after 0 cycles
 *          ...
 */
void timeline_init(struct timeline *timeline, FILE *stream);
