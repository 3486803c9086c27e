/* SPDX-License-Identifier: BSD-3-Clause
 * See report.h. From the result to what it rests on: summary, findings, latencies, errors, published measurements, use of
 * the machine, its parameters. Each part ends with the command that prints its figures. */
#include "validate/report/report.h"

#include "draw/html.h"
#include "platform/platform.h"
#include "sim/base/outfile.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/model/compare.h"
#include "validate/papers/claims.h"
#include "validate/papers/published.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- the first screen --- */

/* Write a card with the shares of MODEL, called NAME. */
static void
model_card(const struct report *report, enum model model, const char *name, FILE *stream)
{
  struct compare_summary summary = compare_summarize(report->all, model, false);
  double n = (double)summary.npoints;
  if (summary.npoints) {
    html_card_begin(stream, name, "#errors");
    html_card_figure(stream, "%.1f\u00a0%%", 100 * (double)summary.within_10 / n);
    html_paragraph(
      stream,
      "of %zu predictions within 10\u00a0%% of the simulation; %.1f\u00a0%% within 15\u00a0%%, %.1f\u00a0%% "
      "within 5\u00a0%%",
      summary.npoints, 100 * (double)summary.within_15 / n, 100 * (double)summary.within_5 / n);
    html_card_end(stream);
  }
}

static int
compare_errors(const void *a, const void *b)
{
  double x = fabs(((const struct published_row *)a)->error),
         y = fabs(((const struct published_row *)b)->error);
  return (x > y) - (x < y);
}

/* Write a card with the errors against published measurements. */
static void
published_card(const struct report *report, FILE *stream)
{
  size_t n = report->npublished;
  if (n == 0) {
    return;
  }
  struct published_row *rows = xcalloc(n, sizeof *rows);
  memcpy(rows, report->published, n * sizeof *rows);
  qsort(rows, n, sizeof *rows, compare_errors);
  double median = (fabs(rows[(n - 1) / 2].error) + fabs(rows[n / 2].error)) / 2;
  html_card_begin(stream, "Published measurements", "#measurements");
  html_card_figure(stream, "%.1f\u00a0%%", median);
  html_paragraph(
    stream,
    "is the median error of the simulation against %zu measured figures; the largest is %.1f\u00a0%% (%s)", n,
    fabs(rows[n - 1].error), rows[n - 1].id);
  html_card_end(stream);
  free(rows);
}

/* Count the claims of REPORT with VERDICT. */
static size_t
count_claims(const struct report *report, enum claim_verdict verdict)
{
  size_t n = 0;
  for (size_t i = 0; i < report->nclaims; i++) {
    n += report->claims[i].verdict == verdict;
  }
  return n;
}

/* Write a card with how many published findings hold. */
static void
claims_card(const struct report *report, FILE *stream)
{
  if (report->nclaims) {
    html_card_begin(stream, "Published findings", "#claims");
    html_card_figure(stream, "%zu of %zu", count_claims(report, CLAIM_HOLDS), report->nclaims);
    html_paragraph(stream, "hold in the simulation; %zu fail, %zu cannot be decided on this machine",
                   count_claims(report, CLAIM_FAILS), count_claims(report, CLAIM_UNDECIDABLE));
    html_card_end(stream);
  }
}

static void
write_cards(const struct report *report, FILE *stream)
{
  html_cards_begin(stream);
  model_card(report, MODEL_PUBLISHED, "Published model", stream);
  model_card(report, MODEL_REFINED, "Refined model", stream);
  published_card(report, stream);
  claims_card(report, stream);
  html_cards_end(stream);
}

static void
write_contents(const struct report *report, FILE *stream)
{
  static const struct html_link links[] = {
    {"claims", "findings"},           {"latency", "latency"},        {"errors", "errors of the models"},
    {"algorithms", "algorithms"},     {"far", "points far off"},     {"measurements", "measurements"},
    {"usage", "use of the machine"},  {"plogp", "model parameters"}, {"machine", "the machine"},
    {"parameters", "its parameters"},
  };
  html_links_begin(stream);
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    bool left_out = (strcmp(links[i].id, "claims") == 0 && report->nclaims == 0) ||
                    (strcmp(links[i].id, "usage") == 0 && report->nusage == 0);
    if (!left_out) {
      html_link(stream, &links[i]);
    }
  }
  html_links_end(stream);
}

static void
write_head(const struct report *report, FILE *stream)
{
  const struct platform *platform = report->blade->platform;
  char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE];
  html_paragraph(stream, "Platform %s: %s%s%s", platform->name, platform->description,
                 *platform->overrides ? "; changed: " : "", platform->overrides);
  write_cards(report, stream);
  write_contents(report, stream);
  html_paragraph(stream, "Latencies of collective operations, simulated on this machine, against what "
                         "analytic models predict from parameters "
                         "that SPE programs measure on the same simulated machine, and against what was "
                         "measured on real ones. An error of a "
                         "model is 100 (predicted - simulated) / simulated.");
  compare_summary_lines(report->all, lines);
  for (size_t i = 0; i < COMPARE_SUMMARIES; i++) {
    if (*lines[i]) {
      html_summary(stream, lines[i]);
    }
  }
  html_command(stream, "This page", "cellcoll report -o DIR%s", report->options);
}

/* --- published findings --- */

static void
write_claims(const struct report *report, FILE *stream)
{
  html_heading(stream, "claims", "Published findings");
  html_paragraph(
    stream,
    "What the papers conclude, each decided by an inequality over simulated runs. Those that fail come "
    "with the reason.");
  html_table_begin(stream, "#id|verdict|finding");
  for (size_t i = 0; i < report->nclaims; i++) {
    const struct claim_row *claim = &report->claims[i];
    bool noted = claim->verdict != CLAIM_HOLDS && *claim->note;
    char *finding = xasprintf("%s (%s)%s%s", claim->statement, claim->source, noted ? ". Here: " : "",
                              noted ? claim->note : "");
    char *numbers = xasprintf("%s%s%s", claim->inequality, *claim->inequality ? ": " : "", claim->evidence);
    html_row_begin(stream);
    html_number(stream, "%u", claim->id);
    (claim->verdict == CLAIM_FAILS ? html_strong_cell : html_cell)(stream,
                                                                   claims_verdict_name(claim->verdict));
    html_folded_cell(stream, finding, numbers);
    html_row_end(stream);
    free(numbers);
    free(finding);
  }
  html_table_end(stream);
  html_command(stream, report_data_from, "cellcoll claims --format=csv%s", report->options);
}

/* --- all of it --- */

static int
write_page(const struct report *report, FILE *stream, struct err *err)
{
  html_begin(stream, "cellcoll: simulated, predicted and measured latency of collectives on the Cell BE");
  write_head(report, stream);
  if (report->nclaims) {
    write_claims(report, stream);
  }
  if (report_write_models(report, stream, err) != 0) {
    return -1;
  }
  report_write_basis(report, stream);
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
