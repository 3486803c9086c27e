/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll report: what the other commands say about one machine, as pages for a browser. */
#include "cli/commands.h"
#include "cli/plot.h"
#include "cli/report/answers.h"
#include "cli/session.h"
#include "cli/sweep.h"
#include "cli/table.h"
#include "draw/html.h"
#include "draw/sheets.h"
#include "platform/platform.h"
#include "sim/base/engine/simgrid_calls.h"
#include "sim/base/err.h"
#include "sim/base/origin.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/base/xml/xml_write.h"
#include "validate/lab/call/usual_ranks.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- pages as HTML --- */

struct page {
  char *file, *name; /* in the folder; in links */
  char *body;        /* HTML; NULL: no section has anything to show */
};

const struct section sections[] = {
#define SECTION(page, id, title, text, command, ...) {page, id, title, text, command, __VA_ARGS__},
#include "cli/report/sections.def"
};
const size_t nsections = VEC_LENGTH(sections);

static const char *const page_names[REPORT_PAGES] = {"overview", NULL, "accuracy", "models", "machine"};

/* A section under way. */
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

/* Write LINE as a note: one sentence of how sure something is. A name at the beginning keeps its letters. */
static void add_note(const struct writing *writing, const char *line, size_t length) {
  size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyz");
  int first = line[word] == ' ' ? toupper((unsigned char)*line) : *line;
  html_block(writing->xml, "p", "note", "%c%.*s", first, (int)length - 1, line + 1);
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

/* Write TEXT as the file NAME in the folder of REPORT. */
static int write_file(const struct report *report, const char *name, const char *text) {
  struct outfile file;
  SCOPED char *path = xasprintf("%s/%s", report->folder, name);
  if (outfile_open(&file, path, report->session->err) != 0) {
    return -1;
  }
  fputs(text, file.stream);
  return outfile_close(&file, report->session->err);
}

/* Write all rows of ANSWER, or the section's rows of an appended table, as the file NAME.csv, unless an
 * earlier section has written the file. */
static int add_data(const struct writing *writing, struct answer *answer, const char *name) {
  if (answer->data) {
    return 0;
  }
  answer->data = xasprintf("%s.csv", name);
  SCOPED char *text = NULL;
  FILE *stream = text_open(&text);
  bool some = writing->section->second;
  for (size_t row = 0; row <= (some ? writing->nrows : table_nrows(writing->table)); row++) {
    const char *column, *separator = "";
    for (size_t i = 0; (column = table_column(writing->table, i)); i++) {
      if (strcmp(column, "version") != 0 && strcmp(column, "platform_checksum") != 0) {
        fprintf(stream, "%s%s", separator,
                !row   ? column
                : some ? cell(writing, row - 1, column)
                       : table_cell(writing->table, row - 1, column));
        separator = ",";
      }
    }
    fputc('\n', stream);
  }
  fclose(stream);
  return write_file(writing->report, answer->data, text);
}

static void add_table(const struct writing *writing) {
  struct xml_writer *xml = writing->xml;
  SCOPED char *all = xstrdup(writing->section->columns), *columns = xstrdup("");
  for (char *rest = all, *column; (column = strsep(&rest, ","));) {
    bool some = false; /* row with a value */
    for (size_t row = 0; row < writing->nrows && !some; row++) {
      some = cell(writing, row, column) && *cell(writing, row, column);
    }
    xappend(&columns, some ? "%s%s" : "", *columns ? "," : "", column);
  }
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
  xml_write_begin(writing->xml, "a href='%s'", file);
  xml_write_begin(writing->xml, "img src='%s'", file);
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
  spec.shared = &writing->report->looks;
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

/* Write the section, whose answer is ANSWER, on a page with data called STEM-ID.csv. */
static int write_section(struct writing *writing, struct answer *answer, const char *stem) {
  struct report *report = writing->report;
  const struct section *section = writing->section;
  SCOPED char *id = report_expand(report, section->id),
              *title = report_expand(report, section->title ? section->title : section->id),
              *text = report_expand(report, section->text ? section->text : ""),
              *file = report_expand(report, section->file ? section->file : ""),
              *name = xasprintf("%s-%s", stem, id);
  struct xml_writer *xml = writing->xml;
  int status = 0;
  if (section->folded) {
    html_block_begin(xml, "details", NULL);
    html_block(xml, "summary", NULL, "%s", title);
  } else if (section->title) {
    xml_write_begin(xml, "h2 id='%s'", id);
    xml_write_text(xml, "%s", title);
    html_block_end(xml);
  }
  if (*text && (writing->nrows || section->file)) { /* else notes say why there is nothing */
    html_block(xml, "p", NULL, "%s", text);
  }
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
    html_block(xml, "p", NULL, "None.");
  }
  if (writing->nrows && (section->chart.y || section->columns)) {
    status = add_data(writing, answer, name);
  }
  if (*file || writing->nrows) {
    add_command(writing, answer);
  }
  if (section->folded) {
    html_block_end(xml);
  }
  return status;
}

/* Ask the command of SECTION, and write the section on XML if there is something to be shown. STEM: see
 * write_section. */
static int ask_section(struct report *report, const struct section *section, struct xml_writer *xml,
                       const char *stem, bool *any) {
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
    status = write_section(&writing, answer, stem);
    *any = true;
  }
  free(writing.rows);
  return status;
}

