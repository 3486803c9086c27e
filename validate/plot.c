/* SPDX-License-Identifier: BSD-3-Clause
 * See plot.h. Every algorithm has one colour (those of Okabe and Ito, which colour-blind readers can tell apart) and one
 * shape of points, open where a colour comes again; what is simulated has solid lines, what is predicted dashed ones. */
#include "validate/plot.h"

#include "algos/catalogue.h"
#include "sim/base/xalloc.h"
#include "validate/gnuplot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *colour;
  unsigned shape; /* gnuplot's number */
} looks[] = {
  {"#0072B2", 7}, {"#D55E00", 5}, {"#009E73", 9}, {"#CC79A7", 11}, {"#000000", 13}, {"#E69F00", 15},
  {"#56B4E9", 8}, {"#0072B2", 6}, {"#D55E00", 4}, {"#009E73", 10}, {"#CC79A7", 12}, {"#000000", 14},
};
enum { NLOOKS = sizeof looks / sizeof *looks };

static bool
same_call(const struct algo_call *a, const struct algo_call *b)
{
  return a->algo == b->algo && memcmp(a->values, b->values, sizeof a->values) == 0;
}

bool
plot_next_series(const struct comparison *comparison, struct plot_series *series)
{
  const struct compare_point *end = comparison->points + comparison->npoints;
  series->points = series->points ? series->points + series->npoints : comparison->points;
  series->npoints = 0;
  while (series->points + series->npoints < end &&
         same_call(&series->points->call, &series->points[series->npoints].call)) {
    series->npoints++;
  }
  if (series->npoints) {
    catalogue_format(&series->points->call, series->name, sizeof series->name);
  }
  return series->npoints > 0;
}

static bool
chosen(const struct plot_choice *choice, const struct compare_point *point)
{
  return point->call.algo->collective == choice->collective &&
         (!choice->ranks || point->ranks == choice->ranks);
}

size_t
plot_count(const struct plot_choice *choice)
{
  size_t n = 0;
  for (size_t i = 0; i < choice->comparison->npoints; i++) {
    n += chosen(choice, &choice->comparison->points[i]);
  }
  return n;
}

/* An algorithm in a picture. */
struct curve {
  char *name;
  const char *colour;
  unsigned shape;
};

/* One picture on its way. */
struct drawing {
  const struct plot_choice *choice;
  bool over_ranks;
  struct curve *curves; /* algorithms with points in it */
  unsigned ncurves;
  double least, most;     /* of all errors, in percent */
  double lowest, highest; /* of all latencies, in ns */
  FILE *script;
};

/* Write the points of SERIES as gnuplot's data block number drawing->ncurves.
 * returns: whether there are any. */
static bool
write_data(struct drawing *drawing, const struct plot_series *series)
{
  size_t n = 0;
  for (size_t i = 0; i < series->npoints; i++) {
    const struct compare_point *point = &series->points[i];
    if (!chosen(drawing->choice, point)) {
      continue;
    }
    if (n++ == 0) {
      fprintf(drawing->script, "$series%u << END\n", drawing->ncurves);
    }
    fprintf(drawing->script, "%zu %.3f %.3f %.3f %.3f %.3f\n",
            drawing->over_ranks ? point->ranks : point->bytes, point->simulated, point->predicted.low,
            point->predicted.middle, point->predicted.high, point->error);
    drawing->least = fmin(drawing->least, point->error);
    drawing->most = fmax(drawing->most, point->error);
    drawing->lowest = fmin(drawing->lowest, fmin(point->simulated, point->predicted.low));
    drawing->highest = fmax(drawing->highest, fmax(point->simulated, point->predicted.high));
  }
  if (n) {
    fputs("END\n", drawing->script);
  }
  return n > 0;
}

/* Write the axis of sizes: those of all pictures of the collective, with room at both ends. */
static void
write_size_axis(const struct drawing *drawing)
{
  const struct comparison *comparison = drawing->choice->comparison;
  double low = INFINITY, high = 0;
  for (size_t i = 0; i < comparison->npoints; i++) {
    if (comparison->points[i].call.algo->collective == drawing->choice->collective) {
      low = fmin(low, (double)comparison->points[i].bytes);
      high = fmax(high, (double)comparison->points[i].bytes);
    }
  }
  fprintf(drawing->script, "set xlabel 'bytes' offset 0,0.5\nset logscale x 2\nset xrange [%.3f:%.3f]\n",
          low / 1.4, high * 1.4);
  fputs("set xtics ('16' 16, '' 32, '64' 64, '' 128, '256' 256, '' 512, '1 KiB' 1024, '' 2048, '4 KiB' 4096, "
        "'' 8192, '16 KiB' 16384, '' 32768)\n",
        drawing->script);
}

/* Write size, axes and fonts. The y axis is called Y. */
static void
write_frame(const struct drawing *drawing, const char *name, const char *y)
{
  FILE *script = drawing->script;
  fprintf(
    script,
    "set terminal svg size 560,500 dynamic noenhanced font 'sans-serif,16' background '#ffffff' name '%s'\n"
    "set encoding utf8\n"
    "set border 3 lc rgb '#555555'\nset tics nomirror out scale 0.6\nset grid lc rgb '#dddddd' lw 1\n"
    "set key below horizontal Left reverse samplen 2.5 width -5 maxcols 2 font ',14'\nset ylabel '%s'\n",
    name, y);
  if (drawing->over_ranks) {
    fputs("set xlabel 'ranks' offset 0,0.5\nset xrange [1.5:16.5]\nset xtics 2,1\n", script);
  } else {
    write_size_axis(drawing);
  }
}

