/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a report with tables about models: algorithms, and points that are far off. */
#include "algos/catalogue.h"
#include "draw/gnuplot_batch.h"
#include "draw/html.h"
#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"
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

/* Write a cell with the name of the call of POINT, which leads to the picture with its curve. */
static void write_call_cell(const struct report *report, const struct compare_point *point,
                            struct xml_writer *page) {
  char name[CATALOGUE_NAME_SIZE], figure[REPORT_FIGURE_SIZE];
  catalogue_format(&point->call, name, sizeof name);
  if (report_figure_of(report, &point->call, point->ranks, figure)) {
    html_link_cell(page, &(struct html_link){figure, name});
  } else {
    html_cell(page, name);
  }
}

/* Format where POINT is. */
static void format_place(const struct compare_point *point, char *text, size_t size) {
  char bytes[UNITS_TEXT_SIZE];
  report_format_bytes(point->bytes, bytes);
  if (point->call.algo->collective == COLL_BARRIER) {
    snprintf(text, size, "%u ranks", point->ranks);
  } else {
    snprintf(text, size, "%u ranks, %s", point->ranks, bytes);
  }
}

static void write_series(const struct report *report, const struct plot_series *series,
                         struct xml_writer *page) {
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
  char row[REPORT_ROW_SIZE];
  report_row_of(report, &series->points->call, row);
  xml_write_begin(page, "tr");
  xml_write_attribute(page, "id", "%s", row);
  write_call_cell(report, series->points, page);
  html_number(page, "%zu", summary.npoints);
  report_share_cell(page, summary.within_10, summary.npoints);
  report_share_cell(page, summary.within_15, summary.npoints);
  report_error_cell(page, worst->error);
  html_cell(page, place);
  html_block_end(page);
}

void report_write_algorithms(const struct report *report, struct xml_writer *page) {
  struct plot_series series = {0};
  html_heading(page, "algorithms", "Published model by algorithm");
  html_table_begin(page, "algorithm|#points|#within 10 %|#within 15 %|#worst error|at");
  while (plot_next_series(report->comparison, &series)) {
    write_series(report, &series, page);
  }
  html_table_end(page);
  html_command(page, report_data_from, "cellcoll compare --format=csv%s | grep ,published,",
               report->options->grid);
}

void report_write_far_points(const struct report *report, struct xml_writer *page) {
  const struct comparison *comparison = report->comparison;
  struct plot_series series = {0};
  html_heading(page, "far", "Published model: points beyond 15 %");
  html_paragraph(
    page, "The cause is the part of the equation, or two, that accounts for most of the error: with what the "
          "refined model has in its place the prediction comes closest to the simulation.");
  html_table_begin(page, "algorithm|#ranks|#bytes|#simulated|#predicted|#error|cause");
  while (plot_next_series(comparison, &series)) {
    for (size_t i = 0; i < series.npoints; i++) {
      const struct compare_point *point = &series.points[i];
      if (fabs(point->error) > 15) {
        html_row_begin(page);
        write_call_cell(report, point, page);
        html_number(page, "%u", point->ranks);
        report_bytes_cell(page, point->bytes);
        report_time_cell(page, point->simulated);
        report_time_cell(page, point->predicted.middle);
        report_error_cell(page, point->error);
        html_cell(page, point->cause);
        html_block_end(page);
      }
    }
  }
  html_table_end(page);
  html_command(page, report_data_from, "cellcoll compare --format=csv%s | grep ,published,",
               report->options->grid);
}
