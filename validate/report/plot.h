/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of a comparison, as SVG for an HTML page. */
#pragma once

#include "algos/catalogue.h"
#include "validate/model/compare.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct gnuplot_batch;

/* The points of one algorithm: they follow each other in a comparison. */
struct plot_series {
  const struct compare_point *points;
  size_t npoints;
  char name[CATALOGUE_NAME_SIZE]; /* as catalogue_format writes it */
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

/* Ask PICTURES for one called NAME of the errors of the predictions of CHOICE, which has some points: of
 * barriers over ranks, of others over bytes. */
void plot_errors(const struct plot_choice *choice, const char *name, struct gnuplot_batch *pictures);

/* Ask PICTURES for one called NAME which shows for every model of COMPARISON which share of its points has at
 * most which error. */
void plot_shares(const struct comparison *comparison, const char *name, struct gnuplot_batch *pictures);

/* Write what these pictures show to CSV, a line for each point. */
void plot_errors_csv(const struct plot_choice *choice, FILE *csv);
void plot_shares_csv(const struct comparison *comparison, FILE *csv);
