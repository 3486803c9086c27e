/* SPDX-License-Identifier: BSD-3-Clause
 * See chart.h. */
#include "draw/chart.h"

#include "draw/gnuplot.h"
#include "draw/plot_frame.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/units.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Units of an SVG or a PNG, and how many of them are an inch of paper. */
enum { WIDTH = 760, HEIGHT = 480, KEY_ROW = 20, BAR = 26, INCH = 96 };

/* Marks on a curve of more points would hide it; longer numbers beside bars have a letter for thousands or
 * millions. */
enum { MANY = 40, MANY_DIGITS = 100000 };

static const char *const endings[CHART_FORMATS] = {
  [CHART_SVG] = ".svg", [CHART_PNG] = ".png", [CHART_PDF] = ".pdf"};

enum chart_format chart_format_of(const char *path) {
  size_t length = strlen(path);
  unsigned format = 0;
  while (format < CHART_FORMATS && (length <= 4 || strcmp(path + length - 4, endings[format]) != 0)) {
    format++;
  }
  return (enum chart_format)format;
}

struct chart_series *chart_series_of(struct chart *chart, const char *name) {
  for (size_t i = 0; i < chart->n; i++) {
    if (strcmp(chart->series[i].name, name) == 0) {
      return &chart->series[i];
    }
  }
  chart->series = xrealloc(chart->series, chart->n + 1, sizeof *chart->series);
  chart->series[chart->n] = (struct chart_series){.name = xstrdup(name)};
  return &chart->series[chart->n++];
}

void chart_add(struct chart_series *series, struct chart_point point) {
  size_t at = series->n++;
  series->points = xrealloc(series->points, series->n, sizeof *series->points);
  for (; at > 0 && series->points[at - 1].x > point.x; at--) {
    series->points[at] = series->points[at - 1];
  }
  series->points[at] = point;
}

void chart_fini(struct chart *chart) {
  for (size_t i = 0; i < chart->n; i++) {
    free(chart->series[i].name);
    free(chart->series[i].points);
  }
  free(chart->series);
}

/* --- the script --- */

/* Write TEXT between quotes. */
static void put_text(FILE *script, const char *text) {
  fputc('\'', script);
  for (const char *c = text; *c; c++) {
    fputs(*c == '\'' ? "''" : (char[]){*c, '\0'}, script);
  }
  fputc('\'', script);
}

static void put_command(FILE *script, const char *command, const char *text) {
  fprintf(script, "%s ", command);
  put_text(script, text);
  fputc('\n', script);
}

static double height_of(const struct chart *chart) {
  return chart->axis == CHART_NAMES ? 120 + BAR * (double)chart->n : HEIGHT + KEY_ROW * (double)chart->n;
}

/* Write the points of CHART, the number of whose first block is FIRST, and find out whether it has bands. */
static void put_points(FILE *script, const struct chart *chart, size_t first) {
  for (size_t i = 0; i < chart->n; i++) {
    const struct chart_series *series = &chart->series[i];
    fprintf(script, "$s%zu << end\n", first + i);
    for (size_t j = 0; j < series->n; j++) {
      const struct chart_point *point = &series->points[j];
      if (chart->axis == CHART_NAMES) {
        fprintf(script, "%.9g %zu\n", point->y, chart->n - i);
      } else {
        fprintf(script, "%.9g %.9g %.9g %.9g\n", point->x, point->y, point->low, point->high);
      }
    }
    fputs("end\n", script);
  }
}

/* Write marks at each size between LOW and HIGH that some point has, or at every second, so that labels do
 * not meet. */
static void put_sizes(FILE *script, double low, double high) {
  double steps = log2(high / low);
  unsigned every = steps > 24 ? 4 : steps > 9 ? 2 : 1, number = 0;
  fputs("set logscale x 2\nset xtics (", script);
  for (double size = low; size <= high * 1.001; size *= 2, number++) {
    char text[UNITS_TEXT_SIZE];
    units_format_bytes((uint64_t)size, text);
    fprintf(script, "%s'%s' %.0f", number ? ", " : "", number % every ? "" : text, size);
  }
  fprintf(script, ")\nset xrange [%.3f:%.3f]\n", low / 1.2, high * 1.2);
}

