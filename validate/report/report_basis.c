/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a report about what it rests on: measurements, the machine in use, its drawing and its
 * parameters. */
#include "algos/catalogue.h"
#include "draw/html.h"
#include "draw/cluster_drawing.h"
#include "draw/platform_drawing.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xml_write.h"
#include "sim/hw/blade.h"
#include "sim/spu/spu_mfcio.h"
#include "validate/lab/ledger.h"
#include "validate/model/plogp.h"
#include "validate/papers/published_summary.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_figures.h"
#include "validate/report/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- measurements --- */

/* Write the median error of the rows of ROLE, if there are any, as the last row of their table. */
static void write_median(const struct report *report, enum published_role role, struct xml_writer *page) {
  struct published_summary summary = published_summarize(report->published, report->npublished, role);
  char id[PUBLISHED_TEXT_SIZE];
  if (summary.n > 0) {
    snprintf(id, sizeof id, "median-%s", published_role_name(role));
    html_row_begin(page);
    html_cell(page, id);
    html_cell(page, "median of the absolute errors");
    html_cell(page, "");
    html_cell(page, "");
    html_cell(page, "percent");
    report_error_cell(page, summary.median);
    html_cell(page, published_role_name(role));
    html_cell(page, "");
    html_block_end(page);
  }
}

/* Say how far the rows of ROLE are off, if there are any. */
static void say_errors(const struct report *report, enum published_role role, struct xml_writer *page) {
  struct published_summary summary = published_summarize(report->published, report->npublished, role);
  char text[PUBLISHED_TEXT_SIZE];
  if (summary.n > 0) {
    published_say(&summary, role, text);
    html_paragraph(page, "%s", text);
  }
}

/* Write a cell with the quantity of ROW, which leads to the picture with its curve if it is the time of a
 * collective. */
static void quantity_cell(const struct report *report, const struct published_row *row,
                          struct xml_writer *page) {
  struct algo_call call;
  struct err none = {""};
  char figure[REPORT_FIGURE_SIZE];
  if (row->algorithm && catalogue_find(row->algorithm, &call, &none) == 0 &&
      report_figure_of(report, &call, row->ranks, figure)) {
    html_link_cell(page, &(struct html_link){figure, row->quantity});
  } else {
    html_cell(page, row->quantity);
  }
}

/* Write the cells with the values of ROW and with their unit: that of the source, but microseconds for many
 * nanoseconds. */
static void value_cells(const struct published_row *row, struct xml_writer *page) {
  bool is_long = strcmp(row->unit, "ns") == 0 && row->published >= 1000;
  double scale = is_long ? 1000 : 1;
  int digits = row->published / scale < 10 ? 2 : 1;
  report_value_cell(page, row->published / scale, digits);
  report_value_cell(page, row->simulated / scale, digits);
  html_cell(page, is_long || strcmp(row->unit, "us") == 0 ? "\u00b5s" : row->unit);
}

/* Write the rows, their medians, and how far those of a role are off. */
static void write_measurements(const struct report *report, struct xml_writer *page) {
  html_paragraph(
    page, "Measured on real machines, and simulated on this platform in the way in which the source "
          "measured. An error is 100 (simulated - published) / published. To rows of role fit values of "
          "the machine were fitted, by one of role derived a value was solved, by those of role test "
          "nothing was chosen.");
  html_table_begin(page, "id|quantity|#published|#simulated|unit|#error|role|source");
  for (size_t i = 0; i < report->npublished; i++) {
    const struct published_row *row = &report->published[i];
    xml_write_begin(page, "tr");
    xml_write_attribute(page, "id", "measured-%s", row->id);
    html_cell(page, row->id);
    quantity_cell(report, row, page);
    value_cells(row, page);
    report_error_cell(page, row->error);
    html_cell(page, published_role_name(row->role));
    html_cell(page, row->source);
    html_block_end(page);
  }
  html_table_foot(page);
  write_median(report, PUBLISHED_TEST, page);
  write_median(report, PUBLISHED_FIT, page);
  html_table_end(page);
  say_errors(report, PUBLISHED_TEST, page);
  say_errors(report, PUBLISHED_FIT, page);
}

