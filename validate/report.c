/* SPDX-License-Identifier: BSD-3-Clause
 * See report.h. From the result to what it rests on: summary, algorithms, latencies, errors, published measurements,
 * parameters of the model, parameters of the machine. Each part ends with the command that prints its figures. */
#include "validate/report.h"

#include "platform/draw_svg.h"
#include "platform/platform.h"
#include "sim/base/outfile.h"
#include "sim/base/units.h"
#include "sim/hw/blade.h"
#include "sim/spu/spu_mfcio.h"
#include "validate/compare.h"
#include "validate/html.h"
#include "validate/plogp.h"
#include "validate/plot.h"
#include "validate/published.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)COMPARE_SUMMARY_SIZE >= (int)COMPARE_SUMMARY_SIZE, "a summary fits into its line");

static const char data_from[] = "The figures";

/* --- cells --- */

/* Format NBYTES with a blank, at which no line breaks, before its unit. */
static void
format_bytes(size_t nbytes, char text[UNITS_TEXT_SIZE])
{
  char whole[UNITS_TEXT_SIZE];
  units_format_bytes(nbytes, whole);
  size_t digits = strspn(whole, "0123456789");
  snprintf(text, UNITS_TEXT_SIZE, "%.*s\u00a0%s", (int)digits, whole, whole[digits] ? whole + digits : "B");
}

/* Write a cell with VALUE, with DIGITS after the point. */
static void
value_cell(FILE *stream, double value, int digits)
{
  if (isnan(value)) {
    html_number(stream, "\u2013");
  } else {
    html_number(stream, "%.*f", digits, value);
  }
}

/* Write a cell with PERCENT, an error. */
static void
error_cell(FILE *stream, double percent)
{
  html_number(stream, "%+.1f %%", fabs(percent) < 0.05 ? 0.0 : percent); /* no -0.0 */
}

/* Write a cell with a number of points out of N, and its share. */
static void
share_cell(FILE *stream, size_t points, size_t n)
{
  html_number(stream, "%zu (%.0f %%)", points, 100 * (double)points / (double)n);
}

/* Format where POINT is. */
static void
format_place(const struct compare_point *point, char *text, size_t size)
{
  char bytes[UNITS_TEXT_SIZE];
  format_bytes(point->bytes, bytes);
  if (point->call.algo->collective == COLL_BARRIER) {
    snprintf(text, size, "%u ranks", point->ranks);
  } else {
    snprintf(text, size, "%u ranks, %s", point->ranks, bytes);
  }
}

/* --- the comparison --- */

static void
write_head(const struct report *report, FILE *stream)
{
  const struct platform *platform = report->blade->platform;
  char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE];
  html_paragraph(stream, "Platform %s: %s%s%s", platform->name, platform->description,
                 *platform->overrides ? "; changed: " : "", platform->overrides);
  compare_summary_lines(report->all, lines);
  for (size_t i = 0; i < COMPARE_SUMMARIES; i++) {
    if (*lines[i]) {
      html_summary(stream, lines[i]);
    }
  }
  html_paragraph(
    stream,
    "This page compares the latency of collective operations, simulated on this machine, "
    "with the latency that the published PLogP equations predict from parameters measured on the same "
    "simulated machine. An error is 100 (predicted - simulated) / simulated.");
  html_command(stream, "This page", "cellcoll report -o DIR%s", report->options);
}

static void
write_series(const struct plot_series *series, FILE *stream)
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
  html_row_begin(stream);
  html_cell(stream, series->name);
  html_number(stream, "%zu", summary.npoints);
  share_cell(stream, summary.within_10, summary.npoints);
  share_cell(stream, summary.within_15, summary.npoints);
  error_cell(stream, worst->error);
  html_cell(stream, place);
  html_row_end(stream);
}

static void
write_algorithms(const struct report *report, FILE *stream)
{
  struct plot_series series = {0};
  html_heading(stream, "Algorithms");
  html_table_begin(stream, "algorithm|#points|#within 10 %|#within 15 %|#worst error|at");
  while (plot_next_series(report->comparison, &series)) {
    write_series(&series, stream);
  }
  html_table_end(stream);
  html_command(stream, data_from, "cellcoll compare --format=csv%s", report->options);
}

/* A picture of the page. */
struct picture {
  const char *what; /* it shows */
  char *(*draw)(const struct plot_choice *choice, struct err *err);
  struct plot_choice choice;
};

