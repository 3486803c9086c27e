/* SPDX-License-Identifier: BSD-3-Clause
 * Cells of the tables of a report, and other pieces of several parts. */
#pragma once

#include "sim/base/units.h"

#include <stddef.h>

struct xml_writer;
/* What leads to the command that prints a table's figures. */
extern const char report_data_from[];

/* Format NBYTES with a blank, at which no line breaks, before its unit. */
void report_format_bytes(size_t nbytes, char text[UNITS_TEXT_SIZE]);

/* Room for a time. */
enum { REPORT_TIME_SIZE = 32 };

/* Format NS in the unit in which people read such a time: ns, us, or ms. */
void report_format_ns(double ns, char text[REPORT_TIME_SIZE]);

/* Write a cell with NS, in such a unit; NaN: a dash. */
void report_time_cell(struct xml_writer *page, double ns);

/* Write a cell with NBYTES; 0: a dash. */
void report_bytes_cell(struct xml_writer *page, size_t nbytes);

/* Write a cell with VALUE, with DIGITS after the point; NaN: a dash. */
void report_value_cell(struct xml_writer *page, double value, int digits);

/* Write a cell with PERCENT, an error. */
void report_error_cell(struct xml_writer *page, double percent);

/* Write LINE as a paragraph of one sentence, with a capital letter and a full stop. */
void report_sentence(struct xml_writer *page, const char *line);

/* Write a cell with a number of points out of N, and its share. */
void report_share_cell(struct xml_writer *page, size_t points, size_t n);
