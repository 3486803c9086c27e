/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a report about models: latency curves, distributions of errors, algorithms and points that are far off. */
#include "draw/html.h"
#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/usual_ranks.h"
#include "validate/model/compare.h"
#include "validate/report/curves.h"
#include "validate/report/plot.h"
#include "validate/report/plot_curves.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_figures.h"
#include "validate/report/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- latencies --- */

/* Return the words of a command line that runs GROUP, each with a blank before it.
 * owner: the caller frees the text. */
static char *
group_words(const struct plot_group *group, const struct blade *blade)
{
  size_t least = SIZE_MAX, most = 0, nbytes;
  const char *profile = NULL;
  char *words, low[UNITS_TEXT_SIZE], high[UNITS_TEXT_SIZE];
  FILE *stream = open_memstream(&words, &nbytes);
  for (size_t i = 0; i < group->n; i++) {
    const struct curve *curve = &group->curves[i];
    fprintf(stream, " %s", curve->name);
    profile = curve->usual ? profile : curve->profile->name;
    for (size_t j = 0; j < curve->npoints; j++) {
      least = curve->points[j].bytes < least ? curve->points[j].bytes : least;
      most = curve->points[j].bytes > most ? curve->points[j].bytes : most;
    }
  }
  units_format_bytes(least, low);
  units_format_bytes(most, high);
  if (group->ranks) {
    fprintf(stream, " -n %u -s %s..%s", group->ranks, low, high);
  } else {
    uint64_t ranks[USUAL_RANKS_MAX];
    size_t n = usual_ranks(blade_nspes(blade), true, ranks);
    for (size_t i = 0; i < n; i++) {
      fprintf(stream, "%s%u", i ? "," : " -n ", (unsigned)ranks[i]);
    }
  }
  if (profile) {
    fprintf(stream, " --profile %s", profile);
  }
  fclose(stream);
  return words;
}

/* Tell whether a model predicts a point of GROUP. */
static bool
is_predicted(const struct plot_group *group)
{
  for (size_t i = 0; i < group->n; i++) {
    for (size_t j = 0; j < group->curves[i].npoints; j++) {
      const struct prediction *predicted = group->curves[i].points[j].predicted;
      if (!isnan(predicted[MODEL_PUBLISHED].middle) || !isnan(predicted[MODEL_REFINED].middle)) {
        return true;
      }
    }
  }
  return false;
}

/* Write the picture of GROUP and where its figures come from, unless there are no points for it. */
static int
write_latency(const struct report *report, const struct plot_group *group, struct xml_writer *page,
              struct err *err)
{
  const struct curve *first = group->curves;
  const char *collective = collective_name(first->call.algo->collective);
  if (plot_count_points(group) == 0) {
    return 0;
  }
  char *svg = plot_curves(group, err);
  if (!svg) {
    return -1;
  }
  bool one_profile = first->profile == first[group->n - 1].profile;
  char place[64] = "", id[REPORT_FIGURE_SIZE];
  if (group->ranks) {
    snprintf(place, sizeof place, " on %u ranks, over bytes", group->ranks);
  } else {
    snprintf(place, sizeof place, " over ranks");
  }
  char *title = xasprintf("Latency: %s%s%s%s", collective, place, one_profile ? "; software costs " : "",
                          one_profile ? first->profile->name : "");
  char *words = group_words(group, report->blade);
  report_figure_id(report->curves, group, id);
  html_figure_begin(page, id);
  html_picture(page, title, svg);
  html_command(page, "Simulated", "cellcoll run%s --format=csv%s", words, report->options);
  if (is_predicted(group)) {
    html_command(page, "Predicted", "cellcoll compare --format=csv%s | grep ^%s:", report->options,
                 collective);
  }
  html_block_end(page);
  free(words);
  free(title);
  free(svg);
  return 0;
}