/* Find the least and the largest x of CHART. */
static void find_range(const struct chart *chart, double *low, double *high) {
  *low = INFINITY, *high = -INFINITY;
  for (size_t i = 0; i < chart->n; i++) {
    for (size_t j = 0; j < chart->series[i].n; j++) {
      *low = fmin(*low, chart->series[i].points[j].x);
      *high = fmax(*high, chart->series[i].points[j].x);
    }
  }
}

/* Name each grey line of CHART behind its last point.
 * returns: whether there is one. */
static bool put_labels(FILE *script, const struct chart *chart) {
  bool some = false;
  for (size_t i = 0; i < chart->n; i++) {
    const struct chart_series *series = &chart->series[i];
    if (series->style == CHART_GREY && series->n) {
      const struct chart_point *last = &series->points[series->n - 1];
      fputs("set label ", script);
      put_text(script, series->name);
      fprintf(script, " at %.9g,%.9g left offset 1,0 tc rgb '#555555'\n", last->x, last->y);
      some = true;
    }
  }
  return some;
}

/* Tell whether y of CHART is a logarithm: where all values are zero there is none. */
static bool is_logarithmic(const struct chart *chart) {
  bool positive = false;
  for (size_t i = 0; i < chart->n; i++) {
    for (size_t j = 0; j < chart->series[i].n; j++) {
      positive |= chart->series[i].points[j].y > 0;
    }
  }
  return positive && !chart->linear;
}

static void put_axes(FILE *script, const struct chart *chart) {
  double low, high;
  find_range(chart, &low, &high);
  if (put_labels(script, chart)) {
    fputs("set rmargin 12\n", script);
  }
  put_command(script, "set title", chart->title);
  put_command(script, "set xlabel", chart->x);
  fputs("set xlabel offset 0,0.5\n", script);
  put_command(script, "set ylabel", chart->y);
  if (chart->axis == CHART_BYTES && low > 0) {
    put_sizes(script, low, high);
  } else if (high > low) {
    fprintf(script, "set xrange [%.9g:%.9g]\n", low - (high - low) * 0.03, high + (high - low) * 0.03);
  } else {
    fprintf(script, "set xrange [%.9g:%.9g]\n", low - 1, high + 1);
  }
  fputs(is_logarithmic(chart) ? "set logscale y\n" : "set yrange [0:*]\n", script);
}

/* Return the length of the longest bar of CHART; at least one is longer than nothing, or it is 1. */
static double longest_bar(const struct chart *chart) {
  double longest = 0;
  for (size_t i = 0; i < chart->n; i++) {
    for (size_t j = 0; j < chart->series[i].n; j++) {
      longest = fmax(longest, chart->series[i].points[j].y);
    }
  }
  return longest > 0 ? longest : 1;
}

/* Write the bars of CHART: lying, the first one on top. */
static void put_bars(FILE *script, const struct chart *chart, size_t first) {
  double longest = longest_bar(chart);
  const char *marks = longest < MANY_DIGITS ? "%g" : "%.0s%c",
             *number = longest < MANY_DIGITS ? "%.5g" : "%.2s%c";
  put_command(script, "set title", chart->title);
  put_command(script, "set xlabel", chart->y);
  fputs("unset ylabel\nunset key\nset yrange [0.3:", script);
  fprintf(script, "%zu.7]\nset xrange [0:%.9g]\nset format x '%s'\nset ytics (", chart->n, longest * 1.15,
          marks);
  for (size_t i = 0; i < chart->n; i++) {
    fputs(i ? ", " : "", script);
    put_text(script, chart->series[i].name);
    fprintf(script, " %zu", chart->n - i);
  }
  fputs(")\nplot ", script);
  for (size_t i = 0; i < chart->n; i++) {
    fprintf(script,
            "%s$s%zu using (0):2:(0):1:($2-0.32):($2+0.32) with boxxyerror fillstyle solid noborder lc rgb "
            "'%s' notitle, "
            "'' using 1:2:(gprintf('%s', $1)) with labels left offset 0.5,0 notitle",
            i ? ", " : "", first + i, plot_look(0)->colour, number);
  }
  fputc('\n', script);
}

