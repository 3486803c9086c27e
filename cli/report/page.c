/* SPDX-License-Identifier: BSD-3-Clause
 * See page.h. A section is a question, what there is to say, a chart, a table, and the command. */
#include "cli/report/page.h"

#include "cli/exit_codes.h"
#include "cli/plot.h"
#include "cli/session.h"
#include "cli/table.h"
#include "draw/html.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/origin.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct section sections[] = {
#define SECTION(page, id, title, text, command, ...) {page, id, title, text, command, __VA_ARGS__},
#include "cli/report/sections.def"
};
const size_t nsections = sizeof sections / sizeof *sections;

static const char *const page_names[REPORT_PAGES] = {"overview", NULL, "accuracy", "models", "machine"};

/* A section on its way. */
struct writing {
  struct report *report;
  const struct section *section;
  struct xml_writer *xml;
  const struct table *table; /* of the rows */
  size_t *rows, nrows;
};

/* Beside the columns of the table there is `data`, where data lies. */
static const char *cell(const void *context, size_t row, const char *column) {
  const struct writing *writing = context;
  return strcmp(column, "data") == 0 ? plot_data(table_cell(writing->table, writing->rows[row], "algorithm"))
                                     : table_cell(writing->table, writing->rows[row], column);
}

/* --- parts of a section --- */

/* Write LINE as a note: one sentence of how sure something is. */
static void add_note(const struct writing *writing, const char *line, size_t length) {
  html_block(writing->xml, "p", "note", "%c%.*s", toupper((unsigned char)*line), (int)length - 1, line + 1);
}

/* Write the notes of the answer for the section; without rows all notes. */
static void add_notes(const struct writing *writing, const struct table *answered) {
  const char *line = table_notes(answered), *last = NULL;
  enum report_notes which = table_nrows(answered) == 0 ? NOTES_ALL : writing->section->notes;
  for (size_t length; line && *line && which != NOTES_NONE; line += length + 1) {
    length = strcspn(line, "\n");
    if (which == NOTES_ALL && length) {
      add_note(writing, line, length);
    }
    if (which == NOTES_FIRST) {
      add_note(writing, line, length);
      return;
    }
    last = length ? line : last;
  }
  if (which == NOTES_LAST && last) {
    add_note(writing, last, strcspn(last, "\n"));
  }
}

/* Write all rows of ANSWER, or the section's rows of an appended table, as the file NAME.csv, unless an
 * earlier section has written the file. */
static int add_data(const struct writing *writing, struct answer *answer, const char *name, struct err *err) {
  struct outfile file;
  if (answer->data) {
    return 0;
  }
  answer->data = xasprintf("%s.csv", name);
  SCOPED char *path = xasprintf("%s/%s", writing->report->folder, answer->data);
  int status = outfile_open(&file, path, err);
  bool some = writing->section->second;
  for (size_t row = 0; status == 0 && row <= (some ? writing->nrows : table_nrows(writing->table)); row++) {
    const char *column, *separator = "";
    for (size_t i = 0; (column = table_column(writing->table, i)); i++) {
      if (strcmp(column, "version") != 0 && strcmp(column, "platform_checksum") != 0) {
        fprintf(file.stream, "%s%s", separator,
                !row   ? column
                : some ? cell(writing, row - 1, column)
                       : table_cell(writing->table, row - 1, column));
        separator = ",";
      }
    }
    fputc('\n', file.stream);
  }
  return status == 0 ? outfile_close(&file, err) : -1;
}

/* Return the columns of the section with a value in some row, separated by commas.
 * owner: the caller. */
static char *filled_columns(const struct writing *writing) {
  SCOPED char *copy = xstrdup(writing->section->columns);
  char *filled = xstrdup("");
  for (char *rest = copy, *column; (column = strsep(&rest, ","));) {
    bool some = false;
    for (size_t row = 0; row < writing->nrows && !some; row++) {
      some = cell(writing, row, column) && *cell(writing, row, column);
    }
    xappend(&filled, some ? "%s%s" : "", *filled ? "," : "", column);
  }
  return filled;
}