/* --- pages --- */

/* Write page INDEX of REPORT, with links to all pages, on STREAM. */
static void page_write(const struct report *report, size_t index, FILE *stream) {
  const struct page *pages = report->pages;
  struct xml_writer *xml = xml_write_new(stream);
  const struct platform *platform = report->platform;
  SCOPED char *title = index == 0 ? xasprintf("Collectives on %s, simulated", platform->name)
                                  : xasprintf("%s: %s", platform->name, pages[index].name);
  html_begin(xml, title, NULL);
  xml_write_begin(xml, "nav aria-label='Pages'");
  xml_write_line(xml);
  for (size_t i = 0; i < report->npages; i++) {
    xml_write_begin(xml, i == index ? "a href='%s' aria-current='page'" : "a href='%s'", pages[i].file);
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

/* --- the command --- */

enum { LANES_MOST = 32 }; /* of a picture that can be read */

/* --- folders --- */

/* Make the folder PATH unless it is there; MADE tells. */
static int make_folder(const char *path, bool *made, struct err *err) {
  struct stat status;
  *made = mkdir(path, 0777) == 0;
  if (*made) {
    return 0;
  }
  if (errno != EEXIST) {
    return err_set(err, "%s: cannot be made: %s, expected a folder or the name of a new one", path,
                   strerror(errno));
  }
  if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
    return err_set(err, "%s: is no folder, expected a folder or the name of a new one", path);
  }
  return 0;
}

/* Move all files of folder FROM into folder TO, or remove them if TO is NULL; and remove FROM. */
static int empty_folder(const char *from, const char *to, struct err *err) {
  DIR *folder = opendir(from);
  int status = 0;
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
      continue;
    }
    SCOPED char *path = xasprintf("%s/%s", from, entry->d_name),
                *new = xasprintf("%s/%s", to ? to : "", entry->d_name);
    if (status == 0 && to && rename(path, new) != 0) {
      status = err_set(err, "%s: cannot be written: %s", new, strerror(errno));
    }
    unlink(path);
  }
  if (folder) {
    closedir(folder);
  }
  rmdir(from);
  return status;
}

/* --- pages --- */

static void free_page(struct page *page) {
  free(page->body);
  free(page->file);
  free(page->name);
}

/* Make page KIND of REPORT (of a collective: the collective of REPORT), with the data as csv beside the page,
 * unless the page has nothing to show. */
static int make_page(struct report *report, enum report_page kind) {
  bool any = false;
  const char *name = kind == COLLECTIVE ? collective_name(report->collective) : page_names[kind];
  struct err *err = report->session->err;
  struct page page = {.name = xstrdup(name)};
  FILE *stream = text_open(&page.body);
  struct xml_writer *xml = xml_write_new(stream);
  int status = 0;
  chart_looks_fini(&report->looks);
  page.file = kind == INDEX ? xstrdup("index.html")
                            : xasprintf("%s%s.html", kind == COLLECTIVE ? "collective-" : "", name);
  for (size_t i = 0; i < nsections && status == 0; i++) {
    enum collective first = sections[i].each ? 0 : report->collective,
                    end = sections[i].each ? COLL_COUNT : first + 1;
    for (enum collective c = first; c < end && sections[i].page == kind && status == 0; c++) {
      report->collective = c;
      status = ask_section(report, &sections[i], xml, name, &any);
    }
  }
  xml_write_free(xml);
  fclose(stream);
  if (simgrid_is_missing()) {
    status = simgrid_load(err); /* for the message */
  }
  for (size_t i = 0; i < report->n && status == 0; i++) {
    status = report->answers[i]->code == CLI_LOST || report->session->ledger.store_failed
               ? err_set(err, "%s", report->answers[i]->message)
               : 0;
  }
  if (status == 0 && any) {
    VEC_ADD(report->pages, report->npages) = page;
  } else {
    free_page(&page);
  }
  return status;
}

