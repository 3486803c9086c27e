/* SPDX-License-Identifier: BSD-3-Clause
 * See plot.h.
 *
 * What differs between rows decides: sizes are the x axis if there are several, else numbers of ranks; with
 * neither, bars. What else differs makes series. Rows that differ in their skew seed only are drawn as their
 * median and the band between their quantiles. */
#include "cli/plot.h"

#include "cli/table.h"
#include "draw/chart.h"
#include "draw/gnuplot.h"
#include "sim/base/err.h"
#include "sim/base/reals.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHARTS_MAX = 16, NAME_SIZE = 320, FEW = 4 };

/* Parts of all values between which the band of a median lies. */
static const double quantiles[] = {0.1, 0.9};

/* Charts on their way. */
struct plotting {
  const struct table *table;
  struct chart charts[CHARTS_MAX];
  char *titles[CHARTS_MAX];
  size_t n;
  double unit;           /* ns of the unit of times */
  const char *time_axis; /* what the axis of times is called */
};

/* --- rows --- */

static const char *cell(const struct plotting *plotting, size_t row, const char *column) {
  const char *text = table_cell(plotting->table, row, column);
  return text ? text : "";
}

/* Return a number; NaN: the cell is empty. */
static double number(const struct plotting *plotting, size_t row, const char *column) {
  const char *text = cell(plotting, row, column);
  return *text ? strtod(text, NULL) : NAN;
}

/* Tell whether two rows, among those for which KEY is VALUE (KEY NULL: all), differ in COLUMN. */
static bool differs(const struct plotting *plotting, const char *column, const char *key, const char *value) {
  const char *first = NULL;
  for (size_t row = 0; row < table_nrows(plotting->table); row++) {
    if (key && strcmp(cell(plotting, row, key), value) != 0) {
      continue;
    }
    const char *text = cell(plotting, row, column);
    first = first ? first : text;
    if (strcmp(first, text) != 0) {
      return true;
    }
  }
  return false;
}

/* Choose the unit of the times of COLUMN: the largest one in which the longest is at least ten. */
static void choose_unit(struct plotting *plotting, const char *column) {
  static const struct {
    double ns;
    const char *axis;
  } units[] = {{1e6, "time (ms)"}, {1e3, "time (us)"}, {1, "time (ns)"}};
  double longest = 0;
  size_t unit = 0;
  for (size_t row = 0; row < table_nrows(plotting->table); row++) {
    longest = fmax(longest, number(plotting, row, column));
  }
  while (unit + 1 < sizeof units / sizeof *units && longest < 10 * units[unit].ns) {
    unit++;
  }
  plotting->unit = units[unit].ns;
  plotting->time_axis = units[unit].axis;
}

/* Begin a chart about the rows for which KEY is VALUE (KEY NULL: all), and choose its x axis. TITLE belongs
 * to it. */
static struct chart *begin_chart(struct plotting *plotting, char *title, const char *key, const char *value) {
  bool sizes = differs(plotting, "bytes", key, value), ranks = differs(plotting, "ranks", key, value);
  struct chart *chart = &plotting->charts[plotting->n];
  plotting->titles[plotting->n++] = title;
  *chart = (struct chart){.title = title,
                          .axis = sizes   ? CHART_BYTES
                                  : ranks ? CHART_NUMBERS
                                          : CHART_NAMES,
                          .x = sizes ? "size" : "ranks"};
  return chart;
}

/* Return where ROW lies on the x axis of CHART. */
static double x_of(const struct plotting *plotting, const struct chart *chart, size_t row) {
  return chart->axis == CHART_BYTES     ? number(plotting, row, "bytes")
         : chart->axis == CHART_NUMBERS ? number(plotting, row, "ranks")
                                        : 0;
}

