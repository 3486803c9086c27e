/* SPDX-License-Identifier: BSD-3-Clause
 * Pieces of an HTML page: head with the style of the page, tables, commands, pictures. */
#pragma once

struct xml_writer;

/* Begin a page called TITLE, with a link to the content over the heading, and end a page. */
void html_begin(struct xml_writer *page, const char *title);
void html_end(struct xml_writer *page);

/* Begin a page as html_begin does; STYLE is added to the style of the page. */
void html_begin_as(struct xml_writer *page, const char *title, const char *style);

/* Begin an element NAME of CLASS (NULL: no class) on a new line, and end the element. */
void html_block_begin(struct xml_writer *page, const char *name, const char *class);
void html_block_end(struct xml_writer *page);

/* Write an element NAME of CLASS (NULL: no class) with formatted text. */
void html_block(struct xml_writer *page, const char *name, const char *class, const char *format, ...)
  __attribute__((format(printf, 4, 5)));

/* Write a paragraph of formatted text. */
void html_paragraph(struct xml_writer *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write TITLE as the heading of section ID. */
void html_heading(struct xml_writer *page, const char *id, const char *title);

/* A link to section ID. */
struct html_link {
  const char *id, *text;
};

/* Write LINK. */
void html_link(struct xml_writer *page, const struct html_link *link);

/* Write LEAD and then a command line, formatted. */
void html_command(struct xml_writer *page, const char *lead, const char *format, ...)
  __attribute__((format(printf, 3, 4)));

/* Begin a figure, the target of links to #ID; html_block_end ends the figure. */
void html_figure_begin(struct xml_writer *page, const char *id);

/* Write a picture inside a figure: SVG as gnuplot_batch_next returns a picture. TITLE is the caption, and a
 * screen reader reads TITLE in place of the picture. */
void html_picture(struct xml_writer *page, const char *title, const char *svg);

/* Write a link to download CSV as the file NAME.csv. */
void html_data(struct xml_writer *page, const char *name, const char *csv);

/* Write the caption TITLE and begin an svg element named by the caption; the caller writes the other
 * attributes of the element and ends it. */
void html_picture_begin(struct xml_writer *page, const char *title);

/* Begin a table; with the script of the page people sort and filter the table. COLUMNS are the names of the
 * columns, separated by '|'; a column whose name begins with '#' holds numbers. */
void html_table_begin(struct xml_writer *page, const char *columns);
void html_table_begin_as(struct xml_writer *page, const char *class, const char *columns); /* of CLASS */
void html_table_foot(struct xml_writer *page); /* the rows to follow sum up the other rows */
void html_table_end(struct xml_writer *page);

/* Begin a row of a table; html_block_end ends the row. */
void html_row_begin(struct xml_writer *page);

/* Write TEXT as the heading of a row. */
void html_row_heading(struct xml_writer *page, const char *text);

/* Write a cell with PERCENT and TEXT on a bar as long as PERCENT. */
void html_bar(struct xml_writer *page, double percent, const char *text);

/* Write a cell with TEXT and, below TEXT, the folded text MORE. */
void html_folded_cell(struct xml_writer *page, const char *text, const char *more);

/* Write one cell: a text, a link, an emphasised text, or a formatted number. */
void html_cell(struct xml_writer *page, const char *text);
void html_link_cell(struct xml_writer *page, const struct html_link *link);
void html_strong_cell(struct xml_writer *page, const char *text);
void html_number(struct xml_writer *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
