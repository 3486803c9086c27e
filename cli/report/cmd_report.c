/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll report: what the other commands say about one machine, as pages for a browser. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/report/page.h"
#include "cli/sweep.h"
#include "cli/table.h"
#include "draw/sheets.h"
#include "platform/platform.h"
#include "sim/base/engine/simgrid_calls.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/call/usual_ranks.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LANES_MOST = 32 }; /* of a picture that can be read */

/* All pages on their way. */
struct pages {
  struct page *items;
  size_t n;
};

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

/* Make page KIND of REPORT, unless it has nothing to show. */
static int make_page(struct report *report, enum report_page kind, struct pages *pages, struct err *err) {
  struct page page = {0};
  const struct ledger *ledger = &report->session->ledger;
  int status = page_make(report, kind, &page, err);
  if (simgrid_is_missing()) {
    status = simgrid_load(err); /* for the message */
  }
  for (size_t i = 0; i < report->n && status == 0; i++) {
    status = report->answers[i]->code == CLI_LOST || ledger->store_failed
               ? err_set(err, "%s", report->answers[i]->message)
               : 0;
  }
  if (status == 0 && page.body) {
    VEC_ADD(pages->items, pages->n) = page;
  } else {
    free_page(&page);
  }
  return status;
}

/* Make all pages of REPORT. */
static int make_pages(struct report *report, struct pages *pages, struct err *err) {
  int status = 0;
  for (enum report_page kind = INDEX; kind < REPORT_PAGES && status == 0; kind++) {
    for (enum collective c = 0;
         c < (kind == COLLECTIVE ? COLL_COUNT : 1) && status == 0 && !sweep_interrupted(); c++) {
      report->collective = c;
      status = make_page(report, kind, pages, err);
    }
  }
  return status;
}

/* A file of the folder: a page, or texts. */
struct content {
  const struct report *report;
  const struct pages *pages; /* NULL: texts */
  size_t index;
  const char *texts[2];
};

/* Write CONTENT as the file NAME in the folder of its report. */
static int write_file(const struct content *content, const char *name, struct err *err) {
  struct outfile file;
  SCOPED char *path = xasprintf("%s/%s", content->report->folder, name);
  int status = outfile_open(&file, path, err);
  if (status != 0) {
    return -1;
  }
  if (content->pages) {
    page_write(content->report, content->pages->items, content->pages->n, content->index, file.stream);
  }
  for (size_t i = 0; i < 2 && content->texts[i]; i++) {
    fputs(content->texts[i], file.stream);
  }
  return outfile_close(&file, err);
}

/* Write PAGES of REPORT, the style sheet and the script. */
static int write_pages(const struct report *report, const struct pages *pages, struct err *err) {
  const struct content style = {.report = report, .texts = {sheet_page_css, sheet_chart_css}},
                       script = {.report = report, .texts = {sheet_page_js}};
  int status = write_file(&style, "style.css", err) != 0 ? -1 : write_file(&script, "script.js", err);
  for (size_t i = 0; i < pages->n && status == 0; i++) {
    status = write_file(&(struct content){report, pages, i, {NULL}}, pages->items[i].file, err);
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
static int make_report(struct session *session, const char *folder, struct err *err) {
  struct platform *platform = session->machines.platforms[0];
  SCOPED char *unfinished = xasprintf("%s/.unfinished", folder);
  struct report report = {.session = session, .platform = platform, .folder = unfinished};
  struct pages pages = {0};
  bool made;
  empty_folder(unfinished, NULL, err); /* left by a killed report */
  int status = make_folder(unfinished, &made, err);
  if (status == 0) {
    report.all = usual_ranks_most(platform);
    report.chip = platform->spes_per_chip < report.all ? platform->spes_per_chip : report.all;
    unsigned most = platform_has_spes(platform) ? report.chip : LANES_MOST;
    report.lanes = report.all < most ? report.all : most;
    status = make_pages(&report, &pages, err);
    status = status == 0 ? write_pages(&report, &pages, err) : status;
    sweep_clear_progress();
    bool done = status == 0 && !sweep_interrupted();
    int moved = empty_folder(unfinished, done ? folder : NULL, err);
    status = status == 0 ? moved : status;
    if (done && status == 0) {
      print_summary(&report);
      printf("%s/index.html\n", folder);
    }
  }
  for (size_t i = 0; i < pages.n; i++) {
    free_page(&pages.items[i]);
  }
  free(pages.items);
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
  int status = make_folder(folder, &made, session->err);
  if (status == 0 && (status = outfile_open(&file, first, session->err)) == 0) {
    outfile_abandon(&file);
    sweep_hush();
    status = make_report(session, folder, session->err);
  }
  if (made && (status != 0 || sweep_interrupted())) {
    rmdir(folder);
  }
  if (sweep_interrupted()) {
    err_set(session->err, "report: interrupted, no page is written");
    return CLI_SIGNALLED + sweep_signal();
  }
  return status == 0 ? sweep_outcome(&session->ledger) : *session->err->text ? CLI_INPUT : CLI_LOST;
}
