/* SPDX-License-Identifier: BSD-3-Clause
 * See chart.h. Rows become points of series of panels. */
#include "draw/chart.h"

#include "sim/base/reals.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Parts of all values at the ends of the band of a median. */
static const double quantiles[] = {0.1, 0.9};

/* The largest difference of two curves on one line, as a part of the values. */
static const double nearly = 0.005;

/* A chart under way. */
struct building {
  struct chart *chart;
  const struct chart_spec *spec;
  const struct chart_rows *rows;
  size_t row;
  bool has_words; /* x is a word */
};

/* --- cells --- */

static const char *cell(const struct building *building, const char *column) {
  const char *text = column ? building->rows->cell(building->rows->table, building->row, column) : NULL;
  return text ? text : "";
}

/* Return the number in COLUMN; NaN: the cell has none. */
static double number(const struct building *building, const char *column) {
  const char *text = cell(building, column);
  char *end;
  double value = strtod(text, &end);
  return end == text || *end ? NAN : value;
}

char *chart_tell(const struct chart_rows *rows, size_t row, const char *column) {
  const struct building building = {.rows = rows, .row = row};
  const char *text = cell(&building, column);
  double value = number(&building, column);
  if (strcmp(column, "bytes") == 0 && value >= 0) {
    return xstrdup(units_format_bytes((uint64_t)value));
  }
  if (isnan(value)) {
    return xstrdup(text);
  }
  bool is_unit = strcmp(column, "ranks") == 0 || strcmp(column, "ns") == 0;
  const char *unit = strstr(column, "percent") ? "%" : is_unit ? column : NULL;
  return unit ? xasprintf("%s %s", text, unit) : xasprintf("%s %s", column, text);
}

/* Return the cells of COLUMNS, separated by commas, as one text for readers.
 * owner: the caller frees the text. */
static char *join(const struct building *building, const char *columns) {
  SCOPED char *names = xstrdup(columns ? columns : "");
  char *rest = *names ? names : NULL, *text = xstrdup("");
  while (rest) {
    SCOPED char *own = chart_tell(building->rows, building->row, strsep(&rest, ","));
    xappend(&text, "%s%s", *text && *own ? ", " : "", own);
  }
  return text;
}

/* --- panels, series, words of axes --- */

/* Add a panel called TITLE to CHART, as number PLACE. */
static struct chart_panel *add_panel(struct chart *chart, const char *title, size_t place) {
  VEC_ADD(chart->panels, chart->n) = (struct chart_panel){0};
  struct chart_panel *panel = &chart->panels[place];
  memmove(panel + 1, panel, (chart->n - 1 - place) * sizeof *panel);
  *panel = (struct chart_panel){.title = xstrdup(title)};
  return panel;
}

static struct chart_panel *panel_of(struct chart *chart, const char *title) {
  size_t i = VEC_INDEX(chart->panels, chart->n, strcmp(item->title, title) == 0);
  return i < chart->n ? &chart->panels[i] : add_panel(chart, title, i);
}

/* Return the place of WORD among the *N words of *WORDS; a new word is added. */
static double place_of_word(char ***words, size_t *n, const char *word) {
  size_t i = VEC_INDEX(*words, *n, strcmp(*item, word) == 0);
  if (i == *n) {
    VEC_ADD(*words, *n) = xstrdup(word);
  }
  return (double)i;
}

/* Return the number of NAME, without the collective, among the looks; a new name is added. */
static size_t look_of(const struct building *building, const char *name) {
  struct chart_looks *looks = building->spec->shared ? building->spec->shared : &building->chart->own;
  const char *colon = strchr(name, ':');
  return (size_t)place_of_word(&looks->names, &looks->n, colon ? colon + 1 : name);
}

static struct chart_series *series_of(const struct building *building, struct chart_panel *panel,
                                      const char *name) {
  size_t i = VEC_INDEX(panel->series, panel->n, strcmp(item->name, name) == 0);
  if (i == panel->n) {
    VEC_ADD(panel->series, panel->n) =
      (struct chart_series){.name = xstrdup(name), .look = look_of(building, name)};
  }
  return &panel->series[i];
}

