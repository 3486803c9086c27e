/* SPDX-License-Identifier: BSD-3-Clause
 * Pieces of an HTML page: head with the style of the page, tables, commands. All text is escaped. */
#pragma once

#include <stdio.h>

/* Begin a page called TITLE, and end it. */
void html_begin(FILE *stream, const char *title);
void html_end(FILE *stream);

/* Write TEXT. */
void html_text(FILE *stream, const char *text);

/* Write a paragraph of formatted text. */
void html_paragraph(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write TEXT as a result that is seen at once. */
void html_summary(FILE *stream, const char *text);

/* Write TITLE as the heading of a section. */
void html_heading(FILE *stream, const char *title);

/* Write LEAD and then a command line, formatted. */
void html_command(FILE *stream, const char *lead, const char *format, ...)
  __attribute__((format(printf, 3, 4)));

/* Write a picture, an svg element, inside a figure; TITLE is its caption and also what is read out in its place. */
void html_picture(FILE *stream, const char *title, const char *svg);

/* Begin a table. COLUMNS are the names of its columns, separated by '|'; those that begin with '#' hold numbers. */
void html_table_begin(FILE *stream, const char *columns);
void html_table_end(FILE *stream);

/* Begin a row of a table, and end it. */
void html_row_begin(FILE *stream);
void html_row_end(FILE *stream);

/* Write one cell: a text, or a formatted number. */
void html_cell(FILE *stream, const char *text);
void html_number(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
