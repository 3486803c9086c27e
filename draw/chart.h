/* SPDX-License-Identifier: BSD-3-Clause
 * A chart of results as a file of its own: curves over sizes, ranks or other numbers, bands of quantiles, or
 * bars; by gnuplot. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct err;

/* What a chart can be written as, by the ending of its file. */
enum chart_format { CHART_SVG, CHART_PNG, CHART_PDF, CHART_FORMATS };

/* What its x axis is. */
enum chart_axis { CHART_BYTES, CHART_NUMBERS, CHART_NAMES /* bars, one for each series */ };

/* A point; low and high are the quantiles of a band around it, NaN: there is none. */
struct chart_point {
  double x, y, low, high;
};

/* How a curve is drawn: as a line through marks, dashed (a prediction), as marks alone, or as a grey line
 * without marks, with its name behind its end. */
enum chart_style { CHART_MARKED, CHART_DASHED, CHART_MARKS, CHART_GREY };

/* A curve, or a bar. */
struct chart_series {
  char *name;
  struct chart_point *points; /* in ascending order of x */
  size_t n;
  enum chart_style style;
};

/* What a chart shows. Starts as zero but for the texts, which outlive it. */
struct chart {
  const char *title, *x, *y; /* what the axes are */
  enum chart_axis axis;
  struct chart_series *series;
  size_t n;
  bool linear; /* y begins at zero and is no logarithm */
};

/* The most series of a chart. */
enum { CHART_SERIES_MAX = 24 };

/* Return the format of a file called PATH, by its ending; CHART_FORMATS: none. */
enum chart_format chart_format_of(const char *path);

/* Return series NAME of CHART, which is made if there is none. */
struct chart_series *chart_series_of(struct chart *chart, const char *name);

/* Add POINT to SERIES. */
void chart_add(struct chart_series *series, struct chart_point point);

/* Write the N CHARTS to the file PATH, one below the other.
 * errors: PATH has no known ending; gnuplot is missing, or ends with an error; the file cannot be written.
 * Nothing is left behind. */
int chart_write(struct chart charts[], size_t n, const char *path, struct err *err);

/* Release what CHART holds. */
void chart_fini(struct chart *chart);