/* Write into NAME what sets ROW apart from others on CHART: MAIN, its ranks, its platform. */
static void name_series(const struct plotting *plotting, const struct chart *chart, size_t row,
                        const char *first, char name[NAME_SIZE]) {
  bool ranks = chart->axis == CHART_BYTES && differs(plotting, "ranks", NULL, NULL);
  bool platform = differs(plotting, "platform", NULL, NULL);
  snprintf(name, NAME_SIZE, "%s%s%s%s%s%s", first, ranks ? ", " : "",
           ranks ? cell(plotting, row, "ranks") : "", ranks ? " ranks" : "", platform ? ", " : "",
           platform ? cell(plotting, row, "platform") : "");
}

/* --- run --- */

static int compare_reals(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Return the PART quantile of N sorted VALUES, between the nearest two. */
static double quantile(const double values[], size_t n, double part) {
  double place = part * (double)(n - 1);
  size_t below = (size_t)place, above = below + 1 < n ? below + 1 : below;
  return values[below] + (place - (double)below) * (values[above] - values[below]);
}

/* Replace points of SERIES with the same x by their median and the band between their quantiles. */
static void gather(struct chart_series *series) {
  size_t kept = 0;
  double *values = xcalloc(series->n, sizeof *values);
  for (size_t i = 0, end; i < series->n; i = end) {
    for (end = i; end < series->n && series->points[end].x == series->points[i].x; end++) {
      values[end - i] = series->points[end].y;
    }
    qsort(values, end - i, sizeof *values, compare_reals);
    series->points[kept++] = (struct chart_point){.x = series->points[i].x,
                                                  .y = quantile(values, end - i, 0.5),
                                                  .low = quantile(values, end - i, quantiles[0]),
                                                  .high = quantile(values, end - i, quantiles[1])};
  }
  series->n = kept;
  free(values);
}

/* Make of SERIES, times over seeds, their distribution: x is the share of seeds, in percent, that are at most
 * as long. */
static void distribute(struct chart_series *series) {
  for (size_t i = 0; i < series->n; i++) {
    series->points[i].x = series->points[i].y;
  }
  struct chart_point *points = series->points;
  size_t n = series->n;
  series->points = NULL;
  series->n = 0;
  for (size_t i = 0; i < n; i++) {
    chart_add(series, points[i]);
  }
  free(points);
  for (size_t i = 0; i < n; i++) {
    series->points[i].x = 100.0 * (double)(i + 1) / (double)n;
  }
}

static void plot_run(struct plotting *plotting) {
  bool seeds = differs(plotting, "skew_seed", NULL, NULL);
  choose_unit(plotting, "ns");
  struct chart *chart = begin_chart(plotting, NULL, NULL, NULL);
  bool one_point = chart->axis == CHART_NAMES;
  chart->y = plotting->time_axis;
  for (size_t row = 0; row < table_nrows(plotting->table); row++) {
    char name[NAME_SIZE];
    double ns = number(plotting, row, "ns");
    name_series(plotting, chart, row, cell(plotting, row, "algorithm"), name);
    if (!isnan(ns)) {
      chart_add(chart_series_of(chart, name),
                (struct chart_point){x_of(plotting, chart, row), ns / plotting->unit, NAN, NAN});
    }
  }
  if (seeds && one_point) {
    chart->axis = CHART_NUMBERS;
    chart->x = "share of the skew seeds that take at most so long (%)";
    chart->linear = true;
  }
  for (size_t i = 0; seeds && i < chart->n; i++) {
    (one_point ? distribute : gather)(&chart->series[i]);
  }
  chart->title = plotting->titles[0] = xasprintf(
    "Simulated time of a call%s%s%s%s%s",
    chart->axis == CHART_BYTES && !differs(plotting, "ranks", NULL, NULL) ? ", ranks: " : "",
    chart->axis == CHART_BYTES && !differs(plotting, "ranks", NULL, NULL) ? cell(plotting, 0, "ranks") : "",
    differs(plotting, "platform", NULL, NULL) ? "" : ", ",
    differs(plotting, "platform", NULL, NULL) ? "" : cell(plotting, 0, "platform"),
    seeds && !one_point ? "; median, 10 % and 90 % of the skew seeds" : "");
}

/* --- bench --- */

/* Make bars of a chart whose curves have one point each. */
static void prefer_bars(struct chart *chart) {
  bool points = true;
  for (size_t i = 0; i < chart->n; i++) {
    points &= chart->series[i].n == 1;
  }
  chart->axis = points ? CHART_NAMES : chart->axis;
}

/* Tell whether a row before ROW has the same text in COLUMN. */
static bool is_again(const struct plotting *plotting, size_t row, const char *column) {
  for (size_t before = 0; before < row; before++) {
    if (strcmp(cell(plotting, before, column), cell(plotting, row, column)) == 0) {
      return true;
    }
  }
  return false;
}

static int plot_bench(struct plotting *plotting, struct err *err) {
  for (size_t first = 0; first < table_nrows(plotting->table); first++) {
    const char *unit = cell(plotting, first, "unit");
    if (is_again(plotting, first, "unit")) {
      continue;
    }
    if (plotting->n == CHARTS_MAX) {
      return err_set(err, "--plot: figures in more than %d units, expected fewer benchmarks", CHARTS_MAX);
    }
    struct chart *chart = begin_chart(plotting, xasprintf("Benchmarks in %s", unit), "unit", unit);
    bool several = differs(plotting, "benchmark", "unit", unit);
    chart->y = unit;
    for (size_t row = first; row < table_nrows(plotting->table); row++) {
      char name[NAME_SIZE], own[NAME_SIZE];
      double value = number(plotting, row, "value");
      snprintf(own, sizeof own, "%s%s%s", several ? cell(plotting, row, "benchmark") : "", several ? " " : "",
               cell(plotting, row, "parameter"));
      name_series(plotting, chart, row, own, name);
      if (strcmp(cell(plotting, row, "unit"), unit) == 0 && !isnan(value)) {
        chart_add(chart_series_of(chart, name),
                  (struct chart_point){x_of(plotting, chart, row), value, NAN, NAN});
      }
    }
    chart->linear = true;
    prefer_bars(chart);
  }
  return 0;
}

/* --- compare --- */

/* Draw times: simulated, and as each model predicts them. */
static void plot_predictions(struct plotting *plotting, struct chart *chart) {
  for (size_t row = 0; row < table_nrows(plotting->table); row++) {
    char name[NAME_SIZE], predicted[NAME_SIZE + 64];
    double x = x_of(plotting, chart, row), simulated = number(plotting, row, "simulated_ns"),
           other = number(plotting, row, "predicted_ns");
    name_series(plotting, chart, row, cell(plotting, row, "algorithm"), name);
    snprintf(predicted, sizeof predicted, "%s: %s", name, cell(plotting, row, "model"));
    struct chart_series *series = chart_series_of(chart, name);
    bool known = false;
    for (size_t i = 0; i < series->n; i++) {
      known |= series->points[i].x == x;
    }
    if (!known && !isnan(simulated)) {
      chart_add(series, (struct chart_point){x, simulated / plotting->unit, NAN, NAN});
    }
    if (!isnan(other)) {
      series = chart_series_of(chart, predicted);
      series->style = CHART_DASHED;
      chart_add(series, (struct chart_point){x, other / plotting->unit, NAN, NAN});
    }
  }
}

/* Draw which share of the points of each model errs by at most how much. */
static void plot_errors(struct plotting *plotting, struct chart *chart) {
  chart->axis = CHART_NUMBERS;
  chart->linear = true;
  chart->x = "share of the points (%)";
  chart->y = "largest error among them (%)";
  for (size_t row = 0; row < table_nrows(plotting->table); row++) {
    double error = fabs(number(plotting, row, "error_percent"));
    if (!isnan(error)) {
      chart_add(chart_series_of(chart, cell(plotting, row, "model")),
                (struct chart_point){0, error, NAN, NAN});
    }
  }
  for (size_t i = 0; i < chart->n; i++) {
    distribute(&chart->series[i]);
  }
}

static void plot_compare(struct plotting *plotting) {
  size_t algorithms = 0;
  for (size_t row = 0; row < table_nrows(plotting->table); row++) {
    algorithms += !is_again(plotting, row, "algorithm");
  }
  choose_unit(plotting, "simulated_ns");
  struct chart *chart = begin_chart(plotting, xstrdup("Simulated and predicted times of a call"), NULL, NULL);
  chart->y = plotting->time_axis;
  if (algorithms <= FEW && chart->axis != CHART_NAMES &&
      !(chart->axis == CHART_BYTES && differs(plotting, "ranks", NULL, NULL))) {
    plot_predictions(plotting, chart);
  } else {
    free(plotting->titles[0]);
    chart->title = plotting->titles[0] = xstrdup("Errors of the models over all points");
    plot_errors(plotting, chart);
  }
}

/* --- tune --- */

/* Add the fastest algorithm of ROW to CHART: a mark of its own, and where sizes are the x axis a grey line
 * through those of as many ranks. */
static void add_winner(struct plotting *plotting, struct chart *chart, size_t row) {
  const struct chart_point point = {x_of(plotting, chart, row),
                                    number(plotting, row, "best_of_all_ns") / plotting->unit, NAN, NAN};
  if (isnan(point.y)) {
    return;
  }
  if (chart->axis != CHART_NAMES) {
    char line[NAME_SIZE];
    name_series(plotting, chart, row, "", line);
    struct chart_series *series = chart_series_of(chart, line + strspn(line, ", "));
    series->style = CHART_GREY;
    chart_add(series, point);
  }
  const char *best = cell(plotting, row, "best_of_all");
  struct chart_series *series = chart_series_of(chart, strchr(best, ';') ? "several, which tie" : best);
  series->style = CHART_MARKS;
  chart_add(series, point);
}

static int plot_tune(struct plotting *plotting, struct err *err) {
  choose_unit(plotting, "simulated_ns");
  for (size_t first = 0; first < table_nrows(plotting->table); first++) {
    const char *collective = cell(plotting, first, "collective");
    if (is_again(plotting, first, "collective")) {
      continue;
    }
    if (plotting->n == CHARTS_MAX) {
      return err_set(err, "--plot: more than %d collectives, expected fewer", CHARTS_MAX);
    }
    struct chart *chart = begin_chart(
      plotting, xasprintf("%s: the fastest algorithm for each call", collective), "collective", collective);
    chart->y = plotting->time_axis;
    for (size_t row = first; row < table_nrows(plotting->table); row++) {
      if (strcmp(cell(plotting, row, "collective"), collective) == 0) {
        add_winner(plotting, chart, row);
      }
    }
  }
  return 0;
}

/* --- all --- */

/* Check that there is something in the charts of PLOTTING, and not too much. */
static int check_series(const struct plotting *plotting, struct err *err) {
  size_t some = 0;
  for (size_t i = 0; i < plotting->n; i++) {
    some += plotting->charts[i].n;
    if (plotting->charts[i].n > CHART_SERIES_MAX) {
      return err_set(err, "--plot: %zu curves or bars in one picture, expected at most %d",
                     plotting->charts[i].n, CHART_SERIES_MAX);
    }
  }
  if (!some) {
    err_set(err, "--plot: nothing has a value, expected at least one row");
  }
  return some ? 0 : PLOT_NOTHING;
}

int plot_table(const struct table *table, enum plot_kind kind, const char *path, struct err *err) {
  struct plotting plotting = {.table = table};
  int status = 0;
  switch (kind) {
  case PLOT_RUN:
    plot_run(&plotting);
    break;
  case PLOT_BENCH:
    status = plot_bench(&plotting, err);
    break;
  case PLOT_COMPARE:
    plot_compare(&plotting);
    break;
  case PLOT_TUNE:
    status = plot_tune(&plotting, err);
    break;
  }
  status = status == 0 ? check_series(&plotting, err) : status;
  status = status == 0 ? chart_write(plotting.charts, plotting.n, path, err) : status;
  for (size_t i = 0; i < plotting.n; i++) {
    chart_fini(&plotting.charts[i]);
    free(plotting.titles[i]);
  }
  return status;
}
