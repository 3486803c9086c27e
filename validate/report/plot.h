/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of a comparison, as SVG for an HTML page. */
#pragma once

#include "validate/model/compare.h"

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
  const struct comparison *comparison; /* of one model */
  enum collective collective;
  const char *source; /* code base of the algorithms; NULL: any */
};

/* Count the points of CHOICE. */
size_t plot_count(const struct plot_choice *choice);

/* Draw the errors of the predictions of CHOICE, which has some points: of barriers over ranks, of others over bytes.
 * errors: as gnuplot_svg; NULL then.
 * owner: the caller frees the text. */
char *plot_errors(const struct plot_choice *choice, struct err *err);

/* Draw for every model of COMPARISON which share of its points has at most which error.
 * errors: as gnuplot_svg; NULL then.
 * owner: the caller frees the text. */
char *plot_shares(const struct comparison *comparison, struct err *err);
