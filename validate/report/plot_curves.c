/* SPDX-License-Identifier: BSD-3-Clause
 * See plot_curves.h. What is simulated has points on thin lines; the published model has dashed lines, the refined one
 * dotted ones; measurements are stars. */
#include "validate/report/plot_curves.h"

#include "draw/gnuplot.h"
#include "draw/plot_frame.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a data block. */
enum {
  COLUMN_X = 1,
  COLUMN_SIMULATED,
  COLUMN_LOW,
  COLUMN_PUBLISHED,
  COLUMN_HIGH,
  COLUMN_REFINED,
  COLUMN_MEASURED
};

static const char published_line[] = "with lines dt (9,5) lw 1.8",
                  refined_line[] = "with lines dt (2,3) lw 2.2",
                  measured_points[] = "with points lw 2.5 pt 3 ps 1.7", published_title[] = "published model",
                  refined_title[] = "refined model", measured_title[] = "measured (published)";

/* Return how many of the N curves from FIRST on are of the same collective, and with PROFILE also of its profile. */
static size_t
count_like(const struct curve *first, size_t n, bool profile)
{
  size_t like = 0;
  while (like < n && first[like].call.algo->collective == first->call.algo->collective &&
         (!profile || first[like].profile == first->profile)) {
    like++;
  }
  return like;
}

static bool
all_usual(const struct curve *curves, size_t n)
{
  bool usual = true;
  for (size_t i = 0; i < n; i++) {
    usual &= curves[i].usual;
  }
  return usual;
}

bool
plot_next_group(const struct curves *curves, struct plot_group *group)
{
  const struct curve *end = curves->items + curves->n;
  const struct curve *start = group->curves ? group->curves + group->n : curves->items;
  size_t left = (size_t)(end - start);
  if (left == 0) {
    return false;
  }
  const struct curve *first = start; /* of the collective */
  while (first > curves->items && first[-1].call.algo->collective == start->call.algo->collective) {
    first--;
  }
  size_t all = count_like(first, (size_t)(end - first), false);
  if (first == start && all <= PLOT_CURVES_MAX && all_usual(first, all)) {
    *group = (struct plot_group){.curves = start, .n = all};
    return true;
  }
  while (first < start && first->profile != start->profile) {
    first++;
  }
  all = count_like(first, (size_t)(end - first), true);
  size_t parts = (all + PLOT_CURVES_MAX - 1) / PLOT_CURVES_MAX, part = (all + parts - 1) / parts;
  size_t rest = all - (size_t)(start - first);
  *group = (struct plot_group){.curves = start, .n = rest < part ? rest : part};
  return true;
}

static bool
over_ranks(const struct plot_group *group)
{
  return group->ranks == 0;
}

static bool
chosen(const struct plot_group *group, const struct curve_point *point)
{
  return over_ranks(group) || point->ranks == group->ranks;
}

size_t
plot_count_points(const struct plot_group *group)
{
  size_t n = 0;
  for (size_t i = 0; i < group->n; i++) {
    for (size_t j = 0; j < group->curves[i].npoints; j++) {
      const struct curve_point *point = &group->curves[i].points[j];
      n += chosen(group, point) && !isnan(point->simulated);
    }
  }
  return n;
}

/* What there is beside simulated points. */
struct extras {
  bool published, refined, measured;
};

/* One picture on its way. */
struct drawing {
  const struct plot_group *group;
  FILE *script;
  bool there[PLOT_CURVES_MAX]; /* has points */
  struct extras of[PLOT_CURVES_MAX], any;
  double least_x, most_x, lowest, highest; /* of all points, ns */
};

static void
write_value(FILE *script, double value)
{
  if (isnan(value)) {
    fputs(" NaN", script);
  } else {
    fprintf(script, " %.3f", value);
  }
}

/* Note what POINT of curve INDEX adds to the picture. */
static void
note(struct drawing *drawing, size_t index, const struct curve_point *point)
{
  const struct prediction *published = &point->predicted[MODEL_PUBLISHED];
  double refined = point->predicted[MODEL_REFINED].middle;
  double x = over_ranks(drawing->group) ? point->ranks : (double)point->bytes;
  const double values[] = {point->simulated, published->low, published->high, refined, point->measured};
  drawing->there[index] = true;
  struct extras *extras[] = {&drawing->of[index], &drawing->any};
  for (size_t i = 0; i < sizeof extras / sizeof *extras; i++) {
    extras[i]->published |= !isnan(published->middle);
    extras[i]->refined |= !isnan(refined);
    extras[i]->measured |= !isnan(point->measured);
  }
  drawing->least_x = fmin(drawing->least_x, x);
  drawing->most_x = fmax(drawing->most_x, x);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    drawing->lowest = fmin(drawing->lowest, values[i]); /* NaN counts as nothing */
    drawing->highest = fmax(drawing->highest, values[i]);
  }
}