/* Write the pictures of GROUP: over ranks, or over bytes on all SPEs of a chip and on all of the machine. */
static int
write_group(const struct report *report, const struct plot_group *group, struct xml_writer *page,
            struct err *err)
{
  const unsigned all = blade_nspes(report->blade);
  struct plot_group own = *group;
  if (group->curves->call.algo->collective == COLL_BARRIER) {
    return write_latency(report, &own, page, err);
  }
  for (own.ranks = blade_spes_per_chip(report->blade); own.ranks != 0;
       own.ranks = own.ranks < all ? all : 0) {
    if (write_latency(report, &own, page, err) != 0) {
      return -1;
    }
  }
  return 0;
}

static int
write_latencies(const struct report *report, struct xml_writer *page, struct err *err)
{
  struct plot_group group = {0};
  int last = -1;
  html_heading(page, "latency", "Latency: simulated, predicted, measured");
  html_paragraph(
    page,
    "Points on thin lines are simulated. Dashed lines of the same colour are what the published model "
    "predicts, "
    "with a light band where it gives a range, and dotted ones what the refined model predicts. Stars are "
    "measured on real machines, as published, in loops of calls that may overlap.");
  while (plot_next_group(report->curves, &group)) {
    int collective = (int)group.curves->call.algo->collective;
    if (collective != last) {
      if (last >= 0) {
        html_block_end(page);
      }
      html_block(page, "h3", NULL, "%s", collective_name(group.curves->call.algo->collective));
      html_block_begin(page, "div", "pictures");
      last = collective;
    }
    if (write_group(report, &group, page, err) != 0) {
      return -1;
    }
  }
  if (last >= 0) {
    html_block_end(page);
  }
  return 0;
}

/* --- errors --- */

/* Write the picture of the errors of CHOICE, points of one model, if there are any. */
static int
write_errors_of(const struct report *report, const struct plot_choice *choice, struct xml_writer *page,
                struct err *err)
{
  if (plot_count(choice) == 0) {
    return 0;
  }
  char *svg = plot_errors(choice, err);
  if (!svg) {
    return -1;
  }
  const char *collective = collective_name(choice->collective),
             *model = predict_model_name(choice->comparison->points->model);
  char *title = xasprintf("%s of %s, %s model, over %s", collective, choice->source, model,
                          choice->collective == COLL_BARRIER ? "ranks" : "bytes");
  html_block_begin(page, "figure", NULL);
  html_picture(page, title, svg);
  html_command(page, report_data_from, "cellcoll compare --format=csv%s | grep '^%s:.*,%s,'", report->options,
               collective, model);
  html_block_end(page);
  free(title);
  free(svg);
  return 0;
}

/* Write the picture of how close the models are. */
static int
write_shares(const struct report *report, struct xml_writer *page, struct err *err)
{
  char *svg = plot_shares(report->all, err);
  if (!svg) {
    return -1;
  }
  html_block_begin(page, "div", "pictures");
  html_block_begin(page, "figure", NULL);
  html_picture(page, "All collectives: which share of the points is how close", svg);
  html_command(page, report_data_from, "cellcoll compare --format=csv%s", report->options);
  html_block_end(page);
  html_block_end(page);
  free(svg);
  return 0;
}

/* Write the errors of all models in COLLECTIVE, if there are any points. */
static int
write_errors_in(const struct report *report, enum collective collective, struct xml_writer *page,
                struct err *err)
{
  static const enum model models[] = {MODEL_PUBLISHED, MODEL_NAIVE_GAP, MODEL_NAIVE_CONTENTION,
                                      MODEL_REFINED};
  const struct platform *platform = blade_platform(report->blade);
  struct plot_choice choice = {.comparison = report->all, .collective = collective};
  int status = 0;
  if (plot_count(&choice) == 0) {
    return 0;
  }
  html_block_begin(page, "div", "pictures small detail");
  for (size_t i = 0; i < platform->nprofiles; i++) {
    choice.source = platform->profiles[i].name;
    for (size_t j = 0; j < sizeof models / sizeof *models && status == 0; j++) {
      struct comparison part = compare_of_model(report->all, models[j]);
      choice.comparison = &part;
      status = write_errors_of(report, &choice, page, err);
    }
  }
  html_block_end(page);
  return status;
}