/* Write the pages of REPORT, the style sheet and the script. */
static int write_pages(const struct report *report) {
  SCOPED char *style = xasprintf("%s%s", sheet_page_css, sheet_chart_css);
  int status = write_file(report, "style.css", style);
  status = status == 0 ? write_file(report, "script.js", sheet_page_js) : status;
  for (size_t i = 0; i < report->npages && status == 0; i++) {
    SCOPED char *text = NULL;
    FILE *stream = text_open(&text);
    page_write(report, i, stream);
    fclose(stream);
    status = write_file(report, report->pages[i].file, text);
  }
  return status;
}

/* Print how close the models are, as `compare` says. */
static void print_summary(const struct report *report) {
  for (size_t i = 0; i < report->n; i++) {
    const struct answer *answer = report->answers[i];
    if (strncmp(answer->words, "compare", 7) == 0 && (answer->words[7] == '\0' || answer->words[8] == '-') &&
        answer->table) {
      fputs(table_notes(answer->table), stdout);
    }
  }
}

/* Make the pages of the machine of SESSION in FOLDER. */
static int make_report(struct session *session, const char *folder) {
  struct platform *platform = session->machines.platforms[0];
  SCOPED char *unfinished = xasprintf("%s/.unfinished", folder);
  struct report report = {.session = session, .platform = platform, .folder = unfinished};
  bool made;
  empty_folder(unfinished, NULL, session->err); /* left by a killed report */
  int status = make_folder(unfinished, &made, session->err);
  if (status == 0) {
    report.all = usual_ranks_most(platform);
    report.chip = MIN(platform->spes_per_chip, report.all);
    unsigned most = platform_has_spes(platform) ? report.chip : LANES_MOST;
    report.lanes = MIN(report.all, most);
    for (enum report_page kind = INDEX; kind < REPORT_PAGES && status == 0; kind++) {
      unsigned n = kind == COLLECTIVE ? COLL_COUNT : 1;
      for (unsigned c = 0; c < n && status == 0 && !sweep_interrupted(); c++) {
        report.collective = (enum collective)c;
        status = make_page(&report, kind);
      }
    }
    status = status == 0 ? write_pages(&report) : status;
    sweep_clear_progress();
    bool done = status == 0 && !sweep_interrupted();
    int moved = empty_folder(unfinished, done ? folder : NULL, session->err);
    status = status == 0 ? moved : status;
    if (done && status == 0) {
      print_summary(&report);
      printf("%s/index.html\n", folder);
    }
  }
  VEC_EACH(page, report.pages, report.npages) {
    free_page(page);
  }
  free(report.pages);
  report_fini(&report);
  return status;
}

int cmd_report(struct session *session) {
  struct outfile file;
  bool made;
  if (!session->opts.output) {
    return session_refuse(session, CLI_USAGE, "no folder for the pages, expected -o DIR");
  }
  size_t length = strlen(session->opts.output);
  while (length > 1 && session->opts.output[length - 1] == '/') {
    length--;
  }
  SCOPED char *folder = strndup(session->opts.output, length), *first = xasprintf("%s/index.html", folder);
  SCOPED char *own = session->opts.store ? NULL : xasprintf("%s/.results", folder);
  int status = make_folder(folder, &made, session->err);
  if (status == 0 && (status = outfile_open(&file, first, session->err)) == 0) {
    outfile_abandon(&file);
    sweep_hush();
    if (own) { /* keeps results until all pages are written: a report after an interruption goes on */
      session->ledger.store = own;
      status = ledger_open(&session->ledger, session->err);
    }
    status = status == 0 ? make_report(session, folder) : status;
    if (own) {
      bool is_whole = status == 0 && !sweep_interrupted();
      if (is_whole || session->ledger.nfound + session->ledger.nstored == 0) {
        unlink(own);
      }
      session->ledger.store = NULL;
    }
  }
  if (made && (status != 0 || sweep_interrupted())) {
    rmdir(folder);
  }
  if (sweep_interrupted()) {
    const char *kept = !own ? session->opts.store : access(own, F_OK) == 0 ? own : NULL;
    err_set(session->err, "report: interrupted, no page is written%s%s",
            kept ? "; the same command goes on with the results in " : "", kept ? kept : "");
    return CLI_SIGNALLED + sweep_signal();
  }
  return status == 0 ? sweep_outcome(&session->ledger) : *session->err->text ? CLI_INPUT : CLI_LOST;
}
