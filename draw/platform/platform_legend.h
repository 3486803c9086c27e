/* SPDX-License-Identifier: BSD-3-Clause
 * The texts of a drawing: the title, the signs and the key figures; used inside this folder only. */
#pragma once

#include "draw/platform/platform_layout.h"

/* The rates of one direction of a link, in GB/s: all bytes, and only the requested bytes. */
struct draw_rates {
  double raw, payload;
};

struct draw_rates platform_legend_rates(const struct platform *platform);

/* Return the least width of a drawing with room for the legend of PLATFORM, at scale 1. */
double platform_legend_width(const struct platform *platform);

/* Add the name and the description of PLATFORM at the top of LAYOUT, whose width and scale are known.
 * returns: the least y of the next part. */
double platform_legend_add_title(struct platform_layout *layout, const struct platform *platform);

/* Add signs and figures from TOP on.
 * returns: as platform_legend_add_title. */
double platform_legend_add(struct platform_layout *layout, const struct platform *platform, double top);