/* Write the data blocks of all algorithms and note their curves. An algorithm looks the same in all pictures of its
 * collective. */
static void
write_all_data(struct drawing *drawing)
{
  struct plot_series series = {0};
  size_t place = 0;
  while (plot_next_series(drawing->choice->comparison, &series)) {
    if (series.points->call.algo->collective != drawing->choice->collective) {
      continue;
    }
    if (write_data(drawing, &series)) {
      const char *colon = strchr(series.name, ':');
      drawing->curves = xrealloc(drawing->curves, drawing->ncurves + 1, sizeof *drawing->curves);
      drawing->curves[drawing->ncurves++] = (struct curve){.name = xstrdup(colon ? colon + 1 : series.name),
                                                           .colour = looks[place % NLOOKS].colour,
                                                           .shape = looks[place % NLOOKS].shape};
    }
    place++;
  }
}

/* Write a logarithmic y axis for all latencies, with marks at 1, 2 and 5 times powers of ten. */
static void
write_latency_axis(const struct drawing *drawing)
{
  double low = 0.8 * drawing->lowest, high = 1.25 * drawing->highest;
  const char *comma = "";
  fprintf(drawing->script, "set logscale y\nset yrange [%.3f:%.3f]\nset ytics (", low, high);
  for (double power = pow(10, floor(log10(low))); power <= high; power *= 10) {
    fprintf(drawing->script, "%s%.3f, %.3f, %.3f", comma, power, 2 * power, 5 * power);
    comma = ", ";
  }
  fputs(")\n", drawing->script);
}

static void
write_latency(const struct drawing *drawing)
{
  FILE *script = drawing->script;
  if (drawing->over_ranks) {
    fputs("set yrange [0:*]\n", script);
  } else {
    write_latency_axis(drawing);
  }
  fputs("set format y '%.0f'\nplot ", script);
  for (unsigned i = 0; i < drawing->ncurves; i++) {
    const struct curve *curve = &drawing->curves[i];
    fprintf(
      script,
      "$series%u using 1:3:5 with filledcurves lc rgb '%s' fs transparent solid 0.15 noborder notitle, ", i,
      curve->colour);
    fprintf(script, "$series%u using 1:4 with lines dt (8,5) lw 1.8 lc rgb '%s' notitle, ", i, curve->colour);
    fprintf(script, "$series%u using 1:2 with linespoints lw 1.8 pt %u ps 0.8 lc rgb '%s' title '%s', ", i,
            curve->shape, curve->colour, curve->name);
  }
  fputs("keyentry with lines dt (8,5) lw 1.8 lc rgb '#555555' title 'predicted'\n", script);
}

static void
write_errors(const struct drawing *drawing)
{
  FILE *script = drawing->script;
  double low = fmin(-20, 1.1 * drawing->least), high = fmax(20, 1.1 * drawing->most);
  fprintf(script, "set yrange [%.1f:%.1f]\nset xzeroaxis lt 1 lc rgb '#555555'\nset format y '%%+.0f'\n", low,
          high);
  fputs("set object rectangle from graph 0, first -15 to graph 1, first 15 behind fs solid noborder fc rgb "
        "'#eeeeee'\n"
        "set object rectangle from graph 0, first -10 to graph 1, first 10 behind fs solid noborder fc rgb "
        "'#d8d8d8'\n"
        "plot ",
        script);
  for (unsigned i = 0; i < drawing->ncurves; i++) {
    const struct curve *curve = &drawing->curves[i];
    double aside =
      0.1 * (i - (drawing->ncurves - 1) / 2.0); /* points of different algorithms lie side by side */
    fprintf(script, "$series%u using ($1 ", i);
    fprintf(script, drawing->over_ranks ? "+ %.3f" : "* 2 ** %.3f", aside);
    fprintf(script, "):6 with points pt %u ps 0.8 lc rgb '%s' title '%s', ", curve->shape, curve->colour,
            curve->name);
  }
  fputs("keyentry with boxes fs solid noborder fc rgb '#d8d8d8' title 'within 10 %', "
        "keyentry with boxes fs solid noborder fc rgb '#eeeeee' title 'within 15 %'\n",
        script);
}

/* A kind of picture: its name, what the y axis shows, and what writes the rest of the script. */
struct kind {
  const char *name, *y;
  void (*write)(const struct drawing *drawing);
};

static char *
draw(const struct plot_choice *choice, const struct kind *kind, struct err *err)
{
  char *script, *name = xasprintf("%s_%s_%u", kind->name, coll_name(choice->collective), choice->ranks);
  size_t nbytes;
  struct drawing drawing = {
    .choice = choice, .over_ranks = choice->collective == COLL_BARRIER, .lowest = INFINITY};
  drawing.script = open_memstream(&script, &nbytes);
  write_frame(&drawing, name, kind->y);
  write_all_data(&drawing);
  kind->write(&drawing);
  fclose(drawing.script);
  char *picture = gnuplot_svg(name, script, err);
  for (unsigned i = 0; i < drawing.ncurves; i++) {
    free(drawing.curves[i].name);
  }
  free(drawing.curves);
  free(script);
  free(name);
  return picture;
}

char *
plot_latency(const struct plot_choice *choice, struct err *err)
{
  static const struct kind kind = {"latency", "latency in ns", write_latency};
  return draw(choice, &kind, err);
}

char *
plot_errors(const struct plot_choice *choice, struct err *err)
{
  static const struct kind kind = {"error", "error of the prediction in %", write_errors};
  return draw(choice, &kind, err);
}
