/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a report that comes first: how far measurements are from the simulation, and one latency. */
#include "algos/catalogue.h"
#include "draw/gnuplot_batch.h"
#include "draw/html.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"
#include "sim/hw/blade.h"
#include "validate/papers/published.h"
#include "validate/report/plot_curves.h"
#include "validate/report/plot_measured.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_figures.h"
#include "validate/report/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char measured_name[] = "measured", latency_name[] = "latency_first";

/* Count the points of GROUP that were measured. */
static size_t count_measured(const struct plot_group *group) {
  size_t n = 0;
  for (size_t i = 0; i < group->n; i++) {
    for (size_t j = 0; j < group->curves[i].npoints; j++) {
      const struct curve_point *point = &group->curves[i].points[j];
      n += point->ranks == group->ranks && !isnan(point->measured) ? 1 : 0;
    }
  }
  return n;
}

/* Find the picture over sizes that has the most measured points on all SPEs; without measurements the first
 * one.
 * returns: whether there is one. */
static bool find_latency(const struct report *report, struct plot_group *best) {
  struct plot_group group = {0};
  bool found = false;
  while (plot_next_group(report->curves, &group)) {
    struct plot_group own = {group.curves, group.n, blade_nspes(report->blade)};
    bool is_over_bytes = group.curves->call.algo->collective != COLL_BARRIER;
    if (is_over_bytes && plot_count_points(&own) > 0 &&
        (!found || count_measured(&own) > count_measured(best))) {
      *best = own;
      found = true;
    }
  }
  return found;
}

void report_draw_first(const struct report *report, struct gnuplot_batch *pictures) {
  struct plot_group group;
  plot_measured(report->published, report->npublished, measured_name, pictures);
  if (find_latency(report, &group)) {
    plot_curves(&group, latency_name, pictures);
  }
}

/* Tell whether a row of REPORT has an error. */
static bool has_errors(const struct report *report) {
  bool any = false;
  for (size_t i = 0; i < report->npublished; i++) {
    any |= !isnan(report->published[i].error);
  }
  return any;
}

/* Write the picture of measurements. */
static void write_measured(const struct report *report, struct gnuplot_batch *pictures,
                           struct xml_writer *page) {
  char *csv;
  size_t nbytes;
  FILE *stream = open_memstream(&csv, &nbytes);
  plot_measured_csv(report->published, report->npublished, stream);
  fclose(stream);
  html_figure_begin(page, measured_name);
  html_picture(page, "Simulated against measured: the error of each published figure, in order",
               gnuplot_batch_next(pictures));
  html_data(page, measured_name, csv);
  html_command(page, report_data_from, "cellcoll published --format=csv%s", report->options->published);
  html_block_end(page);
  free(csv);
}

/* Write the picture of latencies of GROUP, which is on the page once more. */
static void write_latency(const struct report *report, const struct plot_group *group,
                          struct gnuplot_batch *pictures, struct xml_writer *page) {
  char id[REPORT_FIGURE_SIZE];
  char *title = xasprintf("Latency of %s on %u ranks, over bytes",
                          collective_name(group->curves->call.algo->collective), group->ranks);
  report_figure_id(report->curves, group, id);
  html_figure_begin(page, latency_name);
  html_picture(page, title, gnuplot_batch_next(pictures));
  html_block_begin(page, "p", "command");
  html_link(page, &(struct html_link){id, "Data and command of the figure"});
  html_block_end(page);
  html_block_end(page);
  free(title);
}

void report_write_first(const struct report *report, struct gnuplot_batch *pictures,
                        struct xml_writer *page) {
  struct plot_group group;
  if (has_errors(report)) {
    write_measured(report, pictures, page);
  }
  if (find_latency(report, &group)) {
    write_latency(report, &group, pictures, page);
  }
}
