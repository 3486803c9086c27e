/* SPDX-License-Identifier: BSD-3-Clause
 * What a drawing says in words: its title, its signs and the key figures; used inside this folder only. */
#pragma once

#include "draw/draw_layout.h"

/* What one direction of a link carries, in GB/s: all bytes, and only those asked for. */
struct draw_rates {
  double raw, payload;
};

struct draw_rates draw_link_rates(const struct platform *platform);

/* Return the least width of a drawing in which the legend of PLATFORM fits, at scale 1. */
double draw_legend_width(const struct platform *platform);

/* Add the name of PLATFORM and what it is at the top of LAYOUT, whose width and scale are known.
 * returns: the y at which the next thing may begin. */
double draw_legend_add_title(struct draw_layout *layout, const struct platform *platform);

/* Add signs and figures from TOP on.
 * returns: as draw_legend_add_title. */
double draw_legend_add(struct draw_layout *layout, const struct platform *platform, double top);
