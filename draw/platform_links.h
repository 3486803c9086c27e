/* SPDX-License-Identifier: BSD-3-Clause
 * The ways of the links in a drawing; used inside this folder only. */
#pragma once

#include "draw/platform_layout.h"

/* Find the chip that has all NLINKS links PAIRS of NCHIPS chips, at least three; NCHIPS when there is
 * none. */
size_t platform_links_hub(unsigned (*pairs)[2], size_t nlinks, size_t nchips);

/* Return how far from the disc of a hub its NLINKS links run around it. */
double platform_links_room(size_t nlinks);

/* How chips stand around a circle. */
struct draw_circle {
  struct draw_point centre;
  double radius; /* of the circle that their discs touch from outside; no chip but a hub lies inside */
  size_t hub;    /* the chip in the middle; the number of chips when there is none */
};

/* Give every link of LAYOUT, whose chips and units are placed, its way inside CIRCLE; each has its chips
 * already. */
void platform_links_route(struct platform_layout *layout, const struct draw_circle *circle);

/* Put a label of the two lines RAW and PAYLOAD on every link of LAYOUT if all of them fit, else on none. */
void platform_links_label(struct platform_layout *layout, const char *raw, const char *payload);
