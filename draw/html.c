/* SPDX-License-Identifier: BSD-3-Clause
 * See html.h. The page needs no font, no picture and no script from elsewhere. */
#include "draw/html.h"

#include "draw/html_style.h"
#include "draw/sheets.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml_write.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Begin an element NAME of CLASS; NULL: of none. */
static void begin(struct xml_writer *page, const char *name, const char *class) {
  xml_write_begin(page, name);
  if (class) {
    xml_write_attribute(page, "class", "%s", class);
  }
}

void html_block_begin(struct xml_writer *page, const char *name, const char *class) {
  begin(page, name, class);
  xml_write_line(page);
}

void html_block_end(struct xml_writer *page) {
  xml_write_end(page);
  xml_write_line(page);
}

void html_block(struct xml_writer *page, const char *name, const char *class, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin(page, name, class);
  xml_write_text_list(page, format, arguments);
  html_block_end(page);
  va_end(arguments);
}

void html_begin(struct xml_writer *page, const char *title) {
  html_begin_as(page, title, "");
}

void html_begin_as(struct xml_writer *page, const char *title, const char *style) {
  xml_write_markup(page, "<!DOCTYPE html>\n");
  xml_write_begin(page, "html");
  xml_write_attribute(page, "lang", "en");
  html_block_begin(page, "head", NULL);
  xml_write_markup(page, "<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  html_block(page, "title", NULL, "%s", title);
  html_write_style(page, style);
  html_block_end(page);
  html_block_begin(page, "body", NULL);
  xml_write_markup(page, "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n");
  html_block_begin(page, "header", NULL);
  html_block(page, "h1", NULL, "%s", title);
  html_block_end(page);
  xml_write_begin(page, "main");
  xml_write_attribute(page, "id", "content");
  xml_write_line(page);
}

void html_end(struct xml_writer *page) {
  html_block_end(page);
  xml_write_begin(page, "script");
  xml_write_line(page);
  xml_write_markup(page, sheet_page_js);
  html_block_end(page);
  html_block_end(page);
  html_block_end(page);
}

void html_paragraph(struct xml_writer *page, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  xml_write_begin(page, "p");
  xml_write_text_list(page, format, arguments);
  html_block_end(page);
  va_end(arguments);
}

void html_heading(struct xml_writer *page, const char *id, const char *title) {
  xml_write_begin(page, "h2");
  xml_write_attribute(page, "id", "%s", id);
  xml_write_text(page, "%s", title);
  html_block_end(page);
}

void html_link(struct xml_writer *page, const struct html_link *link) {
  xml_write_begin(page, "a");
  xml_write_attribute(page, "href", "#%s", link->id);
  xml_write_text(page, "%s", link->text);
  html_block_end(page);
}

void html_command(struct xml_writer *page, const char *lead, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin(page, "p", "command");
  xml_write_text(page, "%s: ", lead);
  xml_write_begin(page, "code");
  xml_write_text_list(page, format, arguments);
  xml_write_end(page);
  html_block_end(page);
  va_end(arguments);
}

void html_figure_begin(struct xml_writer *page, const char *id) {
  xml_write_begin(page, "figure");
  xml_write_attribute(page, "id", "%s", id);
  xml_write_line(page);
}

void html_picture_begin(struct xml_writer *page, const char *title) {
  html_block(page, "figcaption", NULL, "%s", title);
  xml_write_begin(page, "svg");
  xml_write_attribute(page, "role", "img");
  xml_write_attribute(page, "aria-label", "%s", title);
}

void html_picture(struct xml_writer *page, const char *title, const char *svg) {
  char name[32], value[64];
  int nbytes = 0;
  html_picture_begin(page, title);
  svg += strlen("<svg");
  while (sscanf(svg, " %31[^= >]=\"%63[^\"]\"%n", name, value, &nbytes) == 2) {
    xml_write_attribute(page, name, "%s", value);
    svg += nbytes;
  }
  xml_write_markup(page, strchr(svg, '>') + 1);
  html_block_end(page);
}

void html_data(struct xml_writer *page, const char *name, const char *csv) {
  char *address;
  size_t nbytes;
  FILE *stream = open_memstream(&address, &nbytes);
  for (; *csv; csv++) {
    bool is_plain = isalnum((unsigned char)*csv) || strchr(",:;=+-_.", *csv);
    fprintf(stream, is_plain ? "%c" : "%%%02X", (unsigned char)*csv);
  }
  fclose(stream);
  html_block_begin(page, "p", "command");
  xml_write_begin(page, "a");
  xml_write_attribute(page, "download", "%s.csv", name);
  xml_write_attribute(page, "href", "data:text/csv,%s", address);
  xml_write_text(page, "Data of the figure (csv)");
  xml_write_end(page);
  html_block_end(page);
  free(address);
}

void html_table_begin_as(struct xml_writer *page, const char *class, const char *columns) {
  xml_write_begin(page, "div");
  xml_write_attribute(page, "class", "scroll");
  xml_write_attribute(page, "tabindex", "0");
  html_block_begin(page, "table", class);
  xml_write_begin(page, "thead");
  xml_write_begin(page, "tr");
  char *names = xstrdup(columns), *rest = names;
  while (rest) {
    const char *name = strsep(&rest, "|");
    begin(page, "th", *name == '#' ? "n" : NULL);
    xml_write_attribute(page, "scope", "col");
    xml_write_text(page, "%s", *name == '#' ? name + 1 : name);
    xml_write_end(page);
  }
  xml_write_end(page);
  html_block_end(page);
  html_block_begin(page, "tbody", NULL);
  free(names);
}

void html_table_begin(struct xml_writer *page, const char *columns) {
  html_table_begin_as(page, "rows", columns);
}

void html_table_end(struct xml_writer *page) {
  xml_write_end(page);
  xml_write_end(page);
  html_block_end(page);
}

void html_table_foot(struct xml_writer *page) {
  xml_write_end(page);
  html_block_begin(page, "tfoot", NULL);
}

void html_row_begin(struct xml_writer *page) {
  xml_write_begin(page, "tr");
}

void html_row_heading(struct xml_writer *page, const char *text) {
  xml_write_begin(page, "th");
  xml_write_attribute(page, "scope", "row");
  xml_write_text(page, "%s", text);
  xml_write_end(page);
}

void html_cell(struct xml_writer *page, const char *text) {
  xml_write_element(page, "td", "%s", text);
}

void html_link_cell(struct xml_writer *page, const struct html_link *link) {
  xml_write_begin(page, "td");
  xml_write_begin(page, "a");
  xml_write_attribute(page, "href", "#%s", link->id);
  xml_write_text(page, "%s", link->text);
  xml_write_end(page);
  xml_write_end(page);
}

void html_strong_cell(struct xml_writer *page, const char *text) {
  xml_write_begin(page, "td");
  xml_write_element(page, "strong", "%s", text);
  xml_write_end(page);
}

void html_folded_cell(struct xml_writer *page, const char *text, const char *more) {
  xml_write_begin(page, "td");
  xml_write_text(page, "%s", text);
  xml_write_begin(page, "details");
  xml_write_element(page, "summary", "numbers");
  xml_write_text(page, "%s", more);
  xml_write_end(page);
  xml_write_end(page);
}

void html_bar(struct xml_writer *page, double percent, const char *text) {
  begin(page, "td", "bar");
  xml_write_attribute(page, "style", "--share:%.1f%%", percent);
  xml_write_text(page, "%.1f %%, %s", percent, text);
  xml_write_end(page);
}

void html_number(struct xml_writer *page, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin(page, "td", "n");
  xml_write_text_list(page, format, arguments);
  xml_write_end(page);
  va_end(arguments);
}