static int
write_errors(const struct report *report, struct xml_writer *page, struct err *err)
{
  int status = 0;
  html_heading(page, "errors", "Errors of the models");
  html_paragraph(
    page,
    "After figures 10 and 11 of Ali, Midkiff, Pai 2010: errors by algorithm and size, of the published model "
    "and beside it of two naive variants (the gap measured as on networks; no congestion between the "
    "chips), and of the refined model. One point for each number of ranks and each size; points of "
    "different algorithms are drawn side by side. The grey bands are errors of up to 10 %% and 15 %%. Mind "
    "the different scales.");
  if (report->all->npoints == 0) {
    return 0;
  }
  status = write_shares(report, page, err);
  for (enum collective collective = 0; collective < COLL_COUNT && status == 0; collective++) {
    status = write_errors_in(report, collective, page, err);
  }
  return status;
}

/* --- algorithms --- */

/* Format where POINT is. */
static void
format_place(const struct compare_point *point, char *text, size_t size)
{
  char bytes[UNITS_TEXT_SIZE];
  report_format_bytes(point->bytes, bytes);
  if (point->call.algo->collective == COLL_BARRIER) {
    snprintf(text, size, "%u ranks", point->ranks);
  } else {
    snprintf(text, size, "%u ranks, %s", point->ranks, bytes);
  }
}

static void
write_series(const struct plot_series *series, struct xml_writer *page)
{
  struct comparison own = {.points = (struct compare_point *)series->points, .npoints = series->npoints};
  struct compare_summary summary = compare_summarize(&own, MODEL_PUBLISHED, false);
  const struct compare_point *worst = series->points;
  for (size_t i = 1; i < series->npoints; i++) {
    if (fabs(series->points[i].error) > fabs(worst->error)) {
      worst = &series->points[i];
    }
  }
  char place[64];
  format_place(worst, place, sizeof place);
  html_row_begin(page);
  html_cell(page, series->name);
  html_number(page, "%zu", summary.npoints);
  report_share_cell(page, summary.within_10, summary.npoints);
  report_share_cell(page, summary.within_15, summary.npoints);
  report_error_cell(page, worst->error);
  html_cell(page, place);
  html_block_end(page);
}

static void
write_algorithms(const struct report *report, struct xml_writer *page)
{
  struct plot_series series = {0};
  html_heading(page, "algorithms", "Published model by algorithm");
  html_table_begin(page, "algorithm|#points|#within 10 %|#within 15 %|#worst error|at");
  while (plot_next_series(report->comparison, &series)) {
    write_series(&series, page);
  }
  html_table_end(page);
  html_command(page, report_data_from, "cellcoll compare --format=csv%s | grep ,published,", report->options);
}

/* List the points whose prediction is off by more than 15 %. */
static void
write_far_points(const struct report *report, struct xml_writer *page)
{
  const struct comparison *comparison = report->comparison;
  struct plot_series series = {0};
  html_heading(page, "far", "Published model: points beyond 15 %");
  html_paragraph(
    page, "The cause is the part of the equation, or two, that accounts for most of the error: with what the "
          "refined model has in its place the prediction comes closest to the simulation.");
  html_table_begin(page, "algorithm|#ranks|#bytes|#simulated ns|#predicted ns|#error|cause");
  while (plot_next_series(comparison, &series)) {
    for (size_t i = 0; i < series.npoints; i++) {
      const struct compare_point *point = &series.points[i];
      if (fabs(point->error) > 15) {
        html_row_begin(page);
        html_cell(page, series.name);
        html_number(page, "%u", point->ranks);
        report_bytes_cell(page, point->bytes);
        html_number(page, "%.1f", point->simulated);
        html_number(page, "%.1f", point->predicted.middle);
        report_error_cell(page, point->error);
        html_cell(page, point->cause);
        html_block_end(page);
      }
    }
  }
  html_table_end(page);
  html_command(page, report_data_from, "cellcoll compare --format=csv%s | grep ,published,", report->options);
}

int
report_write_models(const struct report *report, struct xml_writer *page, struct err *err)
{
  if (write_latencies(report, page, err) != 0 || write_errors(report, page, err) != 0) {
    return -1;
  }
  write_algorithms(report, page);
  write_far_points(report, page);
  return 0;
}
