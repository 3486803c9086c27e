/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a report with pictures of the errors of models. */
#include "algos/catalogue.h"
#include "draw/gnuplot_batch.h"
#include "draw/html.h"
#include "draw/plot_frame.h"
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

static const char shares_name[] = "shares";

/* The models in the order in which their errors are shown. */
static const enum model models[] = {MODEL_PUBLISHED, MODEL_NAIVE_GAP, MODEL_NAIVE_CONTENTION, MODEL_REFINED};

/* Write a picture NAME of PICTURES, the next one, called TITLE with the data CSV. */
static void write_picture(const char *name, const char *title, const char *csv,
                          struct gnuplot_batch *pictures, struct xml_writer *page) {
  html_figure_begin(page, name);
  html_picture(page, title, gnuplot_batch_next(pictures));
  html_data(page, name, csv);
}

/* Write the picture of the errors of CHOICE, points of one model, if there are any; PAGE NULL: ask PICTURES
 * for it. */
static void write_errors_of(const struct report *report, const struct plot_choice *choice,
                            struct gnuplot_batch *pictures, struct xml_writer *page) {
  if (plot_count(choice) == 0) {
    return;
  }
  const char *collective = collective_name(choice->collective),
             *model = predict_model_name(choice->comparison->points->model);
  char *name = xasprintf("error-%s-%s-%s", collective, choice->source, model), *csv;
  size_t nbytes;
  plot_plain_name(name);
  if (page) {
    char *title = xasprintf("%s of %s, %s model, over %s", collective, choice->source, model,
                            choice->collective == COLL_BARRIER ? "ranks" : "bytes");
    FILE *stream = open_memstream(&csv, &nbytes);
    plot_errors_csv(choice, stream);
    fclose(stream);
    write_picture(name, title, csv, pictures, page);
    html_command(page, report_data_from, "cellcoll compare --format=csv%s | grep '^%s:.*,%s,'",
                 report->options->grid, collective, model);
    html_block_end(page);
    free(csv);
    free(title);
  } else {
    plot_errors(choice, name, pictures);
  }
  free(name);
}

/* Write the picture of how close the models are. */
static void write_shares(const struct report *report, struct gnuplot_batch *pictures,
                         struct xml_writer *page) {
  char *csv;
  size_t nbytes;
  FILE *stream = open_memstream(&csv, &nbytes);
  plot_shares_csv(report->all, stream);
  fclose(stream);
  html_block_begin(page, "div", "pictures");
  write_picture(shares_name, "All collectives: which share of the points is how close", csv, pictures, page);
  html_command(page, report_data_from, "cellcoll compare --format=csv%s", report->options->grid);
  html_block_end(page);
  html_block_end(page);
  free(csv);
}

/* Write the errors of all models in COLLECTIVE, if there are any points; PAGE NULL: ask PICTURES for them. */
static void write_errors_in(const struct report *report, enum collective collective,
                            struct gnuplot_batch *pictures, struct xml_writer *page) {
  const struct platform *platform = blade_platform(report->blade);
  struct plot_choice choice = {.comparison = report->all, .collective = collective};
  if (plot_count(&choice) == 0) {
    return;
  }
  if (page) {
    html_block_begin(page, "div", "pictures small detail");
  }
  for (size_t i = 0; i < platform->nprofiles; i++) {
    choice.source = platform->profiles[i].name;
    for (size_t j = 0; j < sizeof models / sizeof *models; j++) {
      struct comparison part = compare_of_model(report->all, models[j]);
      choice.comparison = &part;
      write_errors_of(report, &choice, pictures, page);
    }
  }
  if (page) {
    html_block_end(page);
  }
}

void report_draw_errors(const struct report *report, struct gnuplot_batch *pictures) {
  if (report->all->npoints > 0) {
    plot_shares(report->all, shares_name, pictures);
    for (enum collective collective = 0; collective < COLL_COUNT; collective++) {
      write_errors_in(report, collective, pictures, NULL);
    }
  }
}

void report_write_errors(const struct report *report, struct gnuplot_batch *pictures,
                         struct xml_writer *page) {
  html_heading(page, "errors", "Errors of the models");
  html_paragraph(
    page,
    "After figures 10 and 11 of Ali, Midkiff, Pai 2010: errors by algorithm and size, of the published model "
    "and beside it of two naive variants (the gap measured as on networks; no congestion between the "
    "chips), and of the refined model. One point for each number of ranks and each size; points of "
    "different algorithms are drawn side by side. The grey bands are errors of up to 10 %% and 15 %%. Mind "
    "the different scales.");
  write_shares(report, pictures, page);
  for (enum collective collective = 0; collective < COLL_COUNT; collective++) {
    write_errors_in(report, collective, pictures, page);
  }
}
