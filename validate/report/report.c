/* SPDX-License-Identifier: BSD-3-Clause
 * See report.h. From the result to what it rests on: summary, published measurements, findings, latencies,
 * errors, use of the machine, its parameters. Each part ends with the command that prints its figures. */
#include "validate/report/report.h"

#include "draw/gnuplot_batch.h"
#include "draw/html.h"
#include "platform/platform.h"
#include "sim/base/outfile.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"
#include "sim/hw/blade.h"
#include "validate/model/compare.h"
#include "validate/model/tune.h"
#include "validate/papers/claims.h"
#include "validate/papers/published_summary.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_files.h"
#include "validate/report/report_parts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- the first screen --- */

/* Begin a card called TITLE that leads to section ID. */
static void begin_card(struct xml_writer *page, const char *title, const char *id) {
  html_block_begin(page, "div", "card");
  html_link(page, &(struct html_link){id, title});
}

/* Write a card with the shares of MODEL, called NAME. */
static void model_card(const struct report *report, enum model model, const char *name,
                       struct xml_writer *page) {
  struct compare_summary summary = compare_summarize(report->all, model, false);
  double n = (double)summary.npoints;
  if (summary.npoints) {
    begin_card(page, name, "errors");
    html_block(page, "strong", NULL, "%.1f\u00a0%%", 100 * (double)summary.within_10 / n);
    html_paragraph(
      page,
      "of %zu predictions within 10\u00a0%% of the simulation; %.1f\u00a0%% within 15\u00a0%%, %.1f\u00a0%% "
      "within 5\u00a0%%",
      summary.npoints, 100 * (double)summary.within_15 / n, 100 * (double)summary.within_5 / n);
    html_block_end(page);
  }
}

/* Return the ending of what there are N of. */
static const char *plural(size_t n) {
  return n == 1 ? "" : "s";
}

/* Write a card with the errors against published measurements: of those by which nothing was chosen, then of
 * the fits. */
static void published_card(const struct report *report, struct xml_writer *page) {
  struct published_summary test = published_summarize(report->published, report->npublished, PUBLISHED_TEST);
  struct published_summary fit = published_summarize(report->published, report->npublished, PUBLISHED_FIT);
  if (test.n == 0 && !report->unmeasured) {
    return;
  }
  begin_card(page, "Published measurements", "measurements");
  if (report->unmeasured) {
    report_sentence(page, report->unmeasured);
    html_block_end(page);
    return;
  }
  html_block(page, "strong", NULL, "%.1f\u00a0%%", test.median);
  html_paragraph(page,
                 "is the median error of the simulation against %zu measured figure%s by which nothing was "
                 "chosen; the largest is %.1f\u00a0%% (%s)",
                 test.n, plural(test.n), test.largest, test.worst ? test.worst->id : "none");
  if (fit.n > 0) {
    html_paragraph(page, "%.1f\u00a0%% is that of %zu figure%s to which values were fitted", fit.median,
                   fit.n, plural(fit.n));
  }
  html_block_end(page);
}

/* Write a card with how many published findings hold. */
static void claims_card(const struct report *report, struct xml_writer *page) {
  char headline[CLAIMS_HEADLINE_SIZE];
  begin_card(page, "Published findings", "claims");
  if (report->unfound) {
    report_sentence(page, report->unfound);
  } else {
    claims_headline(report->claims, report->nclaims, 0, headline);
    html_paragraph(page, "%s", headline);
  }
  html_block_end(page);
}

static void write_cards(const struct report *report, struct xml_writer *page) {
  html_block_begin(page, "div", "cards");
  published_card(report, page);
  if (report->nclaims || (report->unfound && !report->unmeasured)) {
    claims_card(report, page);
  }
  model_card(report, MODEL_REFINED, "Refined model", page);
  model_card(report, MODEL_PUBLISHED, "Published model", page);
  html_block_end(page);
}