/* Write PICTURE and where its figures come from, unless there are no points for it. */
static int
write_picture(const struct report *report, const struct picture *picture, FILE *stream, struct err *err)
{
  const char *collective = coll_name(picture->choice.collective);
  char title[96], place[32] = "";
  if (plot_count(&picture->choice) == 0) {
    return 0;
  }
  char *svg = picture->draw(&picture->choice, err);
  if (!svg) {
    return -1;
  }
  if (picture->choice.ranks) {
    snprintf(place, sizeof place, " on %u ranks", picture->choice.ranks);
  }
  snprintf(title, sizeof title, "%s: %s%s", picture->what, collective, place);
  fputs("<figure>", stream);
  html_picture(stream, title, svg);
  html_command(stream, data_from, "cellcoll compare --format=csv%s | grep ^%s:", report->options, collective);
  fputs("</figure>\n", stream);
  free(svg);
  return 0;
}

static int
write_latencies(const struct report *report, FILE *stream, struct err *err)
{
  static const unsigned data_ranks[] = {8, 16}, any_ranks[] = {0};
  int status = 0;
  html_heading(stream, "Latency, simulated and predicted");
  html_paragraph(
    stream, "Solid lines with points are simulated, dashed lines of the same colour predicted. Where the "
            "prediction is a range, a light band shows it; the dashed line is its middle.");
  fputs("<div class=\"pictures\">\n", stream);
  for (enum collective collective = 0; collective < COLL_COUNT; collective++) {
    bool barrier = collective == COLL_BARRIER;
    const unsigned *ranks = barrier ? any_ranks : data_ranks;
    for (size_t i = 0; i < (barrier ? 1 : sizeof data_ranks / sizeof *data_ranks) && status == 0; i++) {
      struct picture picture = {
        .what = "Latency", .draw = plot_latency, .choice = {report->comparison, collective, ranks[i]}};
      status = write_picture(report, &picture, stream, err);
    }
  }
  fputs("</div>\n", stream);
  return status;
}

static int
write_errors(const struct report *report, FILE *stream, struct err *err)
{
  int status = 0;
  html_heading(stream, "Error of the prediction");
  html_paragraph(stream,
                 "One point for each number of ranks and each size; points of different algorithms are drawn "
                 "side by side. The grey bands are errors of up to 10 %% and 15 %%.");
  fputs("<div class=\"pictures\">\n", stream);
  for (enum collective collective = 0; collective < COLL_COUNT && status == 0; collective++) {
    struct picture picture = {
      .what = "Error", .draw = plot_errors, .choice = {report->comparison, collective, 0}};
    status = write_picture(report, &picture, stream, err);
  }
  fputs("</div>\n", stream);
  return status;
}

/* List the points whose prediction is off by more than 15 %. */
static void
write_far_points(const struct report *report, FILE *stream)
{
  const struct comparison *comparison = report->comparison;
  struct plot_series series = {0};
  html_heading(stream, "Points beyond 15 %");
  html_table_begin(stream, "algorithm|#ranks|#bytes|#simulated ns|#predicted ns|#error");
  while (plot_next_series(comparison, &series)) {
    for (size_t i = 0; i < series.npoints; i++) {
      const struct compare_point *point = &series.points[i];
      if (fabs(point->error) > 15) {
        html_row_begin(stream);
        html_cell(stream, series.name);
        html_number(stream, "%u", point->ranks);
        html_number(stream, "%zu", point->bytes);
        html_number(stream, "%.1f", point->simulated);
        html_number(stream, "%.1f", point->predicted.middle);
        error_cell(stream, point->error);
        html_row_end(stream);
      }
    }
  }
  html_table_end(stream);
  html_command(stream, data_from, "cellcoll compare --format=csv%s", report->options);
}

/* --- what it rests on --- */

static void
write_published(const struct report *report, FILE *stream)
{
  html_heading(stream, "Published measurements");
  html_paragraph(stream,
                 "Measured on real machines, and simulated on this platform in the way in which the source "
                 "measured. An error is 100 (simulated - published) / published.");
  html_table_begin(stream, "id|quantity|#published|#simulated|unit|#error|source");
  for (size_t i = 0; i < report->npublished; i++) {
    const struct published_row *row = &report->published[i];
    int digits = row->published < 10 ? 2 : 1;
    html_row_begin(stream);
    html_cell(stream, row->id);
    html_cell(stream, row->quantity);
    value_cell(stream, row->published, digits);
    value_cell(stream, row->simulated, digits);
    html_cell(stream, row->unit);
    error_cell(stream, row->error);
    html_cell(stream, row->source);
    html_row_end(stream);
  }
  html_table_end(stream);
  if (report->unpublished) {
    html_paragraph(stream, "%zu of %zu rows are missing, because this platform cannot serve them: %s",
                   published_count() - report->npublished, published_count(), report->unpublished);
  }
  html_command(stream, data_from, "cellcoll published --format=csv%s", report->options);
}

/* Write one cell of the PLogP table: PARAMETER for M bytes. */
static void
plogp_cell(const struct report *report, enum cost_parameter parameter, size_t m, FILE *stream)
{
  unsigned n = parameter == COST_C ? 2 * report->blade->spes_per_chip : 0;
  value_cell(stream, plogp_get(report->plogp, parameter, m, n) / report->blade->figures.ghz, 1);
}

