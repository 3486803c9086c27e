/* SPDX-License-Identifier: BSD-3-Clause
 * See report_cells.h. */
#include "validate/report/report_cells.h"

#include "draw/html.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char report_data_from[] = "The figures";

void report_format_bytes(size_t nbytes, char text[UNITS_TEXT_SIZE]) {
  char whole[UNITS_TEXT_SIZE];
  units_format_bytes(nbytes, whole);
  size_t digits = strspn(whole, "0123456789");
  snprintf(text, UNITS_TEXT_SIZE, "%.*s\u00a0%s", (int)digits, whole, whole[digits] ? whole + digits : "B");
}

void report_format_ns(double ns, char text[REPORT_TIME_SIZE]) {
  static const struct {
    const char *unit;
    double ns;
  } units[] = {{"ns", 1}, {"\u00b5s", 1e3}, {"ms", 1e6}};
  size_t unit = 0;
  while (unit + 1 < sizeof units / sizeof *units && fabs(ns) >= units[unit + 1].ns) {
    unit++;
  }
  double value = ns / units[unit].ns;
  int digits = unit == 0 || fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : 2;
  snprintf(text, REPORT_TIME_SIZE, "%.*f\u00a0%s", digits, value, units[unit].unit);
}

void report_time_cell(struct xml_writer *page, double ns) {
  char text[REPORT_TIME_SIZE] = "\u2013";
  if (!isnan(ns)) {
    report_format_ns(ns, text);
  }
  html_number(page, "%s", text);
}

void report_bytes_cell(struct xml_writer *page, size_t nbytes) {
  char text[UNITS_TEXT_SIZE] = "\u2013";
  if (nbytes) {
    report_format_bytes(nbytes, text);
  }
  html_number(page, "%s", text);
}

void report_value_cell(struct xml_writer *page, double value, int digits) {
  if (isnan(value)) {
    html_number(page, "\u2013");
  } else {
    html_number(page, "%.*f", digits, value);
  }
}

void report_error_cell(struct xml_writer *page, double percent) {
  html_number(page, "%+.1f %%", fabs(percent) < 0.05 ? 0.0 : percent); /* no -0.0 */
}

void report_sentence(struct xml_writer *page, const char *line) {
  html_paragraph(page, "%c%s.", toupper((unsigned char)*line), line + 1);
}

void report_share_cell(struct xml_writer *page, size_t points, size_t n) {
  html_number(page, "%zu (%.0f %%)", points, 100 * (double)points / (double)n);
}
