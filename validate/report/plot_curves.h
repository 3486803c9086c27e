/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of latency curves, as SVG for an HTML page. */
#pragma once

#include "validate/report/curves.h"

#include <stdio.h>

struct gnuplot_batch;

/* Some neighbouring curves, of one collective. */
struct plot_group {
  const struct curve *curves;
  size_t n;       /* at most PLOT_CURVES_MAX */
  unsigned ranks; /* 0: any, over which the picture goes */
};

/* Go on to the next group of CURVES; GROUP starts as zero. A collective with few algorithms is one group;
 * otherwise each profile has its own, in parts if there are many.
 * returns: false after the last one. */
bool plot_next_group(const struct curves *curves, struct plot_group *group);

/* Count the points of GROUP that are simulated. */
size_t plot_count_points(const struct plot_group *group);

/* Ask PICTURES for one called NAME of the latencies of GROUP, over bytes or over ranks: simulated ones with
 * points, what the published and the refined model predict, measurements, and what is simulated in the way of
 * these. */
void plot_curves(const struct plot_group *group, const char *name, struct gnuplot_batch *pictures);

/* Write what that picture shows to CSV, a line for each point. */
void plot_curves_csv(const struct plot_group *group, FILE *csv);
