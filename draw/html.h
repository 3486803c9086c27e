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

/* Write TITLE as the heading of section ID, or of a part of one. */
void html_heading(FILE *stream, const char *id, const char *title);
void html_subheading(FILE *stream, const char *title);

/* Begin a row of cards, and end it. */
void html_cards_begin(FILE *stream);
void html_cards_end(FILE *stream);

/* Begin a card with a TITLE that leads to TARGET ("#" and the id of a section), and end it. */
void html_card_begin(FILE *stream, const char *title, const char *target);
void html_card_end(FILE *stream);

/* Write the figure that a card is about, formatted. */
void html_card_figure(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A link to section ID. */
struct html_link {
  const char *id, *text;
};

/* Begin a list of links, write one, and end it. */
void html_links_begin(FILE *stream);
void html_link(FILE *stream, const struct html_link *link);
void html_links_end(FILE *stream);

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

/* Write a cell with PERCENT and TEXT on a bar of that length. */
void html_bar(FILE *stream, double percent, const char *text);

/* Write a cell with TEXT, and below it, to be unfolded, MORE. */
void html_folded_cell(FILE *stream, const char *text, const char *more);

/* Write one cell: a text, one that strikes the eye, or a formatted number. */
void html_cell(FILE *stream, const char *text);
void html_strong_cell(FILE *stream, const char *text);
void html_number(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
