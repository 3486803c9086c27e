/* SPDX-License-Identifier: BSD-3-Clause
 * What a drawing says in words: its title, its signs and the key figures; used inside this folder only. */
#pragma once

#include "draw/platform_layout.h"

/* What one direction of a link carries, in GB/s: all bytes, and only those asked for. */
struct draw_rates {
  double raw, payload;
};

struct draw_rates platform_legend_rates(const struct platform *platform);

/* Return the least width of a drawing in which the legend of PLATFORM fits, at scale 1. */
double platform_legend_width(const struct platform *platform);

/* Add the name of PLATFORM and what it is at the top of LAYOUT, whose width and scale are known.
 * returns: the y at which the next thing may begin. */
double platform_legend_add_title(struct platform_layout *layout, const struct platform *platform);

/* Add signs and figures from TOP on.
 * returns: as platform_legend_add_title. */
double platform_legend_add(struct platform_layout *layout, const struct platform *platform, double top);