/* Add the point with Y of the present row to SERIES of PANEL. */
static void add_point(const struct building *building, struct chart_panel *panel, struct chart_series *series,
                      double y) {
  const struct chart_spec *spec = building->spec;
  SCOPED char *about = join(building, spec->about);
  const char *sure = cell(building, spec->unsure);
  double x = number(building, spec->x);
  struct chart_point point = {.x = isnan(x) ? 0 : x,
                              .y = y,
                              .low = number(building, spec->low),
                              .high = number(building, spec->high),
                              .unsure = strcmp(sure, "no") == 0,
                              .pale = strcmp(sure, "close") == 0 || strcmp(sure, "tie") == 0,
                              .text = *about ? xstrdup(about) : NULL};
  if (building->has_words || spec->kind == CHART_MAP) {
    point.x = place_of_word(&panel->xs, &panel->nxs, cell(building, spec->x));
  }
  if (spec->kind == CHART_MAP) {
    point.y = place_of_word(&panel->ys, &panel->nys, cell(building, spec->y));
  }
  VEC_ADD(series->points, series->n) = point;
}

/* Add the present row. */
static void add_row(const struct building *building) {
  const struct chart_spec *spec = building->spec;
  double y = number(building, spec->y), solid = number(building, spec->solid);
  SCOPED char *name = join(building, spec->series), *title = join(building, spec->panels);
  bool is_map = spec->kind == CHART_MAP;
  if (is_map && *name) { /* the algorithm, without parameters, of a list the first */
    char *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) + 1 : 0;
    name[length + strcspn(name + length, ":;")] = '\0';
  }
  if (is_map ? *name : !isnan(y) || !isnan(solid)) {
    struct chart_panel *panel = panel_of(building->chart, title);
    panel->look = spec->kind == CHART_BARS && *title ? look_of(building, title) : 0;
    if (!isnan(solid)) {
      SCOPED char *own = xasprintf("%.*s", (int)strcspn(spec->solid, "_"), spec->solid);
      add_point(building, panel, series_of(building, panel, own), solid / building->chart->unit);
    }
    if (is_map || !isnan(y)) {
      struct chart_series *series = series_of(building, panel, name);
      series->dashed = spec->solid != NULL;
      add_point(building, panel, series, is_map ? y : y / building->chart->unit);
    }
  }
}

/* --- the marks of a series --- */