static void
write_plogp(const struct report *report, FILE *stream)
{
  static const enum cost_parameter of_notifications[] = {COST_L,     COST_L1,     COST_L2,
                                                         COST_G_ACK, COST_G1_ACK, COST_G2_ACK};
  static const enum cost_parameter of_data[] = {COST_L,  COST_L1, COST_L2, COST_G,
                                                COST_G1, COST_G2, COST_C,  COST_GAMMA};
  html_heading(stream, "Parameters of the PLogP model");
  html_paragraph(
    stream,
    "Measured by programs on the simulated machine, in ns. L is the latency on one chip, L1 the same on a "
    "blade, L2 across the chips; g, g1, g2 are the gaps and C is the congestion between the chips with %u "
    "messages at once; gamma m is the time to combine m bytes. The first row is a notification of %d bytes; "
    "its gaps are gAck, g1Ack, g2Ack.",
    2 * report->blade->spes_per_chip, MFC_MIN_DMA_SIZE);
  html_table_begin(stream, "#bytes|#L|#L1|#L2|#g|#g1|#g2|#C|#gamma m");
  html_row_begin(stream);
  html_number(stream, "notification, %d B", MFC_MIN_DMA_SIZE);
  for (size_t i = 0; i < sizeof of_notifications / sizeof *of_notifications; i++) {
    plogp_cell(report, of_notifications[i], COST_ACK, stream);
  }
  value_cell(stream, NAN, 0);
  value_cell(stream, NAN, 0);
  html_row_end(stream);
  for (size_t m = 64; m <= 32768; m *= 2) {
    char bytes[UNITS_TEXT_SIZE];
    format_bytes(m, bytes);
    html_row_begin(stream);
    html_number(stream, "%s", bytes);
    for (size_t i = 0; i < sizeof of_data / sizeof *of_data; i++) {
      plogp_cell(report, of_data[i], m, stream);
    }
    html_row_end(stream);
  }
  html_table_end(stream);
  html_command(stream, data_from, "cellcoll bench plogp --format=csv%s", report->options);
}

static void
write_platform(const struct report *report, FILE *stream)
{
  const struct platform *platform = report->blade->platform;
  size_t n = platform_nentries(platform);
  html_heading(stream, "Parameters of the machine");
  fputs("<details><summary>", stream);
  fprintf(stream, "All %zu values with their sources</summary>\n", n);
  html_table_begin(stream, "key|#value|unit|meaning|source");
  for (size_t i = 0; i < n; i++) {
    struct platform_entry entry;
    platform_entry(platform, i, &entry);
    html_row_begin(stream);
    html_cell(stream, entry.key);
    html_cell(stream, entry.value);
    html_cell(stream, entry.unit);
    html_cell(stream, entry.doc);
    html_cell(stream, entry.source);
    html_row_end(stream);
  }
  html_table_end(stream);
  fputs("</details>\n", stream);
  html_command(stream, data_from, "cellcoll platform sources --format=csv%s", report->machine);
  html_paragraph(stream, "Made by %s. Checksum of all values of the platform: %016llx.", report->program,
                 (unsigned long long)platform->checksum);
}

/* Write the drawing of the machine; in a page it goes without the XML declaration. */
static void
write_drawing(const struct report *report, FILE *stream)
{
  char *svg = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&svg, &size);
  if (!memory) {
    return; /* no memory for it: the page is complete without */
  }
  draw_svg_write(report->blade->platform, memory);
  fclose(memory);
  html_heading(stream, "The machine");
  fputs("<figure>\n", stream);
  html_picture(stream, "Chips, units in ring order, rings and links", strstr(svg, "<svg"));
  fputs("</figure>\n", stream);
  html_command(stream, "The drawing", "cellcoll platform draw%s", report->machine);
  free(svg);
}

static int
write_page(const struct report *report, FILE *stream, struct err *err)
{
  html_begin(stream, "cellcoll: simulated and predicted latency of collectives on the Cell BE");
  write_head(report, stream);
  write_algorithms(report, stream);
  if (write_latencies(report, stream, err) != 0 || write_errors(report, stream, err) != 0) {
    return -1;
  }
  write_far_points(report, stream);
  write_published(report, stream);
  write_plogp(report, stream);
  write_drawing(report, stream);
  write_platform(report, stream);
  html_end(stream);
  return 0;
}

int
report_write(const struct report *report, const char *path, struct err *err)
{
  struct outfile file;
  if (outfile_open(&file, path, err) != 0) {
    return -1;
  }
  if (write_page(report, file.stream, err) != 0) {
    outfile_abandon(&file);
    return -1;
  }
  return outfile_close(&file, err);
}
