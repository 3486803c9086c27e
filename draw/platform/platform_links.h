/* SPDX-License-Identifier: BSD-3-Clause
 * The ways of the links in a drawing; used inside this folder only. */
#pragma once

#include "draw/platform/platform_layout.h"

/* Find the hub: a chip at an end of each of the NLINKS links PAIRS, with NCHIPS chips, at least three.
 * NCHIPS: no chip has all links. */
size_t platform_links_hub(unsigned (*pairs)[2], size_t nlinks, size_t nchips);

/* Return the width of the ring of NLINKS links around the disc of a hub. */
double platform_links_room(size_t nlinks);

/* Return the width of the links of LAYOUT, a column, beside the chips. */
double platform_links_beside(const struct platform_layout *layout);

/* How chips stand around a circle. */
struct draw_circle {
  struct draw_point centre;
  double radius; /* of the circle touched by the discs from outside; inside is no chip but a hub */
  size_t hub;    /* the chip in the middle; the number of chips when there is none */
};

/* Give every link of LAYOUT, with chips and units at their places, a way inside CIRCLE; the two chips of each
 * link are known already. */
void platform_links_route(struct platform_layout *layout, const struct draw_circle *circle);

/* Put a label of the two lines RAW and PAYLOAD on every link of LAYOUT if all of them fit, else on none. */
void platform_links_label(struct platform_layout *layout, const char *raw, const char *payload);