static int by_x(const void *a, const void *b) {
  const struct chart_point *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

static int by_y(const void *a, const void *b) {
  const struct chart_point *p = a, *q = b;
  return (p->y > q->y) - (p->y < q->y);
}

/* Return the PART quantile of N sorted VALUES, between the nearest two. */
static double quantile(const double values[], size_t n, double part) {
  double place = part * (double)(n - 1);
  size_t below = (size_t)place, above = below + 1 < n ? below + 1 : below;
  return values[below] + (place - (double)below) * (values[above] - values[below]);
}

/* Replace points of SERIES with the same x by one point, the median, with a band between quantiles; equal
 * values have no band. */
static void gather(struct chart_series *series) {
  size_t kept = 0;
  SCOPED double *values = xcalloc(series->n + 1, sizeof *values);
  for (size_t i = 0, end; i < series->n; i = end) {
    for (end = i; end < series->n && series->points[end].x == series->points[i].x; end++) {
      values[end - i] = series->points[end].y;
    }
    reals_sort(values, end - i);
    struct chart_point point = series->points[i];
    bool is_band = values[end - i - 1] > values[0];
    point.y = quantile(values, end - i, 0.5);
    point.low = is_band ? quantile(values, end - i, quantiles[0]) : NAN;
    point.high = is_band ? quantile(values, end - i, quantiles[1]) : NAN;
    for (size_t j = i + 1; j < end; j++) {
      free(series->points[j].text);
    }
    series->points[kept++] = point;
  }
  series->n = kept;
}

/* Let x of each point of SERIES be the share, in percent, of the points with at most the same absolute y. */
static void distribute(struct chart_series *series) {
  VEC_EACH(point, series->points, series->n) {
    point->y = fabs(point->y);
  }
  qsort(series->points, series->n, sizeof *series->points, by_y);
  for (size_t i = 0; i < series->n; i++) {
    series->points[i].x = 100.0 * (double)(i + 1) / (double)series->n;
  }
}

static int by_y_of(const void *a, const void *b) {
  return by_y(*(struct chart_point *const *)a, *(struct chart_point *const *)b);
}

/* List the points of PANEL in ascending order of y; the place is x. */
static void order(struct chart_panel *panel) {
  VEC_EACH(series, panel->series, panel->n) {
    VEC_EACH(point, series->points, series->n) {
      VEC_ADD(panel->points, panel->npoints) = point;
    }
  }
  qsort(panel->points, panel->npoints, sizeof *panel->points, by_y_of);
  for (size_t i = 0; i < panel->npoints; i++) {
    panel->points[i]->x = (double)(i + 1);
  }
}

/* Divide y of PANEL by y of the first series, at the same x, of the panels with the same title. */
static void relate(const struct chart *chart, struct chart_panel *panel) {
  const struct chart_series *first =
    VEC_FIND(chart->panels, chart->n, strcmp(item->title, panel->title) == 0)->series;
  for (size_t i = panel->n; i-- > 0;) {
    VEC_EACH(point, panel->series[i].points, panel->series[i].n) {
      double base = NAN;
      VEC_EACH(other, first->points, first->n) {
        base = other->x == point->x ? other->y : base;
      }
      point->y /= base;
      point->low /= base;
      point->high /= base;
    }
  }
}

/* Leave the collective, the text before a colon, out of the names of the series of PANEL if all names have
 * the same. */
static void shorten(struct chart_panel *panel) {
  const char *first = panel->n ? panel->series[0].name : "", *colon = strchr(first, ':');
  size_t length = colon ? (size_t)(colon + 1 - first) : 0;
  VEC_EACH(series, panel->series, panel->n) {
    length = strncmp(series->name, first, length) == 0 ? length : 0;
  }
  VEC_EACH(series, panel->series, panel->n) {
    memmove(series->name, series->name + length, strlen(series->name + length) + 1);
  }
}

/* Let the key of PANEL name an earlier curve under curve NUMBER, a line's width beside at most. */
static void tell_equal(struct chart_panel *panel, size_t number) {
  struct chart_series *own = &panel->series[number];
  VEC_EACH(other, panel->series, number) {
    size_t same = 0;
    double apart = 0;
    while (own->n == other->n && same < own->n && apart < nearly) {
      const struct chart_point *p = &own->points[same], *q = &other->points[same++];
      apart = p->x != q->x ? INFINITY : p->y == q->y ? apart : fmax(apart, fabs(p->y / q->y - 1));
    }
    if (same == own->n && own->n > 1 && apart < nearly) {
      own->key = xasprintf("%s (%sas %s)", own->name, apart > 0 ? "nearly " : "", other->name);
      return;
    }
  }
}

static int by_mean(const void *a, const void *b) {
  const struct chart_series *p = a, *q = b;
  return (p->mean > q->mean) - (p->mean < q->mean);
}

/* Sort the curves of PANEL, the lowest first, by the points common to all. */
static void sort_curves(struct chart_panel *panel) {
  size_t n = SIZE_MAX;
  VEC_EACH(series, panel->series, panel->n) {
    LOWER(n, series->n);
  }
  VEC_EACH(series, panel->series, panel->n) {
    series->mean = 0;
    VEC_EACH(point, series->points, n) {
      series->mean += log(point->y);
    }
  }
  qsort(panel->series, panel->n, sizeof *panel->series, by_mean);
}

/* Move the series above CHART_SERIES_MAX of each panel of CHART to further panels with the same title. */
static void split_panels(struct chart *chart, bool sorted) {
  for (size_t i = 0; i < chart->n; i++) {
    struct chart_panel *panel = &chart->panels[i];
    if (panel->n > CHART_SERIES_MAX) {
      if (sorted) {
        sort_curves(panel);
      }
      struct chart_panel *next = add_panel(chart, panel->title, i + 1);
      panel = &chart->panels[i];
      for (size_t j = CHART_SERIES_MAX; j < panel->n; j++) {
        VEC_ADD(next->series, next->n) = panel->series[j];
      }
      panel->n = CHART_SERIES_MAX;
    }
  }
}

/* Number the panels of CHART with the same title, beside one another. */
static void number_panels(struct chart *chart) {
  for (size_t i = 0, end; i < chart->n; i = end) {
    for (end = i + 1; end < chart->n && strcmp(chart->panels[end].title, chart->panels[i].title) == 0;
         end++) {
    }
    for (size_t j = end; end - i > 1 && j-- > i;) {
      char **title = &chart->panels[j].title, *plain = *title;
      *title = xasprintf("%s%s(%zu of %zu)", plain, *plain ? " " : "", j - i + 1, end - i);
      free(plain);
    }
  }
}

/* --- all --- */

/* Choose the unit of times, the largest one in which the longest time is at least ten, and the titles of
 * the axes. */
static void choose_axes(struct building *building) {
  static const struct {
    double ns;
    const char *title;
  } units[] = {{1e6, "time (ms)"}, {1e3, "time (us)"}, {1, "time (ns)"}};
  struct chart *chart = building->chart;
  const struct chart_spec *spec = building->spec;
  const char *y = spec->y, *x = spec->x, *end = strrchr(y, '_');
  double longest = 0;
  size_t unit = 0;
  building->has_words = false;
  for (building->row = 0; building->row < building->rows->n; building->row++) {
    double here = number(building, y), solid = number(building, spec->solid);
    longest = fmax(longest, fmax(here, solid));
    building->has_words |= x && *cell(building, x) && isnan(number(building, x));
  }
  while (unit + 1 < VEC_LENGTH(units) && longest < 10 * units[unit].ns) {
    unit++;
  }
  bool is_time = strcmp(end ? end + 1 : y, "ns") == 0;
  chart->unit = is_time ? units[unit].ns : 1;
  chart->x_is_size = x && strcmp(x, "bytes") == 0;
  chart->y_is_size = strcmp(y, "bytes") == 0;
  static const char *const x_titles[] = {
    [CHART_SHARES] = "share of the rows (%)", [CHART_ORDER] = "in ascending order", [CHART_MAP] = NULL};
  const char *x_title = x_titles[spec->kind] ? x_titles[spec->kind] : spec->x_title;
  x_title = x_title ? x_title : chart->x_is_size ? "size" : x;
  const char *y_title = is_time ? units[unit].title : chart->y_is_size ? "size" : y;
  chart->x_title = xstrdup(x_title ? x_title : "");
  chart->y_title = xstrdup(spec->relative  ? "in relation to the first"
                           : spec->y_title ? spec->y_title
                                           : y_title);
}

struct chart *chart_new(const struct chart_spec *spec, const struct chart_rows *rows) {
  struct chart *chart = xcalloc(1, sizeof *chart);
  struct building building = {.chart = chart, .spec = spec, .rows = rows};
  *chart = (struct chart){
    .kind = spec->kind, .title = xstrdup(spec->title), .linear = spec->linear, .full = spec->full};
  SCOPED char *first = xstrdup(spec->looks ? spec->looks : "");
  for (char *rest = first; rest && *first;) {
    look_of(&building, strsep(&rest, ","));
  }
  choose_axes(&building);
  for (building.row = 0; building.row < rows->n; building.row++) {
    add_row(&building);
  }
  VEC_EACH(panel, chart->panels, spec->kind == CHART_MAP ? 0 : chart->n) {
    VEC_EACH(series, panel->series, panel->n) {
      qsort(series->points, series->n, sizeof *series->points, by_x);
      if (spec->kind == CHART_SHARES) {
        distribute(series);
      } else if (spec->kind == CHART_CURVES || spec->kind == CHART_BARS) {
        gather(series);
      }
    }
  }
  if (spec->kind <= CHART_SHARES) {
    split_panels(chart, spec->kind == CHART_CURVES && !spec->relative && !spec->linear);
  }
  for (size_t i = chart->n; i-- > 0;) { /* the first panel last: others are divided by the first one */
    struct chart_panel *panel = &chart->panels[i];
    shorten(panel);
    for (size_t j = 0; j < panel->n && spec->kind == CHART_CURVES; j++) {
      tell_equal(panel, j);
    }
    if (spec->relative) {
      relate(chart, panel);
    }
    if (spec->kind == CHART_ORDER) {
      order(panel);
    }
  }
  number_panels(chart);
  return chart;
}

void chart_looks_fini(struct chart_looks *looks) {
  xfree_all(looks->names, looks->n);
  *looks = (struct chart_looks){0};
}

void chart_free(struct chart *chart) {
  VEC_EACH(panel, chart->panels, chart->n) {
    VEC_EACH(series, panel->series, panel->n) {
      VEC_EACH(point, series->points, series->n) {
        free(point->text);
      }
      free(series->points);
      free(series->name);
      free(series->key);
    }
    xfree_all(panel->xs, panel->nxs);
    xfree_all(panel->ys, panel->nys);
    free(panel->series);
    free(panel->points);
    free(panel->title);
  }
  free(chart->panels);
  chart_looks_fini(&chart->own);
  free(chart->title);
  free(chart->x_title);
  free(chart->y_title);
  free(chart);
}