static void add_table(const struct writing *writing) {
  struct xml_writer *xml = writing->xml;
  SCOPED char *columns = filled_columns(writing);
  bool fold = writing->nrows > 12 && !writing->section->folded;
  if (fold) {
    html_block_begin(xml, "details", NULL);
    html_block(xml, "summary", NULL, "All %zu rows", writing->nrows);
  }
  html_table_begin(xml, columns);
  for (size_t row = 0; row < writing->nrows; row++) {
    SCOPED char *copy = xstrdup(columns);
    xml_write_begin(xml, "tr");
    for (char *rest = copy, *column; (column = strsep(&rest, ","));) {
      const char *text = cell(writing, row, column);
      html_cell(xml, text ? text : "");
    }
    html_block_end(xml);
  }
  html_table_end(xml);
  if (fold) {
    html_block_end(xml);
  }
}

/* Write the picture FILE that the command has drawn, or a link to a page; TITLE is for screen readers. */
static void add_picture(const struct writing *writing, const char *file, const char *title) {
  if (strstr(file, ".html")) {
    html_block_begin(writing->xml, "p", NULL);
    html_link(writing->xml, file, "Play the call");
    html_block_end(writing->xml);
    return;
  }
  xml_write_begin(writing->xml, "figure class='drawing' tabindex='0'");
  xml_write_begin(writing->xml, "a");
  xml_write_attribute(writing->xml, "href", "%s", file);
  xml_write_begin(writing->xml, "img");
  xml_write_attribute(writing->xml, "src", "%s", file);
  xml_write_attribute(writing->xml, "alt", "%s: larger picture", title);
  xml_write_end(writing->xml);
  xml_write_end(writing->xml);
  html_block_end(writing->xml);
}

/* Write the command line of ANSWER, and links. */
static void add_command(const struct writing *writing, const struct answer *answer) {
  bool is_csv = !writing->section->file && !writing->section->second;
  xml_write_begin(writing->xml, "p class='command'");
  xml_write_begin(writing->xml, "code");
  xml_write_text(writing->xml, "cellcoll %s%s", answer->words, is_csv ? " --format=csv" : "");
  xml_write_end(writing->xml);
  if (answer->data) {
    html_link(writing->xml, answer->data, "Data (csv)");
  }
  if (writing->section->more) {
    html_link(writing->xml, writing->section->more, "More");
  }
  html_block_end(writing->xml);
}

/* Write the chart of the rows. */
static void add_chart(const struct writing *writing, const char *title) {
  struct chart_spec spec = writing->section->chart;
  spec.title = title;
  bool each = writing->section->page == COLLECTIVE || writing->section->each;
  if (each && !collective_has_data(writing->report->collective) && spec.kind <= CHART_POINTS) {
    spec.x = "ranks"; /* there is no size */
    spec.panels = writing->section->each ? spec.panels : NULL;
  }
  struct chart *chart = chart_new(&spec, &(struct chart_rows){writing, writing->nrows, cell});
  html_chart(writing->xml, chart, title);
  chart_free(chart);
}

/* --- sections --- */

/* Begin the section: question and text. */
static void begin_section(const struct writing *writing, const char *id, const char *title,
                          const char *text) {
  struct xml_writer *xml = writing->xml;
  if (writing->section->folded) {
    html_block_begin(xml, "details", NULL);
    html_block(xml, "summary", NULL, "%s", title);
  } else if (writing->section->title) {
    xml_write_begin(xml, "h2 id='%s'", id);
    xml_write_text(xml, "%s", title);
    html_block_end(xml);
  }
  if (*text && (writing->nrows || writing->section->file)) { /* else notes say why there is nothing */
    html_block(xml, "p", NULL, "%s", text);
  }
}

/* Write the section, whose answer is ANSWER, on a page with data called STEM-ID.csv. */
static int write_section(struct writing *writing, struct answer *answer, const char *stem, struct err *err) {
  struct report *report = writing->report;
  const struct section *section = writing->section;
  SCOPED char *id = report_expand(report, section->id),
              *title = report_expand(report, section->title ? section->title : section->id),
              *text = report_expand(report, section->text ? section->text : ""),
              *file = report_expand(report, section->file ? section->file : ""),
              *name = xasprintf("%s-%s", stem, id);
  int status = 0;
  begin_section(writing, id, title, text);
  if (answer->table) {
    add_notes(writing, answer->table);
  }
  if (*file) {
    add_picture(writing, file, title);
  }
  if (writing->nrows && section->chart.y) {
    add_chart(writing, title);
  }
  if (writing->nrows && section->columns) {
    add_table(writing);
  } else if (section->where && !section->notes && !writing->nrows) {
    html_block(writing->xml, "p", NULL, "None.");
  }
  if (writing->nrows && (section->chart.y || section->columns)) {
    status = add_data(writing, answer, name, err);
  }
  if (*file || writing->nrows) {
    add_command(writing, answer);
  }
  if (section->folded) {
    html_block_end(writing->xml);
  }
  return status;
}