/* Write the sections of REPORT under the questions that they answer. */
static void write_contents(const struct report *report, struct xml_writer *page) {
  static const struct {
    const char *question; /* NULL: the one before it */
    struct html_link link;
  } links[] = {
    {"How good is it?", {"measurements", "measurements"}},
    {NULL, {"claims", "findings"}},
    {NULL, {"errors", "errors of the models"}},
    {NULL, {"algorithms", "by algorithm"}},
    {"Which algorithm?", {"winners", "the fastest"}},
    {NULL, {"latency", "latency"}},
    {"Why?", {"timelines", "timelines"}},
    {NULL, {"usage", "use of the machine"}},
    {"What if?", {"what-if", "a better machine"}},
    {"What to distrust?", {"distrust", "what is missed"}},
    {NULL, {"far", "points far off"}},
    {"What it rests on", {"plogp", "model parameters"}},
    {NULL, {"machine", "the machine"}},
    {NULL, {"parameters", "its parameters"}},
  };
  xml_write_begin(page, "nav");
  xml_write_attribute(page, "aria-label", "Contents");
  xml_write_line(page);
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    const char *id = links[i].link.id;
    bool left_out = (strcmp(id, "claims") == 0 && report->nclaims == 0 && !report->unfound) ||
                    (strcmp(id, "errors") == 0 && report->all->npoints == 0) ||
                    (strcmp(id, "algorithms") == 0 && report->comparison->npoints == 0) ||
                    (strcmp(id, "far") == 0 && report->comparison->npoints == 0) ||
                    (strcmp(id, "winners") == 0 && report->tuning->n == 0) ||
                    (strcmp(id, "what-if") == 0 && report->nwhat_if == 0) ||
                    (strcmp(id, "usage") == 0 && report->nusage == 0) ||
                    (strcmp(id, "plogp") == 0 && !platform_has_spes(blade_platform(report->blade))) ||
                    (strcmp(id, "timelines") == 0 && report->ntimelines == 0);
    if (links[i].question) {
      if (i > 0) {
        html_block_end(page);
      }
      html_block_begin(page, "div", "question");
      html_block(page, "strong", NULL, "%s", links[i].question);
    }
    if (!left_out) {
      html_link(page, &links[i].link);
    }
  }
  html_block_end(page);
  html_block_end(page);
}

static void write_head(const struct report *report, struct gnuplot_batch *pictures, struct xml_writer *page) {
  const struct platform *platform = blade_platform(report->blade);
  char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE];
  html_paragraph(page, "Platform %s: %s%s%s", platform->name, platform->description,
                 *platform->overrides ? "; changed: " : "", platform->overrides);
  write_cards(report, page);
  html_block_begin(page, "div", "pictures first");
  report_write_first(report, pictures, page);
  html_block_begin(page, "div", NULL);
  write_contents(report, page);
  report_write_machine(report, page);
  html_block_end(page);
  html_block_end(page);
  html_paragraph(page,
                 "Latencies of collective operations, simulated on this machine, against what "
                 "analytic models predict from parameters "
                 "that SPE programs measure on the same simulated machine%s. An error of a "
                 "model is 100 (predicted - simulated) / simulated.",
                 report->npublished ? ", and against what was measured on real ones" : "");
  compare_summary_lines(report->all, lines);
  for (size_t i = 0; i < COMPARE_SUMMARIES; i++) {
    if (*lines[i]) {
      html_block(page, "p", "summary", "%s", lines[i]);
    }
  }
  if (report->stopped) {
    html_paragraph(page, "Some calls did not do their work and are missing in the comparison: %s.",
                   report->stopped);
  }
  html_block(page, "p", "printed",
             "On paper commands, what tables fold away, the pictures of the errors of models by "
             "algorithm and those of calls are left out.");
  html_command(page, "This page", "cellcoll report -o DIR%s", report->options->grid);
}

/* --- published findings --- */

