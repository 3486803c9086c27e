/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of a comparison, as SVG for an HTML page. */
#pragma once

#include "validate/compare.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

/* The points of one algorithm: they follow each other in a comparison. */
struct plot_series {
  const struct compare_point *points;
  size_t npoints;
  char name[128]; /* as catalogue_format writes it */
};

/* Go on to the next algorithm of COMPARISON; SERIES starts as zero. False: there is none. */
bool plot_next_series(const struct comparison *comparison, struct plot_series *series);

/* Which points a picture shows. */
struct plot_choice {
  const struct comparison *comparison;
  enum collective collective;
  unsigned ranks; /* 0: any */
};

/* Count the points of CHOICE. */
size_t plot_count(const struct plot_choice *choice);

/* Draw latencies, simulated and predicted: of barriers over ranks, of other collectives over bytes.
 * errors: as gnuplot_svg; NULL then.
 * owner: the caller frees the text. */
char *plot_latency(const struct plot_choice *choice, struct err *err);

/* Draw the errors of the predictions over the same.
 * errors: as gnuplot_svg; NULL then.
 * owner: the caller frees the text. */
char *plot_errors(const struct plot_choice *choice, struct err *err);