/* Write the points of curve INDEX as gnuplot's data block of that number. */
static void
write_data(struct drawing *drawing, size_t index)
{
  const struct curve *curve = &drawing->group->curves[index];
  FILE *script = drawing->script;
  fprintf(script, "$curve%zu << END\n", index);
  for (size_t i = 0; i < curve->npoints; i++) {
    const struct curve_point *point = &curve->points[i];
    if (chosen(drawing->group, point)) {
      note(drawing, index, point);
      fprintf(script, "%zu", over_ranks(drawing->group) ? point->ranks : point->bytes);
      write_value(script, point->simulated);
      write_value(script, point->predicted[MODEL_PUBLISHED].low);
      write_value(script, point->predicted[MODEL_PUBLISHED].middle);
      write_value(script, point->predicted[MODEL_PUBLISHED].high);
      write_value(script, point->predicted[MODEL_REFINED].middle);
      write_value(script, point->measured);
      fputc('\n', script);
    }
  }
  fputs("END\n", script);
}

/* Return the name of CURVE in the key. */
static const char *
key_of(const struct curve *curve)
{
  const char *colon = strchr(curve->name, ':');
  return colon ? colon + 1 : curve->name;
}

/* Write the frame of a picture called NAME, with room for its key: algorithms, and what their lines mean. */
static void
write_frame(const struct drawing *drawing, const char *name)
{
  struct plot_frame frame = {.name = name, .y = "latency in ns", .width = PLOT_WIDE};
  const struct {
    bool there;
    const char *title;
  } lines[] = {{drawing->any.published, published_title},
               {drawing->any.refined, refined_title},
               {drawing->any.measured, measured_title}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    if (lines[i].there) {
      plot_frame_key(&frame, lines[i].title);
    }
  }
  for (size_t i = 0; i < drawing->group->n; i++) {
    if (drawing->there[i]) {
      plot_frame_key(&frame, key_of(&drawing->group->curves[i]));
    }
  }
  plot_frame(drawing->script, &frame);
}

static void
write_axes(const struct drawing *drawing)
{
  FILE *script = drawing->script;
  if (over_ranks(drawing->group)) {
    plot_rank_axis(script);
  } else {
    plot_size_axis(script, drawing->least_x, drawing->most_x);
  }
  if (over_ranks(drawing->group) && drawing->highest < 8 * drawing->lowest) {
    fputs("set yrange [0:*]\n", script);
  } else {
    plot_logarithmic_axis(script, 0.8 * drawing->lowest, 1.25 * drawing->highest);
  }
  fputs("set format y '%.0f'\nset datafile missing 'NaN'\n", script);
}

/* Write the lines of curve INDEX, those of models first. */
static void
write_curve(const struct drawing *drawing, size_t index)
{
  FILE *script = drawing->script;
  const struct curve *curve = &drawing->group->curves[index];
  const struct plot_look *look = plot_look(index);
  if (drawing->of[index].published) {
    fprintf(
      script,
      "$curve%zu using %d:%d:%d with filledcurves lc rgb '%s' fs transparent solid 0.15 noborder notitle, ",
      index, COLUMN_X, COLUMN_LOW, COLUMN_HIGH, look->colour);
    fprintf(script, "$curve%zu using %d:%d %s lc rgb '%s' notitle, ", index, COLUMN_X, COLUMN_PUBLISHED,
            published_line, look->colour);
  }
  if (drawing->of[index].refined) {
    fprintf(script, "$curve%zu using %d:%d %s lc rgb '%s' notitle, ", index, COLUMN_X, COLUMN_REFINED,
            refined_line, look->colour);
  }
  fprintf(script, "$curve%zu using %d:%d with linespoints lw 1.2 pt %u ps 0.8 lc rgb '%s' title '%s', ",
          index, COLUMN_X, COLUMN_SIMULATED, look->shape, look->colour, key_of(curve));
  if (drawing->of[index].measured) {
    fprintf(script, "$curve%zu using %d:%d %s lc rgb '%s' notitle, ", index, COLUMN_X, COLUMN_MEASURED,
            measured_points, look->colour);
  }
}

/* Write the curves, and in the key what their lines mean. */
static void
write_curves(const struct drawing *drawing)
{
  fputs("plot ", drawing->script);
  for (size_t i = 0; i < drawing->group->n; i++) {
    if (drawing->there[i]) {
      write_curve(drawing, i);
    }
  }
  if (drawing->any.published) {
    fprintf(drawing->script, "keyentry %s lc rgb '#555555' title '%s', ", published_line, published_title);
  }
  if (drawing->any.refined) {
    fprintf(drawing->script, "keyentry %s lc rgb '#555555' title '%s', ", refined_line, refined_title);
  }
  if (drawing->any.measured) {
    fprintf(drawing->script, "keyentry %s lc rgb '#555555' title '%s', ", measured_points, measured_title);
  }
  fputs("NaN notitle\n", drawing->script);
}

char *
plot_curves(const struct plot_group *group, struct err *err)
{
  struct drawing drawing = {.group = group, .least_x = INFINITY, .lowest = INFINITY};
  char *script;
  size_t nbytes;
  char *name = xasprintf("latency_%s_%s_%u", group->curves->profile->name, group->curves->name, group->ranks);
  plot_plain_name(name);
  drawing.script = open_memstream(&script, &nbytes);
  for (size_t i = 0; i < group->n; i++) {
    write_data(&drawing, i);
  }
  write_frame(&drawing, name);
  write_axes(&drawing);
  write_curves(&drawing);
  fclose(drawing.script);
  char *picture = gnuplot_svg(name, script, err);
  free(script);
  free(name);
  return picture;
}