static void put_curves(FILE *script, const struct chart *chart, size_t first) {
  size_t nlooks = 0;
  put_axes(script, chart);
  fputs("plot ", script);
  for (size_t i = 0; i < chart->n; i++) {
    const struct chart_series *series = &chart->series[i];
    const struct plot_look *look = plot_look(nlooks);
    nlooks += series->style != CHART_GREY;
    if (series->n && !isnan(series->points[0].low)) {
      fprintf(
        script,
        "$s%zu using 1:3:4 with filledcurves fillstyle transparent solid 0.2 noborder lc rgb '%s' notitle, ",
        first + i, look->colour);
    }
    if (series->style == CHART_GREY) {
      fprintf(script, "$s%zu using 1:2 with lines lw 1 lc rgb '#aaaaaa' notitle", first + i);
    } else {
      const char *with = series->style == CHART_MARKS ? "points lw 2 ps 1"
                         : series->n > MANY           ? "lines lw 2"
                                                      : "linespoints lw 2 ps 0.7";
      fprintf(script, "$s%zu using 1:2 with %s pt %u dt %d lc rgb '%s' title ", first + i, with, look->shape,
              series->style == CHART_DASHED ? 2 : 1, look->colour);
      put_text(script, series->name);
    }
    fputs(i + 1 < chart->n ? ", " : "\n", script);
  }
}

/* What gnuplot says where a letter is narrower than a pixel, since there is no font to draw it with. */
static const char no_font[] = "there is no font";

static void put_script(FILE *script, const struct chart charts[], size_t n, enum chart_format format) {
  double height = 0, top = 1;
  for (size_t i = 0; i < n; i++) {
    height += height_of(&charts[i]);
  }
  static const char *const terminals[CHART_FORMATS] = {
    [CHART_SVG] = "svg size %.0f,%.0f noenhanced font 'sans-serif,14' background '#ffffff'",
    [CHART_PNG] = "pngcairo size %.0f,%.0f noenhanced font 'sans-serif,11' background '#ffffff'",
    [CHART_PDF] = "pdfcairo size %.3fin,%.3fin noenhanced font 'sans-serif,11'"};
  double unit = format == CHART_PDF ? INCH : 1;
  fputs("set terminal ", script);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  fprintf(script, terminals[format], WIDTH / unit, height / unit);
#pragma GCC diagnostic pop
  fputs("\nset encoding utf8\nset multiplot\n", script);
  for (size_t i = 0, first = 0; i < n; first += charts[i++].n) {
    double part = height_of(&charts[i]) / height;
    top -= part;
    fprintf(
      script,
      "reset\nset encoding utf8\nset origin 0,%.6f\nset size 1,%.6f\nset border 3 lc rgb "
      "'#555555'\nset tics nomirror out scale 0.6\n"
      "set grid lc rgb '#cccccc' lw 1\nset key below vertical Left reverse samplen 3 maxcols 2 title ' '\n",
      top, part);
    put_points(script, &charts[i], first);
    (charts[i].axis == CHART_NAMES ? put_bars : put_curves)(script, &charts[i], first);
  }
  fputs("unset multiplot\n", script);
  if (format != CHART_SVG) { /* what browsers draw has the fonts of their readers */
    fprintf(script, "if (GPVAL_TERM_HCHAR < GPVAL_TERM_SCALE) { exit error '%s' }\n", no_font);
  }
}

int chart_write(struct chart charts[], size_t n, const char *path, struct err *err) {
  enum chart_format format = chart_format_of(path);
  char *text = NULL;
  size_t length, nbytes;
  if (format == CHART_FORMATS) {
    return err_set(err, "'%.60s', expected a file that ends in .svg, .png or .pdf", path);
  }
  FILE *script = open_memstream(&text, &length);
  put_script(script, charts, n, format);
  fclose(script);
  struct err why = {""};
  char *picture = gnuplot_output(text, &nbytes, &why);
  free(text);
  if (strstr(why.text, no_font)) {
    err_set(
      err,
      "%s: this machine has no font for its letters, expected one (Debian: fonts-dejavu-core); a picture "
      "in .svg and the table need none",
      path);
  } else if (!picture) {
    err_set(err, "%s", why.text);
  }
  struct outfile file;
  int status = picture ? outfile_open(&file, path, err) : -1;
  if (status == 0) {
    fwrite(picture, 1, nbytes, file.stream);
    status = outfile_close(&file, err);
  }
  free(picture);
  return status;
}
