/* SPDX-License-Identifier: BSD-3-Clause
 * See plot_curves.h. What is simulated has points on thin lines; the published model has dashed lines, the
 * refined one dotted ones; measurements are stars. */
#include "validate/report/plot_curves.h"

#include "draw/gnuplot_batch.h"
#include "draw/plot_frame.h"
#include "sim/base/xalloc.h"
#include "validate/report/report_cells.h"

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
  COLUMN_MEASURED,
  COLUMN_LOOPED,
  COLUMN_LABEL, /* what a browser shows beside the mouse pointer: of what is simulated, measured, looped */
};

static const char published_line[] = "with lines dt (9,5) lw 1.8",
                  refined_line[] = "with lines dt (2,3) lw 2.2",
                  measured_points[] = "point lw 2.5 pt 3 ps 1.7", looped_points[] = "point lw 2 pt 1 ps 2.4",
                  published_title[] = "published model", refined_title[] = "refined model",
                  measured_title[] = "measured in a loop", looped_title[] = "simulated in that loop";

/* Return how many of the N curves from FIRST on are of the same collective, and with PROFILE also of its
 * profile. */
static size_t count_like(const struct curve *first, size_t n, bool profile) {
  size_t like = 0;
  while (like < n && first[like].call.algo->collective == first->call.algo->collective &&
         (!profile || first[like].profile == first->profile)) {
    like++;
  }
  return like;
}

static bool all_usual(const struct curve *curves, size_t n) {
  bool usual = true;
  for (size_t i = 0; i < n; i++) {
    usual &= curves[i].usual;
  }
  return usual;
}

bool plot_next_group(const struct curves *curves, struct plot_group *group) {
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

static bool over_ranks(const struct plot_group *group) {
  return group->ranks == 0;
}

static bool chosen(const struct plot_group *group, const struct curve_point *point) {
  return over_ranks(group) || point->ranks == group->ranks;
}

size_t plot_count_points(const struct plot_group *group) {
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
  bool published, refined, measured, looped;
};

/* One picture on its way. */
struct drawing {
  const struct plot_group *group;
  FILE *script;
  bool there[PLOT_CURVES_MAX]; /* has points */
  struct extras of[PLOT_CURVES_MAX], any;
  double least_x, most_x, lowest, highest; /* of all points, ns */
};

/* Return the name of CURVE in the key. */
static const char *key_of(const struct curve *curve) {
  const char *colon = strchr(curve->name, ':');
  return colon ? colon + 1 : curve->name;
}

/* Write NS in us. */
static void write_value(FILE *script, double ns) {
  if (isnan(ns)) {
    fputs(" NaN", script);
  } else {
    fprintf(script, " %.5f", ns / 1000);
  }
}

/* Write what there is to say about POINT of CURVE, which takes NS. */
static void write_label(FILE *script, const struct curve *curve, const struct curve_point *point, double ns) {
  char time[REPORT_TIME_SIZE], bytes[UNITS_TEXT_SIZE];
  report_format_ns(ns, time);
  report_format_bytes(point->bytes, bytes);
  fprintf(script, " \"%s, %u ranks%s%s: %s\"", key_of(curve), point->ranks, point->bytes ? ", " : "",
          point->bytes ? bytes : "", isnan(ns) ? "" : time);
}

/* Note what POINT of curve INDEX adds to the picture. */
static void note(struct drawing *drawing, size_t index, const struct curve_point *point) {
  const struct prediction *published = &point->predicted[MODEL_PUBLISHED];
  double refined = point->predicted[MODEL_REFINED].middle;
  double x = over_ranks(drawing->group) ? point->ranks : (double)point->bytes;
  const double values[] = {point->simulated, published->low,  published->high,
                           refined,          point->measured, point->looped};
  drawing->there[index] = true;
  struct extras *extras[] = {&drawing->of[index], &drawing->any};
  for (size_t i = 0; i < sizeof extras / sizeof *extras; i++) {
    extras[i]->published |= !isnan(published->middle);
    extras[i]->refined |= !isnan(refined);
    extras[i]->measured |= !isnan(point->measured);
    extras[i]->looped |= !isnan(point->looped);
  }
  drawing->least_x = fmin(drawing->least_x, x);
  drawing->most_x = fmax(drawing->most_x, x);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    if (values[i] >
        0) { /* NaN is no value; a call of one rank may take no time, which no logarithmic axis has */
      drawing->lowest = fmin(drawing->lowest, values[i] / 1000);
    }
    drawing->highest = fmax(drawing->highest, values[i] / 1000);
  }
}

/* Write the points of curve INDEX as gnuplot's data block of that number. */
static void write_data(struct drawing *drawing, size_t index) {
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
      write_value(script, point->looped);
      write_label(script, curve, point, point->simulated);
      write_label(script, curve, point, point->measured);
      write_label(script, curve, point, point->looped);
      fputc('\n', script);
    }
  }
  fputs("END\n", script);
}

