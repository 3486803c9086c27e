/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a report that says what not to believe: measurements that the simulation misses, findings that
 * it does not reproduce, values of the machine that were fitted or that nobody knows. */
#include "draw/html.h"
#include "platform/platform.h"
#include "sim/base/xml_write.h"
#include "sim/hw/blade.h"
#include "validate/model/compare.h"
#include "validate/papers/claims.h"
#include "validate/papers/published.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FAR = 10 /* percent */ };

/* Write a row: KIND of distrust, the subject to which LINK leads, and how far it is off or what was found. */
static void begin_row(struct xml_writer *page, const char *kind, const struct html_link *link) {
  html_row_begin(page);
  html_cell(page, kind);
  html_link_cell(page, link);
}

/* Write the published rows that are off by more than FAR percent. */
static void write_measurements(const struct report *report, struct xml_writer *page) {
  for (size_t i = 0; i < report->npublished; i++) {
    const struct published_row *row = &report->published[i];
    char id[64], found[128];
    if (fabs(row->error) > FAR) {
      snprintf(id, sizeof id, "measured-%s", row->id);
      snprintf(found, sizeof found, "%+.1f\u00a0%% (role %s)", row->error, published_role_name(row->role));
      begin_row(page, "measurement that is missed", &(struct html_link){id, row->id});
      html_cell(page, found);
      html_cell(page, row->quantity);
      html_block_end(page);
    }
  }
}

/* Write the findings that do not hold. */
static void write_findings(const struct report *report, struct xml_writer *page) {
  for (size_t i = 0; i < report->nclaims; i++) {
    const struct claim_row *claim = &report->claims[i];
    char id[32];
    if (claim->verdict == CLAIM_FAILS || claim->verdict == CLAIM_UNDECIDED) {
      snprintf(id, sizeof id, "finding-%u", claim->id);
      begin_row(page, "finding that is not reproduced", &(struct html_link){id, claim->name});
      html_cell(page, claims_verdict_name(claim->verdict));
      html_cell(page, claim->statement);
      html_block_end(page);
    }
  }
}

/* Return what SOURCE says behind the names of the machines that a value is inherited from. */
static const char *skip_bases(const char *source) {
  static const char *const kinds[] = {"fitted", "assumption", "derived", "made up"};
  size_t length = strspn(source, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strncmp(source, kinds[i], strlen(kinds[i])) == 0) {
      return source;
    }
  }
  return length && strncmp(source + length, ": ", 2) == 0 ? skip_bases(source + length + 2) : source;
}

/* Values of a machine. */
struct tally {
  size_t n, inherited;
};

/* Count the values of PLATFORM whose source begins with KIND. */
static struct tally count_values(const struct platform *platform, const char *kind) {
  struct tally tally = {0};
  for (size_t i = 0; i < platform_nentries(platform); i++) {
    struct platform_entry entry;
    platform_entry(platform, i, &entry);
    const char *source = skip_bases(entry.source);
    if (strncmp(source, kind, strlen(kind)) == 0) {
      tally.n++;
      tally.inherited += source != entry.source ? 1 : 0;
    }
  }
  return tally;
}

/* Say what rests on values that were chosen. */
static void say_values(const struct report *report, struct xml_writer *page) {
  const struct platform *platform = blade_platform(report->blade);
  struct tally fitted = count_values(platform, "fitted"), assumed = count_values(platform, "assumption");
  html_paragraph(
    page,
    "Values of this machine that were fitted to published figures: %zu of %zu; that are assumed, since "
    "no figure tells them: %zu. What depends on them is known no better than they are.",
    fitted.n, platform_nentries(platform), assumed.n);
  if (fitted.inherited + assumed.inherited > 0) {
    html_paragraph(page, "Of these %zu and %zu are values of the machine that it is built on.",
                   fitted.inherited, assumed.inherited);
  }
  struct tally made_up = count_values(platform, "made up");
  if (made_up.n) {
    html_paragraph(page, "Values that are made up, since the platform file names no source: %zu.", made_up.n);
  }
  if (report->unmeasured) {
    html_paragraph(page, "Nothing was measured on this machine: how far its values hold was never tested.");
  }
}

/* Say how far models and simulation are apart. */
static void say_models(const struct report *report, struct xml_writer *page) {
  struct compare_summary published = compare_summarize(report->all, MODEL_PUBLISHED, false);
  if (published.npoints > 0) {
    html_paragraph(
      page,
      "%zu of %zu points of the published model are more than 15\u00a0%% from the simulation, %zu of "
      "them without a known cause. That a model agrees with the simulation says nothing about "
      "hardware: models are measured on the simulated machine.",
      published.npoints - published.within_15, published.npoints, published.unexplained);
  }
}

/* Write measurements and findings that the simulation misses. */
static void write_missed(const struct report *report, struct xml_writer *page) {
  html_paragraph(
    page,
    "Measurements that the simulation misses by more than %d\u00a0%%, and published findings that it "
    "does not reproduce, or that depend on values that nobody knows. Each name leads to its row.",
    FAR);
  html_table_begin(page, "what|name|found|about");
  write_measurements(report, page);
  write_findings(report, page);
  html_table_end(page);
}

void report_write_distrust(const struct report *report, struct xml_writer *page) {
  html_heading(page, "distrust", "What to distrust");
  if (report->npublished || report->nclaims) {
    write_missed(report, page);
  }
  say_values(report, page);
  say_models(report, page);
  html_paragraph(
    page, "The page docs/trust.md, which comes with cellcoll, says for each question how far to believe "
          "an answer, and why.");
  if (report->npublished > 0) {
    html_command(page, "The measurements", "cellcoll published --format=csv%s", report->options->published);
  }
  if (report->nclaims) {
    html_command(page, "The findings", "cellcoll claims --format=csv%s", report->options->claims);
  }
}