static void write_claims(const struct report *report, struct xml_writer *page) {
  char headline[CLAIMS_HEADLINE_SIZE];
  html_heading(page, "claims", "Published findings");
  if (report->unfound) {
    report_sentence(page, report->unfound);
    return;
  }
  html_paragraph(
    page, "What the papers conclude, each decided by an inequality over simulated runs. Those that fail come "
          "with the reason.");
  html_table_begin(page, "#id|verdict|finding");
  for (size_t i = 0; i < report->nclaims; i++) {
    const struct claim_row *claim = &report->claims[i];
    bool noted = (claim->verdict == CLAIM_FAILS || claim->verdict == CLAIM_UNDECIDED) && *claim->note;
    char *note = noted ? xasprintf(". On %s: %s", claim->note_on, claim->note) : xstrdup("");
    char *finding = xasprintf("%s (%s)%s", claim->statement, claim->source, note);
    char *numbers = xasprintf("%s%s%s", claim->inequality, *claim->inequality ? ": " : "", claim->evidence);
    xml_write_begin(page, "tr");
    xml_write_attribute(page, "id", "finding-%u", claim->id);
    html_number(page, "%u", claim->id);
    (claim->verdict == CLAIM_FAILS ? html_strong_cell : html_cell)(page, claims_verdict_name(claim->verdict));
    html_folded_cell(page, finding, numbers);
    html_block_end(page);
    free(numbers);
    free(finding);
    free(note);
  }
  html_table_end(page);
  claims_headline(report->claims, report->nclaims, 0, headline);
  html_paragraph(page, "%s", headline);
  html_command(page, report_data_from, "cellcoll claims --format=csv%s", report->options->claims);
}

/* --- all of it --- */

/* What a page is written with: pictures that are drawn, and files beside it. */
struct parts {
  struct gnuplot_batch pictures;
  struct report_files files;
};

static int write_page(const struct report *report, struct parts *parts, struct xml_writer *page,
                      struct err *err) {
  html_begin(page, report->unmeasured ? "cellcoll: simulated and predicted latency of collectives"
                                      : "cellcoll: simulated, predicted and measured latency of collectives");
  write_head(report, &parts->pictures, page);
  report_write_measurements(report, page);
  if (report->nclaims || report->unfound) {
    write_claims(report, page);
  }
  if (report->tuning->n) {
    report_write_winners(report, page);
  }
  report_write_latencies(report, &parts->pictures, page);
  if (report->all->npoints) {
    report_write_errors(report, &parts->pictures, page);
  }
  if (report->comparison->npoints) {
    report_write_algorithms(report, page);
  }
  if (report->ntimelines && report_write_timelines(report, &parts->files, page, err) != 0) {
    return -1;
  }
  report_write_usage(report, page);
  if (report->nwhat_if) {
    report_write_what_if(report, page);
  }
  report_write_distrust(report, page);
  if (report->comparison->npoints) {
    report_write_far_points(report, page);
  }
  report_write_basis(report, page);
  html_end(page);
  return 0;
}

/* Draw all pictures of the page of REPORT that gnuplot draws. */
static int draw_pictures(const struct report *report, struct gnuplot_batch *pictures, struct err *err) {
  report_draw_first(report, pictures);
  report_draw_latencies(report, pictures);
  report_draw_errors(report, pictures);
  return gnuplot_batch_draw(pictures, err);
}

/* Write REPORT with PARTS, which are complete, to FILE, which is ended. */
static int write_files(const struct report *report, struct parts *parts, struct outfile *file,
                       struct err *err) {
  struct xml_writer *page = xml_write_new(file->stream);
  int status = write_page(report, parts, page, err);
  xml_write_free(page);
  if (status != 0) {
    report_files_abandon(&parts->files);
  } else {
    status = report_files_close(&parts->files, err);
  }
  if (status != 0) {
    outfile_abandon(file);
    return -1;
  }
  return outfile_close(file, err);
}

int report_write(const struct report *report, const char *path, struct err *err) {
  struct outfile file;
  struct parts parts = {.files = {.page = path}};
  int status = outfile_open(&file, path, err);
  if (status == 0) {
    status = draw_pictures(report, &parts.pictures, err);
    if (status == 0) {
      status = write_files(report, &parts, &file, err);
    } else {
      outfile_abandon(&file);
    }
  }
  gnuplot_batch_fini(&parts.pictures);
  return status;
}
