/* SPDX-License-Identifier: BSD-3-Clause
 * Pieces of an HTML page: head with style sheets, blocks, links, tables, charts. */
#pragma once

struct chart;
struct xml_writer;

/* Begin a page called TITLE and the header, with a link to the content over the heading; html_main begins the
 * content behind the header, and html_end ends the page. STYLE, added to the style of pages, makes the page
 * one file without a script; NULL: the style sheet style.css and the script script.js are beside the page. */
void html_begin(struct xml_writer *page, const char *title, const char *style);
void html_main(struct xml_writer *page);
void html_end(struct xml_writer *page);

/* Begin an element NAME of CLASS (NULL: no class) on a new line, and end the element. */
void html_block_begin(struct xml_writer *page, const char *name, const char *class);
void html_block_end(struct xml_writer *page);

/* Write an element NAME of CLASS (NULL: no class) with formatted text. */
void html_block(struct xml_writer *page, const char *name, const char *class, const char *format, ...)
  __attribute__((format(printf, 4, 5)));

/* Write a link called TEXT to ADDRESS. */
void html_link(struct xml_writer *page, const char *address, const char *text);

/* Write the panels of CHART as pictures; screen readers read TITLE and the titles of the panels. */
void html_chart(struct xml_writer *page, const struct chart *chart, const char *title);

/* Begin a table with columns called NAMES, separated by commas; with the script of the page readers sort
 * and filter the rows. html_table_end ends the table. */
void html_table_begin(struct xml_writer *page, const char *names);
void html_table_end(struct xml_writer *page);

/* Write a cell: a number, a text, or a long text, folded. */
void html_cell(struct xml_writer *page, const char *text);