void report_write_measurements(const struct report *report, struct xml_writer *page) {
  html_heading(page, "measurements", "Published measurements");
  if (report->npublished > 0) {
    write_measurements(report, page);
  } else if (report->unmeasured) {
    report_sentence(page, report->unmeasured);
  } else {
    html_paragraph(page, "No published measurement can be simulated on this machine.");
  }
  if (report->unpublished) {
    size_t count = published_count_on(published_machine(blade_platform(report->blade)));
    html_paragraph(page, "%zu of %zu rows are missing, because this platform cannot serve them: %s",
                   count - report->npublished, count, report->unpublished);
  }
  if (report->npublished > 0) {
    html_command(page, report_data_from, "cellcoll published --format=csv%s", report->options->published);
  }
}

/* --- how busy the machine was --- */

/* Write a cell that shows by its background which SHARE of the time PART was busy. */
static void usage_cell(struct xml_writer *page, const struct report_busy *part) {
  if (*part->where) {
    html_bar(page, part->percent, part->where);
  } else {
    html_cell(page, "\u2013");
  }
}

void report_write_usage(const struct report *report, struct xml_writer *page) {
  if (report->nusage == 0) {
    return;
  }
  html_heading(page, "usage", "How busy rings and links are");
  html_paragraph(
    page, "The busiest part of each kind in some runs: the share of the time in which it could not have "
          "served more.");
  html_table_begin(page, "run|#ranks|#bytes|#us|ring|link|memory|ramp of a unit");
  for (size_t i = 0; i < report->nusage; i++) {
    const struct report_usage *usage = &report->usage[i];
    html_row_begin(page);
    html_cell(page, usage->name);
    html_number(page, "%u", usage->ranks);
    report_bytes_cell(page, usage->bytes);
    report_value_cell(page, usage->ns / 1000, 1);
    for (size_t kind = 0; kind < REPORT_KINDS; kind++) {
      usage_cell(page, &usage->busiest[kind]);
    }
    html_block_end(page);
  }
  html_table_end(page);
  for (size_t i = 0; i < report->nusage; i++) {
    const struct report_usage *usage = &report->usage[i];
    char bytes[UNITS_TEXT_SIZE];
    units_format_bytes(usage->bytes, bytes);
    html_command(page, report_data_from, "cellcoll run %s -n %u -s %s --counters%s", usage->name,
                 usage->ranks, bytes, report->options->machine);
  }
}

/* --- what it rests on --- */

/* The columns of the PLogP table: of a notification, and of data. */
static const enum cost_parameter of_notifications[] = {COST_L,     COST_L1,     COST_L2,
                                                       COST_G_ACK, COST_G1_ACK, COST_G2_ACK};
static const enum cost_parameter of_data[] = {COST_L,  COST_L1, COST_L2, COST_G,
                                              COST_G1, COST_G2, COST_C,  COST_GAMMA};
enum {
  OF_NOTIFICATIONS = sizeof of_notifications / sizeof *of_notifications,
  OF_DATA = sizeof of_data / sizeof *of_data,
  LEAST_BYTES = 64,
  MOST_BYTES = 32768
};

/* Return PARAMETER for M bytes in SPU cycles, C with as many messages as there are SPEs; NaN: it cannot be
 * measured. */
static double value_of(struct plogp *plogp, enum cost_parameter parameter, size_t m) {
  unsigned n = parameter == COST_C ? 2 * blade_spes_per_chip(plogp->blade) : 0;
  plogp->unmeasured = NULL;
  double cycles = plogp_get(plogp, parameter, m, n);
  return plogp->unmeasured ? NAN : cycles;
}

static void ask_parameters(void *context) {
  for (size_t i = 0; i < OF_NOTIFICATIONS; i++) {
    value_of(context, of_notifications[i], COST_ACK);
  }
  for (size_t m = LEAST_BYTES; m <= MOST_BYTES; m *= 2) {
    for (size_t i = 0; i < OF_DATA; i++) {
      value_of(context, of_data[i], m);
    }
  }
}

int report_measure_parameters(struct plogp *plogp, struct err *err) {
  return ledger_settle(plogp->ledger, &(struct ledger_round){ask_parameters, plogp}, err);
}