/* Write the frame of a picture called NAME, with room for its key: algorithms, and what their lines mean. */
static void write_frame(const struct drawing *drawing, const char *name) {
  struct plot_frame frame = {.name = name, .y = "latency in \u00b5s", .width = PLOT_WIDE};
  const struct {
    bool there;
    const char *title;
  } lines[] = {{drawing->any.published, published_title},
               {drawing->any.refined, refined_title},
               {drawing->any.measured, measured_title},
               {drawing->any.looped, looped_title}};
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

static void write_axes(const struct drawing *drawing) {
  FILE *script = drawing->script;
  if (over_ranks(drawing->group)) {
    plot_rank_axis(script, drawing->least_x, drawing->most_x);
  } else {
    plot_size_axis(script, drawing->least_x, drawing->most_x);
  }
  bool nothing = drawing->highest <= 0;
  if (nothing || (over_ranks(drawing->group) && drawing->highest < 8 * drawing->lowest)) {
    fprintf(script, "set yrange [0:%s]\n", nothing ? "1" : "*");
  } else {
    plot_logarithmic_axis(script, 0.8 * drawing->lowest, 1.25 * drawing->highest);
  }
  fputs("set format y '%g'\nset datafile missing 'NaN'\n", script);
}

/* Marks beside a curve: the columns of what they show and of their labels, and how they look. */
struct marks {
  int column, label;
  const char *look;
};

/* Write the MARKS beside curve INDEX. */
static void write_marks(const struct drawing *drawing, size_t index, const struct marks *marks) {
  fprintf(drawing->script, "$curve%zu using %d:%d:%d with labels hypertext %s lc rgb '%s' notitle, ", index,
          COLUMN_X, marks->column, marks->label, marks->look, plot_look(index)->colour);
}

/* Write the lines of curve INDEX, those of models first. */
static void write_curve(const struct drawing *drawing, size_t index) {
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
  fprintf(script, "$curve%zu using %d:%d with lines lw 1.2 lc rgb '%s' notitle, ", index, COLUMN_X,
          COLUMN_SIMULATED, look->colour);
  fprintf(script, "$curve%zu using %d:%d:%d with labels hypertext point pt %u ps 0.8 lc rgb '%s' notitle, ",
          index, COLUMN_X, COLUMN_SIMULATED, COLUMN_LABEL, look->shape, look->colour);
  fprintf(script, "keyentry with linespoints lw 1.2 pt %u ps 0.8 lc rgb '%s' title '%s', ", look->shape,
          look->colour, key_of(curve));
  if (drawing->of[index].measured) {
    write_marks(drawing, index, &(struct marks){COLUMN_MEASURED, COLUMN_LABEL + 1, measured_points});
  }
  if (drawing->of[index].looped) {
    write_marks(drawing, index, &(struct marks){COLUMN_LOOPED, COLUMN_LABEL + 2, looped_points});
  }
}

/* Write the curves, and in the key what their lines mean. */
static void write_curves(const struct drawing *drawing) {
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
    fprintf(drawing->script, "keyentry with points %s lc rgb '#555555' title '%s', ",
            strchr(measured_points, ' '), measured_title);
  }
  if (drawing->any.looped) {
    fprintf(drawing->script, "keyentry with points %s lc rgb '#555555' title '%s', ",
            strchr(looped_points, ' '), looped_title);
  }
  fputs("NaN notitle\n", drawing->script);
}

void plot_curves(const struct plot_group *group, const char *name, struct gnuplot_batch *pictures) {
  struct drawing drawing = {.group = group, .least_x = INFINITY, .lowest = INFINITY};
  char *script;
  size_t nbytes;
  drawing.script = open_memstream(&script, &nbytes);
  for (size_t i = 0; i < group->n; i++) {
    write_data(&drawing, i);
  }
  write_frame(&drawing, name);
  write_axes(&drawing);
  write_curves(&drawing);
  fclose(drawing.script);
  gnuplot_batch_add(pictures, name, script);
}

/* Write NS behind a comma; nothing behind it where there is no value. */
static void write_field(FILE *csv, double ns) {
  fprintf(csv, isnan(ns) ? "," : ",%.1f", ns);
}

void plot_curves_csv(const struct plot_group *group, FILE *csv) {
  fputs("algorithm,ranks,bytes,simulated_ns,published_model_ns,refined_model_ns,measured_ns,"
        "simulated_loop_ns\n",
        csv);
  for (size_t i = 0; i < group->n; i++) {
    for (size_t j = 0; j < group->curves[i].npoints; j++) {
      const struct curve_point *point = &group->curves[i].points[j];
      if (chosen(group, point)) {
        fprintf(csv, "%s,%u,%zu", key_of(&group->curves[i]), point->ranks, point->bytes);
        write_field(csv, point->simulated);
        write_field(csv, point->predicted[MODEL_PUBLISHED].middle);
        write_field(csv, point->predicted[MODEL_REFINED].middle);
        write_field(csv, point->measured);
        write_field(csv, point->looped);
        fputc('\n', csv);
      }
    }
  }
}
