/* SPDX-License-Identifier: BSD-3-Clause
 * See plot.h. Points of different algorithms have different colours and shapes, and lie side by side. */
#include "validate/report/plot.h"

#include "algos/catalogue.h"
#include "draw/gnuplot_batch.h"
#include "draw/plot_frame.h"
#include "sim/base/reals.h"
#include "sim/base/xalloc.h"
#include "validate/report/report_cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_call(const struct algo_call *a, const struct algo_call *b) {
  return a->algo == b->algo && memcmp(a->values, b->values, sizeof a->values) == 0;
}

bool plot_next_series(const struct comparison *comparison, struct plot_series *series) {
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

static bool chosen(const struct plot_choice *choice, const struct compare_point *point) {
  return point->call.algo->collective == choice->collective &&
         (!choice->source || strcmp(catalogue_source(&point->call), choice->source) == 0);
}

size_t plot_count(const struct plot_choice *choice) {
  size_t n = 0;
  for (size_t i = 0; i < choice->comparison->npoints; i++) {
    n += chosen(choice, &choice->comparison->points[i]);
  }
  return n;
}

/* An algorithm in a picture. */
struct marks {
  char *name;
  const struct plot_look *look;
};

/* One picture on its way. */
struct drawing {
  const struct plot_choice *choice;
  bool over_ranks;
  struct marks *marks; /* algorithms with points in it */
  unsigned nmarks;
  double least, most; /* of all errors, in percent */
  FILE *script;
};

/* Return the name of SERIES behind that of its collective. */
static const char *key_of(const struct plot_series *series) {
  const char *colon = strchr(series->name, ':');
  return colon ? colon + 1 : series->name;
}

/* Write what a browser shows beside the mouse pointer at POINT of SERIES. */
static void write_label(FILE *script, const struct plot_series *series, const struct compare_point *point) {
  char bytes[UNITS_TEXT_SIZE];
  report_format_bytes(point->bytes, bytes);
  fprintf(script, " \"%s, %u ranks%s%s: %+.1f %%\"\n", key_of(series), point->ranks, point->bytes ? ", " : "",
          point->bytes ? bytes : "", point->error);
}

/* Write the points of SERIES as gnuplot's data block number drawing->nmarks.
 * returns: whether there are any. */
static bool write_data(struct drawing *drawing, const struct plot_series *series) {
  size_t n = 0;
  for (size_t i = 0; i < series->npoints; i++) {
    const struct compare_point *point = &series->points[i];
    if (!chosen(drawing->choice, point)) {
      continue;
    }
    if (n++ == 0) {
      fprintf(drawing->script, "$series%u << END\n", drawing->nmarks);
    }
    fprintf(drawing->script, "%zu %.3f", drawing->over_ranks ? point->ranks : point->bytes, point->error);
    write_label(drawing->script, series, point);
    drawing->least = fmin(drawing->least, point->error);
    drawing->most = fmax(drawing->most, point->error);
  }
  if (n) {
    fputs("END\n", drawing->script);
  }
  return n > 0;
}

/* Write the axis of ranks or sizes: those of all pictures of the collective. */
static void write_x_axis(const struct drawing *drawing) {
  const struct comparison *comparison = drawing->choice->comparison;
  double low = INFINITY, high = 0;
  for (size_t i = 0; i < comparison->npoints; i++) {
    const struct compare_point *point = &comparison->points[i];
    if (point->call.algo->collective == drawing->choice->collective) {
      double x = drawing->over_ranks ? point->ranks : (double)point->bytes;
      low = fmin(low, x);
      high = fmax(high, x);
    }
  }
  (drawing->over_ranks ? plot_rank_axis : plot_size_axis)(drawing->script, low, high);
}

/* Write the data blocks of all algorithms and note how they look. An algorithm looks the same in all pictures
 * of its collective. */
static void write_all_data(struct drawing *drawing) {
  struct plot_series series = {0};
  size_t place = 0;
  while (plot_next_series(drawing->choice->comparison, &series)) {
    if (!chosen(drawing->choice, series.points)) {
      continue;
    }
    if (write_data(drawing, &series)) {
      drawing->marks = xrealloc(drawing->marks, drawing->nmarks + 1, sizeof *drawing->marks);
      drawing->marks[drawing->nmarks++] =
        (struct marks){.name = xstrdup(key_of(&series)), .look = plot_look(place)};
    }
    place++;
  }
}

/* Write the frame of a picture called NAME, with room for its key: algorithms, and the two bands. */
static void write_frame(const struct drawing *drawing, const char *name) {
  struct plot_frame frame = {.name = name, .y = "error in %", .width = PLOT_NARROW};
  plot_frame_key(&frame, "within 10 %");
  plot_frame_key(&frame, "within 15 %");
  for (unsigned i = 0; i < drawing->nmarks; i++) {
    plot_frame_key(&frame, drawing->marks[i].name);
  }
  plot_frame(drawing->script, &frame);
}

static void write_errors(const struct drawing *drawing) {
  FILE *script = drawing->script;
  double low = fmin(-20, 1.1 * drawing->least), high = fmax(20, 1.1 * drawing->most);
  fprintf(script,
          "set yrange [%.1f:%.1f]\nset xzeroaxis lt 1 lc rgb '#555555'\nset format y '%%+.0f'\nset ytics add "
          "('0' 0)\n",
          low, high);
  fputs("set object rectangle from graph 0, first -15 to graph 1, first 15 behind fs solid noborder fc rgb "
        "'#eeeeee'\n"
        "set object rectangle from graph 0, first -10 to graph 1, first 10 behind fs solid noborder fc rgb "
        "'#d8d8d8'\n"
        "plot ",
        script);
  for (unsigned i = 0; i < drawing->nmarks; i++) {
    const struct marks *marks = &drawing->marks[i];
    double aside =
      0.1 * (i - (drawing->nmarks - 1) / 2.0); /* points of different algorithms lie side by side */
    fprintf(script, "$series%u using ($1 ", i);
    fprintf(script, drawing->over_ranks ? "+ %.3f" : "* 2 ** %.3f", aside);
    fprintf(script, "):2:3 with labels hypertext point pt %u ps 0.8 lc rgb '%s' notitle, ",
            marks->look->shape, marks->look->colour);
    fprintf(script, "keyentry with points pt %u ps 0.8 lc rgb '%s' title '%s', ", marks->look->shape,
            marks->look->colour, marks->name);
  }
  fputs("keyentry with boxes fs solid noborder fc rgb '#d8d8d8' title 'within 10 %', "
        "keyentry with boxes fs solid noborder fc rgb '#eeeeee' title 'within 15 %'\n",
        script);
}

void plot_errors(const struct plot_choice *choice, const char *name, struct gnuplot_batch *pictures) {
  char *script;
  size_t nbytes;
  struct drawing drawing = {.choice = choice, .over_ranks = choice->collective == COLL_BARRIER};
  drawing.script = open_memstream(&script, &nbytes);
  write_all_data(&drawing);
  write_frame(&drawing, name);
  write_x_axis(&drawing);
  write_errors(&drawing);
  fclose(drawing.script);
  for (unsigned i = 0; i < drawing.nmarks; i++) {
    free(drawing.marks[i].name);
  }
  free(drawing.marks);
  gnuplot_batch_add(pictures, name, script);
}

void plot_errors_csv(const struct plot_choice *choice, FILE *csv) {
  struct plot_series series = {0};
  fputs("algorithm,ranks,bytes,error_percent\n", csv);
  while (plot_next_series(choice->comparison, &series)) {
    for (size_t i = 0; i < series.npoints; i++) {
      if (chosen(choice, &series.points[i])) {
        fprintf(csv, "%s,%u,%zu,%.2f\n", key_of(&series), series.points[i].ranks, series.points[i].bytes,
                series.points[i].error);
      }
    }
  }
}

/* Write the absolute errors of COMPARISON in ascending order, each with the share of points up to it, in
 * lines that begin with BEFORE. */
static void write_shares(FILE *stream, const struct comparison *comparison, const char *before) {
  double *errors = xcalloc(comparison->npoints + 1, sizeof *errors);
  for (size_t i = 0; i < comparison->npoints; i++) {
    errors[i] = fabs(comparison->points[i].error);
  }
  reals_sort(errors, comparison->npoints);
  for (size_t i = 0; i < comparison->npoints; i++) {
    fprintf(stream, "%s%.3f%s%.3f\n", before, *before ? errors[i] : fmax(errors[i], 0.1), *before ? "," : " ",
            100 * (double)(i + 1) / (double)comparison->npoints);
  }
  free(errors);
}

void plot_shares(const struct comparison *comparison, const char *name, struct gnuplot_batch *pictures) {
  static const char *const lines[MODEL_COUNT] = {
    [MODEL_PUBLISHED] = "dt 1 lw 2.6",       [MODEL_REFINED] = "dt 1 lw 1.6",
    [MODEL_NAIVE_GAP] = "dt (9,5) lw 1.8",   [MODEL_NAIVE_CONTENTION] = "dt (2,3) lw 2.2",
    [MODEL_NAIVE_BURST] = "dt (4,3) lw 1.8", [MODEL_ANALOGY] = "dt (9,3,2,3) lw 1.8",
  };
  char *script;
  size_t nbytes;
  FILE *stream = open_memstream(&script, &nbytes);
  struct plot_frame frame = {.name = name, .y = "points with at most that error", .width = PLOT_WIDE};
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    plot_frame_key(&frame, predict_model_name(model));
  }
  plot_frame(stream, &frame);
  fputs("set logscale x\nset xrange [0.3:300]\nset yrange [0:100]\nset format y '%.0f %%'\n"
        "set xtics ('0.3' 0.3, '1' 1, '' 3, '5' 5, '10' 10, '' 15, '30' 30, '100 %%' 100, '' 300)\n",
        stream);
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    struct comparison part = compare_of_model(comparison, model);
    fprintf(stream, "$model%u << END\n", model);
    write_shares(stream, &part, "");
    fputs("END\n", stream);
  }
  fputs("plot ", stream);
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    if (compare_of_model(comparison, model).npoints) {
      fprintf(stream, "$model%u using 1:2 with steps %s lc rgb '%s' title '%s', ", model, lines[model],
              plot_look(model)->colour, predict_model_name(model));
    }
  }
  fputs("NaN notitle\n", stream);
  fclose(stream);
  gnuplot_batch_add(pictures, name, script);
}

void plot_shares_csv(const struct comparison *comparison, FILE *csv) {
  fputs("model,error_percent,share_percent\n", csv);
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    struct comparison part = compare_of_model(comparison, model);
    char *before = xasprintf("%s,", predict_model_name(model));
    write_shares(csv, &part, before);
    free(before);
  }
}