/* Ask the command of SECTION, and write the section on XML if there is something to be shown. STEM: see
 * write_section. */
static int ask_section(struct report *report, const struct section *section, struct xml_writer *xml,
                       const char *stem, bool *any, struct err *err) {
  struct writing writing = {.report = report, .section = section, .xml = xml};
  struct answer *answer = report_ask(report, section);
  bool is_told = !report->session->opts.quiet && !isatty(STDERR_FILENO);
  if (is_told) {
    fprintf(stderr, "cellcoll: report: %s: %s\n", stem, answer->words);
  }
  writing.rows = report_rows(report, section, &writing.table, &writing.nrows);
  bool is_picture = section->file && answer->code <= CLI_FAILED;
  bool is_void = answer->table && table_nrows(answer->table) == 0 && section->notes;
  const char *why = is_void ? table_notes(answer->table) : NULL; /* a section with notes has the reason */
  bool has_notes = why && (section->title || !report->told || strcmp(report->told, why) != 0);
  report->told = why;
  /* an empty list is shown with a text that says so */
  bool is_list = !section->folded && section->page != COLLECTIVE;
  bool has_rows =
    answer->table && table_nrows(answer->table) > 0 && !section->file && (writing.nrows || is_list);
  int status = 0;
  if (is_picture || has_rows || has_notes) {
    status = write_section(&writing, answer, stem, err);
    *any = true;
  }
  free(writing.rows);
  return status;
}

int page_make(struct report *report, enum report_page kind, struct page *page, struct err *err) {
  bool any = false;
  const char *name = kind == COLLECTIVE ? collective_name(report->collective) : page_names[kind];
  FILE *stream = text_open(&page->body);
  struct xml_writer *xml = xml_write_new(stream);
  int status = 0;
  page->name = xstrdup(name);
  page->file = kind == INDEX ? xstrdup("index.html")
                             : xasprintf("%s%s.html", kind == COLLECTIVE ? "collective-" : "", name);
  for (size_t i = 0; i < nsections && status == 0; i++) {
    enum collective first = sections[i].each ? 0 : report->collective,
                    end = sections[i].each ? COLL_COUNT : first + 1;
    for (enum collective c = first; c < end && sections[i].page == kind && status == 0; c++) {
      report->collective = c;
      status = ask_section(report, &sections[i], xml, name, &any, err);
    }
  }
  xml_write_free(xml);
  fclose(stream);
  if (!any) {
    free(page->body);
    page->body = NULL;
  }
  return status;
}

/* --- pages --- */

void page_write(const struct report *report, const struct page *pages, size_t n, size_t index, FILE *stream) {
  struct xml_writer *xml = xml_write_new(stream);
  const struct platform *platform = report->platform;
  SCOPED char *title = index == 0 ? xasprintf("Collectives on %s, simulated", platform->name)
                                  : xasprintf("%s: %s", platform->name, pages[index].name);
  html_begin(xml, title, NULL);
  xml_write_begin(xml, "nav");
  xml_write_attribute(xml, "aria-label", "Pages");
  xml_write_line(xml);
  for (size_t i = 0; i < n; i++) {
    xml_write_begin(xml, "a");
    xml_write_attribute(xml, "href", "%s", pages[i].file);
    if (i == index) {
      xml_write_attribute(xml, "aria-current", "page");
    }
    xml_write_text(xml, "%s", pages[i].name);
    html_block_end(xml);
  }
  html_block_end(xml);
  html_main(xml);
  html_block(xml, "p", NULL, "Platform %s: %s%s%s", platform->name, platform->description,
             *platform->overrides ? "; changed: " : "", platform->overrides);
  xml_write_markup(xml, pages[index].body);
  html_block(xml, "p", "command", "Made by %s. Checksum of all values of the platform: %016" PRIx64 ".",
             origin_line(), platform->checksum);
  html_end(xml);
  xml_write_free(xml);
}
