/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that checks every grant of a machine against its limits, without any of the machine's own
 * arithmetic. */
#pragma once

#include "sim/hw/blade.h"
#include "sim/hw/watch/probe.h"

#include <stdint.h>

enum { REFEREE_CHIPS = 8, REFEREE_RINGS = 8, REFEREE_UNITS = 32, REFEREE_SPES = 64, REFEREE_PAST = 64 };

/* The latest of something that happens again and again. */
struct referee_past {
  uint64_t count;
  uint64_t at[REFEREE_PAST];      /* by count modulo REFEREE_PAST */
  uint64_t service[REFEREE_PAST]; /* thousandths of a cycle */
  unsigned from[REFEREE_PAST], hops[REFEREE_PAST];
};

struct referee {
  struct probe probe;
  const struct platform *platform;
  unsigned spes_per_chip, nunits;
  struct referee_past rings[REFEREE_CHIPS][REFEREE_RINGS];
  struct referee_past on_ramps[REFEREE_CHIPS][REFEREE_UNITS], off_ramps[REFEREE_CHIPS][REFEREE_UNITS];
  struct referee_past links[REFEREE_CHIPS][REFEREE_CHIPS];
  struct referee_past command_buses[REFEREE_CHIPS], memories[REFEREE_CHIPS];
  uint64_t commands, completed, grants;
  uint64_t bytes_asked, bytes_issued, bytes_delivered;
  unsigned in_flight[REFEREE_SPES];
  char wrong[256]; /* the first offence; empty: none */
};

/* Make REFEREE ready to watch BLADE. */
void referee_init(struct referee *referee, const struct platform *platform);
