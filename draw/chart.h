/* SPDX-License-Identifier: BSD-3-Clause
 * A chart of rows: columns of a table are the axes, the series and the panels of the chart. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct xml_writer;

/* Rows of a table. */
struct chart_rows {
  const void *table;
  size_t n;
  const char *(*cell)(const void *table, size_t row, const char *column); /* NULL: no such column */
};

/* Return the cell of COLUMN in ROW for readers: a bare number has a unit or the name of the column.
 * owner: the caller frees the text. */
char *chart_tell(const struct chart_rows *rows, size_t row, const char *column);

/* Kinds of charts. */
enum chart_kind {
  CHART_CURVES, /* y over x: marks joined by a line; median and quantiles of rows with the same x */
  CHART_POINTS, /* y over x: marks */
  CHART_SHARES, /* y over the share of the rows of a series with at most the same y */
  CHART_ORDER,  /* y of all rows in ascending order: marks */
  CHART_BARS,   /* y of each series: a lying bar */
  CHART_MAP,    /* a cell for each x and y, in the colour of the series */
};

/* Names of series, without the collective before a colon: a name has one look on all charts with
 * the same looks. Starts as zero. */
struct chart_looks {
  char **names;
  size_t n;
};

void chart_looks_fini(struct chart_looks *looks);

/* The columns of a chart, and the look. */
struct chart_spec {
  const char *title;
  enum chart_kind kind;
  const char *x, *y;          /* columns */
  const char *series;         /* columns, separated by commas; NULL: one series */
  const char *looks;          /* names of the first looks, separated by commas; NULL: none */
  struct chart_looks *shared; /* with other charts; NULL: not shared */
  const char *panels;         /* columns: each combination of values has a panel; NULL: one panel */
  const char *low, *high;     /* columns of the ends of a line through a mark; NULL: none */
  const char *solid; /* another column of y: one series more; the other series are dashed; NULL: none */
  const char
    *unsure; /* column: "no" hatches a cell of a map, "close" and "tie" make a cell pale; NULL: none */
  const char *about;   /* columns in the text of a mark, in place of x; NULL: x */
  const char *x_title; /* NULL: made of x */
  const char *y_title; /* NULL: made of y */
  bool linear;         /* y begins at zero and is no logarithm, unless shares span decades */
  double full;         /* y at the end of a bar as long as can be; 0: the longest bar of all panels */
  bool relative;       /* y in relation to y of the first series */
};

/* A mark, a bar or a cell. */
struct chart_point {
  double x, y, low, high; /* low, high: quantiles; NaN: none */
  bool unsure, pale;
  char *text; /* for a pointer, in place of x; NULL: none */
};

struct chart_series {
  char *name, *key; /* key: the text in the key; NULL: the name */
  size_t look;      /* number of the name in the looks */
  struct chart_point *points;
  size_t n;
  bool dashed;
  double mean; /* of logarithms of y, at the points common to all curves of a panel */
};

/* Some series with one pair of axes. */
struct chart_panel {
  char *title; /* "": none; panels with too many series have "(1 of 2)" at the end */
  size_t look; /* of bars */
  struct chart_series *series;
  size_t n;
  struct chart_point **points; /* of all series, in order */
  size_t npoints;
  char **xs, **ys; /* words of an axis, in place of numbers */
  size_t nxs, nys;
};

/* A chart. */
struct chart {
  enum chart_kind kind;
  struct chart_looks own; /* unless shared */
  char *title, *x_title, *y_title;
  double full;                       /* as in the specification */
  bool linear, x_is_size, y_is_size; /* as in the specification; x and y are bytes */
  double unit;                       /* of the values of y; of times in ns */
  struct chart_panel *panels;
  size_t n;
};

/* The maximum number of series of a panel; further series have a further panel. */
enum { CHART_SERIES_MAX = 8 };

/* Make a chart of the ROWS with a value of y. */
struct chart *chart_new(const struct chart_spec *spec, const struct chart_rows *rows);
void chart_free(struct chart *chart);

/* Return the height of PANEL of CHART, WIDTH wide. */
double chart_panel_height(const struct chart *chart, const struct chart_panel *panel, double width);

/* Give the svg element just begun the attributes and the contents of PANEL of CHART, WIDTH wide. */
void chart_panel_add(const struct chart *chart, const struct chart_panel *panel, double width,
                     struct xml_writer *xml);

/* Write the N CHARTS as one SVG file on STREAM. */
void chart_write(struct chart *const charts[], size_t n, FILE *stream);
