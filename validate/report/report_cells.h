/* SPDX-License-Identifier: BSD-3-Clause
 * Cells of the tables of a report. */
#pragma once

#include "sim/base/units.h"

#include <stddef.h>
#include <stdio.h>

/* What leads to the command that prints a table's figures. */
extern const char report_data_from[];

/* Format NBYTES with a blank, at which no line breaks, before its unit. */
void report_format_bytes(size_t nbytes, char text[UNITS_TEXT_SIZE]);

/* Write a cell with NBYTES; 0: a dash. */
void report_bytes_cell(FILE *stream, size_t nbytes);

/* Write a cell with VALUE, with DIGITS after the point; NaN: a dash. */
void report_value_cell(FILE *stream, double value, int digits);

/* Write a cell with PERCENT, an error. */
void report_error_cell(FILE *stream, double percent);

/* Write a cell with a number of points out of N, and its share. */
void report_share_cell(FILE *stream, size_t points, size_t n);