/* Write the cells of PARAMETERS for M bytes. */
static void plogp_cells(const struct report *report, struct xml_writer *page,
                        const enum cost_parameter *parameters, size_t m) {
  size_t n = m == COST_ACK ? OF_NOTIFICATIONS : OF_DATA;
  for (size_t i = 0; i < OF_DATA; i++) {
    double cycles = i < n ? value_of(report->plogp, parameters[i], m) : NAN;
    report_value_cell(page, cycles / blade_ghz(report->blade), 1);
  }
}

static void write_plogp(const struct report *report, struct xml_writer *page) {
  html_heading(page, "plogp", "Parameters of the PLogP model");
  html_paragraph(
    page,
    "Measured by programs on the simulated machine, in ns. L is the latency on one chip, L1 the same on a "
    "blade, L2 across the chips; g, g1, g2 are the gaps and C is the congestion between the chips with %u "
    "messages at once; gamma m is the time to combine m bytes. The first row is a notification of %d bytes; "
    "its gaps are gAck, g1Ack, g2Ack.",
    2 * blade_spes_per_chip(report->blade), MFC_MIN_DMA_SIZE);
  html_table_begin(page, "#bytes|#L|#L1|#L2|#g|#g1|#g2|#C|#gamma m");
  html_row_begin(page);
  html_number(page, "notification, %d\u00a0B", MFC_MIN_DMA_SIZE);
  plogp_cells(report, page, of_notifications, COST_ACK);
  html_block_end(page);
  for (size_t m = LEAST_BYTES; m <= MOST_BYTES; m *= 2) {
    html_row_begin(page);
    report_bytes_cell(page, m);
    plogp_cells(report, page, of_data, m);
    html_block_end(page);
  }
  html_table_end(page);
  html_command(page, report_data_from, "cellcoll bench plogp --format=csv%s", report->options->machine);
}

static void write_platform(const struct report *report, struct xml_writer *page) {
  const struct platform *platform = blade_platform(report->blade);
  size_t n = platform_nentries(platform);
  html_heading(page, "parameters", "Parameters of the machine");
  xml_write_begin(page, "details");
  html_block(page, "summary", NULL, "All %zu values with their sources", n);
  html_table_begin(page, "key|#value|unit|meaning|source");
  for (size_t i = 0; i < n; i++) {
    struct platform_entry entry;
    platform_entry(platform, i, &entry);
    html_row_begin(page);
    html_cell(page, entry.key);
    html_cell(page, entry.value);
    html_cell(page, entry.unit);
    html_cell(page, entry.doc);
    html_cell(page, entry.source);
    html_block_end(page);
  }
  html_table_end(page);
  html_block_end(page);
  html_command(page, report_data_from, "cellcoll platform sources --format=csv%s", report->options->argument);
  html_paragraph(page, "Made by %s. Checksum of all values of the platform: %016llx.", report->program,
                 (unsigned long long)platform->checksum);
}

/* Write the caption TITLE and the drawing of the machine of REPORT inside a figure. */
static void add_drawing(const struct report *report, const char *title, struct xml_writer *page) {
  const struct platform *platform = blade_platform(report->blade);
  html_picture_begin(page, title);
  xml_write_indent(page, "");
  (platform->has_nodes ? cluster_drawing_add : platform_drawing_add)(platform, page);
  xml_write_indent(page, NULL);
}

void report_write_machine(const struct report *report, struct xml_writer *page) {
  html_block_begin(page, "figure", "thumbnail");
  add_drawing(report, "The machine", page);
  html_block_begin(page, "p", "command");
  html_link(page, &(struct html_link){"machine", "Larger drawing"});
  html_block_end(page);
  html_block_end(page);
}

static void write_drawing(const struct report *report, struct xml_writer *page) {
  html_heading(page, "machine", "The machine");
  xml_write_begin(page, "figure");
  xml_write_attribute(page, "class", "drawing scroll");
  xml_write_attribute(page, "tabindex", "0");
  add_drawing(report,
              blade_platform(report->blade)->has_nodes ? "Nodes, NICs and switches, and one node in detail"
                                                       : "Chips, units in ring order, rings and links",
              page);
  html_block_end(page);
  html_command(page, "The drawing", "cellcoll platform draw%s", report->options->argument);
}

void report_write_basis(const struct report *report, struct xml_writer *page) {
  if (platform_has_spes(blade_platform(report->blade))) {
    write_plogp(report, page);
  }
  write_drawing(report, page);
  write_platform(report, page);
}
