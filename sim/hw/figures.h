/* SPDX-License-Identifier: BSD-3-Clause
 * The parameters of a platform in the units of the machine, which all blades of equal platforms share. */
#pragma once

#include "platform/parameters.h"
#include "sim/hw/bus_request.h"

struct platform;

struct figures {
  struct parameters parameters;
  struct rate_interval
    link_intervals[BUS_REQUEST_BYTES_MAX + 1]; /* for which a bus request of so many bytes takes a link */
  uint64_t checksum;                           /* of the platform */
  struct figures *next;
  unsigned nusers;
};

/* Return the figures of PLATFORM, made if nobody has them yet.
 * owner: all who have asked, each of whom calls figures_release. */
struct figures *figures_share(const struct platform *platform);

/* Give FIGURES back; the last of their users frees them. */
void figures_release(struct figures *figures);
