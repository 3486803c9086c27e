/* SPDX-License-Identifier: BSD-3-Clause */
#include "draw/html.h"

#include "draw/chart.h"
#include "draw/sheets.h"
#include "sim/base/vec.h"
#include "sim/base/xml/xml_write.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

/* Letters of a cell shown whole; of a longer one so many are shown. */
enum { CELL_MAX = 140, CELL_SHOWN = 60 };

/* Widths of a panel: alone, beside others, and of a map. */
enum { PANEL_ALONE = 400, PANEL = 360, PANEL_MAP = 204 };

static void begin_element(struct xml_writer *page, const char *name, const char *class) {
  xml_write_begin(page, class ? "%s class='%s'" : "%s", name, class);
}

void html_block_begin(struct xml_writer *page, const char *name, const char *class) {
  begin_element(page, name, class);
  xml_write_line(page);
}

void html_block_end(struct xml_writer *page) {
  xml_write_end(page);
  xml_write_line(page);
}

void html_block(struct xml_writer *page, const char *name, const char *class, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin_element(page, name, class);
  xml_write_text_list(page, format, arguments);
  html_block_end(page);
  va_end(arguments);
}

void html_begin(struct xml_writer *page, const char *title, const char *style) {
  xml_write_markup(page, "<!DOCTYPE html>\n");
  xml_write_begin(page, "html lang='en'");
  html_block_begin(page, "head", NULL);
  xml_write_markup(page, "<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  html_block(page, "title", NULL, "%s", title);
  if (style) {
    html_block_begin(page, "style", NULL);
    xml_write_markup(page, sheet_page_css);
    xml_write_markup(page, style);
    html_block_end(page);
  } else {
    xml_write_markup(
      page, "<link rel=\"stylesheet\" href=\"style.css\">\n<script src=\"script.js\" defer></script>\n");
  }
  html_block_end(page);
  html_block_begin(page, "body", NULL);
  xml_write_markup(page, "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n");
  html_block_begin(page, "header", NULL);
  html_block(page, "h1", NULL, "%s", title);
}

void html_main(struct xml_writer *page) {
  html_block_end(page);
  xml_write_begin(page, "main id='content'");
  xml_write_line(page);
}

void html_end(struct xml_writer *page) {
  html_block_end(page);
  html_block_end(page);
  html_block_end(page);
}

void html_link(struct xml_writer *page, const char *address, const char *text) {
  xml_write_begin(page, "a");
  xml_write_attribute(page, "href", "%s", address);
  xml_write_text(page, "%s", text);
  html_block_end(page);
}

void html_chart(struct xml_writer *page, const struct chart *chart, const char *title) {
  bool is_map = chart->kind == CHART_MAP;
  int width = is_map && chart->n > 2 ? PANEL_MAP : is_map || chart->n > 1 ? PANEL : PANEL_ALONE;
  html_block_begin(page, "div", width == PANEL_MAP ? "pictures maps" : "pictures");
  VEC_EACH(panel, chart->panels, chart->n) {
    html_block_begin(page, "figure", NULL);
    xml_write_begin(page, "svg role='img'");
    xml_write_attribute(page, "aria-label", "%s%s%s", title, *panel->title ? ": " : "", panel->title);
    xml_write_attributes(page, "style='max-width:%dpx'", width * 5 / 4);
    chart_panel_add(chart, panel, width, page);
    html_block_end(page);
    html_block_end(page);
  }
  html_block_end(page);
}

void html_table_begin(struct xml_writer *page, const char *names) {
  xml_write_begin(page, "div class='scroll' tabindex='0'");
  html_block_begin(page, "table", "rows");
  xml_write_begin(page, "thead");
  xml_write_begin(page, "tr");
  SCOPED char *copy = xstrdup(names);
  char *rest = copy;
  while (rest) {
    xml_write_full(page, strsep(&rest, ","), "th scope='col'");
  }
  xml_write_end(page);
  html_block_end(page);
  html_block_begin(page, "tbody", NULL);
}

void html_table_end(struct xml_writer *page) {
  xml_write_end(page);
  xml_write_end(page);
  html_block_end(page);
}

void html_cell(struct xml_writer *page, const char *text) {
  bool is_number = *text && strspn(text, "+-.0123456789") == strlen(text);
  begin_element(page, "td", is_number ? "n" : NULL);
  if (strlen(text) <= CELL_MAX) {
    xml_write_text(page, "%s", text);
  } else {
    int shown = CELL_SHOWN + (int)strcspn(text + CELL_SHOWN, " ");
    xml_write_begin(page, "details");
    xml_write_element(page, "summary", "%.*s \u2026", shown, text);
    xml_write_text(page, "%s", text);
    xml_write_end(page);
  }
  xml_write_end(page);
}
