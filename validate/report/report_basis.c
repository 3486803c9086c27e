/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a report about what it rests on: measurements, the machine in use, its drawing and its parameters. */
#include "draw/draw_svg.h"
#include "draw/html.h"
#include "platform/platform.h"
#include "sim/hw/blade.h"
#include "sim/spu/spu_mfcio.h"
#include "validate/model/plogp.h"
#include "validate/papers/published.h"
#include "validate/report/report_cells.h"
#include "validate/report/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- measurements --- */

static void
write_published(const struct report *report, FILE *stream)
{
  html_heading(stream, "measurements", "Published measurements");
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
    report_value_cell(stream, row->published, digits);
    report_value_cell(stream, row->simulated, digits);
    html_cell(stream, row->unit);
    report_error_cell(stream, row->error);
    html_cell(stream, row->source);
    html_row_end(stream);
  }
  html_table_end(stream);
  if (report->unpublished) {
    html_paragraph(stream, "%zu of %zu rows are missing, because this platform cannot serve them: %s",
                   published_count() - report->npublished, published_count(), report->unpublished);
  }
  html_command(stream, report_data_from, "cellcoll published --format=csv%s", report->options);
}

/* --- how busy the machine was --- */

/* Write a cell that shows by its background which SHARE of the time PART was busy. */
static void
usage_cell(FILE *stream, const struct report_busy *part)
{
  if (*part->where) {
    html_bar(stream, part->percent, part->where);
  } else {
    html_cell(stream, "\u2013");
  }
}

static void
write_usage(const struct report *report, FILE *stream)
{
  html_heading(stream, "usage", "How busy rings and links are");
  html_paragraph(
    stream, "The busiest part of each kind in some runs: the share of the time in which it could not have "
            "served more.");
  html_table_begin(stream, "run|#ranks|#bytes|#us|ring|link|memory|ramp of a unit");
  for (size_t i = 0; i < report->nusage; i++) {
    const struct report_usage *usage = &report->usage[i];
    html_row_begin(stream);
    html_cell(stream, usage->name);
    html_number(stream, "%u", usage->ranks);
    report_bytes_cell(stream, usage->bytes);
    report_value_cell(stream, usage->ns / 1000, 1);
    for (size_t kind = 0; kind < REPORT_KINDS; kind++) {
      usage_cell(stream, &usage->busiest[kind]);
    }
    html_row_end(stream);
  }
  html_table_end(stream);
  for (size_t i = 0; i < report->nusage; i++) {
    const struct report_usage *usage = &report->usage[i];
    char bytes[UNITS_TEXT_SIZE];
    units_format_bytes(usage->bytes, bytes);
    html_command(stream, report_data_from, "cellcoll run %s -n %u -s %s --counters%s", usage->name,
                 usage->ranks, bytes, report->options);
  }
}

/* --- what it rests on --- */

/* Write one cell of the PLogP table: PARAMETER for M bytes. */
static void
plogp_cell(const struct report *report, enum cost_parameter parameter, size_t m, FILE *stream)
{
  unsigned n = parameter == COST_C ? 2 * report->blade->spes_per_chip : 0;
  report_value_cell(stream, plogp_get(report->plogp, parameter, m, n) / report->blade->parameters.ghz, 1);
}

static void
write_plogp(const struct report *report, FILE *stream)
{
  static const enum cost_parameter of_notifications[] = {COST_L,     COST_L1,     COST_L2,
                                                         COST_G_ACK, COST_G1_ACK, COST_G2_ACK};
  static const enum cost_parameter of_data[] = {COST_L,  COST_L1, COST_L2, COST_G,
                                                COST_G1, COST_G2, COST_C,  COST_GAMMA};
  html_heading(stream, "plogp", "Parameters of the PLogP model");
  html_paragraph(
    stream,
    "Measured by programs on the simulated machine, in ns. L is the latency on one chip, L1 the same on a "
    "blade, L2 across the chips; g, g1, g2 are the gaps and C is the congestion between the chips with %u "
    "messages at once; gamma m is the time to combine m bytes. The first row is a notification of %d bytes; "
    "its gaps are gAck, g1Ack, g2Ack.",
    2 * report->blade->spes_per_chip, MFC_MIN_DMA_SIZE);
  html_table_begin(stream, "#bytes|#L|#L1|#L2|#g|#g1|#g2|#C|#gamma m");
  html_row_begin(stream);
  html_number(stream, "notification, %d\u00a0B", MFC_MIN_DMA_SIZE);
  for (size_t i = 0; i < sizeof of_notifications / sizeof *of_notifications; i++) {
    plogp_cell(report, of_notifications[i], COST_ACK, stream);
  }
  report_value_cell(stream, NAN, 0);
  report_value_cell(stream, NAN, 0);
  html_row_end(stream);
  for (size_t m = 64; m <= 32768; m *= 2) {
    html_row_begin(stream);
    report_bytes_cell(stream, m);
    for (size_t i = 0; i < sizeof of_data / sizeof *of_data; i++) {
      plogp_cell(report, of_data[i], m, stream);
    }
    html_row_end(stream);
  }
  html_table_end(stream);
  html_command(stream, report_data_from, "cellcoll bench plogp --format=csv%s", report->options);
}

static void
write_platform(const struct report *report, FILE *stream)
{
  const struct platform *platform = report->blade->platform;
  size_t n = platform_nentries(platform);
  html_heading(stream, "parameters", "Parameters of the machine");
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
  html_command(stream, report_data_from, "cellcoll platform sources --format=csv%s", report->machine);
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
  html_heading(stream, "machine", "The machine");
  fputs("<figure class=\"drawing scroll\" tabindex=\"0\">\n", stream);
  html_picture(stream, "Chips, units in ring order, rings and links", strstr(svg, "<svg"));
  fputs("</figure>\n", stream);
  html_command(stream, "The drawing", "cellcoll platform draw%s", report->machine);
  free(svg);
}

void
report_write_basis(const struct report *report, FILE *stream)
{
  write_published(report, stream);
  if (report->nusage) {
    write_usage(report, stream);
  }
  write_plogp(report, stream);
  write_drawing(report, stream);
  write_platform(report, stream);
}
