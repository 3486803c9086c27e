/* SPDX-License-Identifier: BSD-3-Clause
 * The subject of a measurement tells its figure: BENCHMARK.PARAMETER, or an algorithm, which was timed as the
 * mean of calls back to back. Cells are cut out of the text of the file in place. */
#include "cli/study/published_rows.h"

#include "algos/catalogue.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/lab/rig/rig.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum column { ID, SUBJECT, VALUE, UNIT, RANKS, BYTES, SOURCE, COLUMNS };
enum { NEEDED = UNIT + 1, CELLS_MAX = 16 }; /* the first columns must be there */
static const char *const names[COLUMNS] = {"id", "subject", "value", "unit", "ranks", "bytes", "source"};

/* The cells of a line. */
struct cells {
  char *texts[CELLS_MAX];
  size_t n;
};

/* Cut LINE into CELLS. */
static int cut(char *line, struct cells *cells, struct err *err) {
  if (strchr(line, '"')) {
    return err_set(err, "a quote, expected cells without quotes and commas");
  }
  for (cells->n = 0; line && cells->n < CELLS_MAX; cells->n++) {
    char *cell = strsep(&line, ",");
    cell += strspn(cell, " \t");
    for (char *end = cell + strlen(cell); end > cell && strchr(" \t", end[-1]); *--end = '\0') {
    }
    cells->texts[cells->n] = cell;
  }
  return 0;
}

/* Find the column of each cell of HEAD, the first line. */
static int find_columns(const struct cells *head, size_t columns[CELLS_MAX], struct err *err) {
  for (size_t i = 0; i < head->n; i++) {
    columns[i] = VEC_INDEX(names, COLUMNS, strcmp(*item, head->texts[i]) == 0);
    if (columns[i] == COLUMNS || VEC_FIND(columns, i, *item == columns[i])) {
      return err_set(err, "%s column '%.40s', expected id,subject,ranks,bytes,value,unit,source",
                     columns[i] == COLUMNS ? "unknown" : "second", head->texts[i]);
    }
  }
  size_t missing = 0;
  while (missing < NEEDED && VEC_FIND(columns, head->n, *item == missing)) {
    missing++;
  }
  return missing < NEEDED ? err_set(err, "no column '%s', expected one", names[missing]) : 0;
}

/* Read TEXT, a number above 0. */
static int read_value(const char *text, double *value, struct err *err) {
  char *end;
  *value = strtod(text, &end);
  return *text && !*end && isfinite(*value) && *value > 0
           ? 0
           : err_set(err, "value '%.40s', expected a number above 0", text);
}

/* Read the figure of SUBJECT, whose ranks and bytes are known: of a benchmark if SUBJECT names one. */
static int read_figure(struct figure *figure, char *subject, const struct platform *platform,
                       struct err *err) {
  char *dot = subject + strcspn(subject, ".:");
  figure->subject = subject;
  if (*dot == '.') {
    *dot = '\0';
    figure->kind = FIGURE_BENCH;
    figure->parameter = dot + 1;
    return bench_find(subject, err) ? 0 : -1;
  }
  struct algorithm algorithm;
  figure->kind = FIGURE_LOOP;
  if (catalogue_find(subject, &algorithm, err) != 0) {
    return -1;
  }
  const struct profile *profile = rig_profile(platform, NULL, algorithm.algo->source, err);
  figure->profile = profile ? profile->name : NULL;
  return !profile ? -1 : figure->ranks > 0 ? 0 : err_set(err, "no ranks, expected those of the call");
}

/* Read CELLS, in the order of `names`, into ENTRY. */
static int read_row(struct published_entry *entry, char *const cells[COLUMNS],
                    const struct platform *platform, struct err *err) {
  uint64_t ranks = 0, bytes = 0;
  if (!*cells[ID] || strlen(cells[ID]) >= sizeof((struct published_row *)0)->id) {
    return err_set(err, "id '%.60s', expected 1 to %zu letters", cells[ID],
                   sizeof((struct published_row *)0)->id - 1);
  }
  if ((*cells[RANKS] && units_parse_count(cells[RANKS], &ranks, err) != 0) ||
      (*cells[BYTES] && units_parse_bytes(cells[BYTES], &bytes, err) != 0) ||
      read_value(cells[VALUE], &entry->value, err) != 0 || figure_check_unit(cells[UNIT], err) != 0) {
    return -1;
  }
  if (ranks > INT_MAX) {
    return err_set(err, "ranks %.40s, expected at most %d", cells[RANKS], INT_MAX);
  }
  entry->id = cells[ID];
  entry->role = PUBLISHED_TEST;
  entry->platform = platform->name;
  entry->quantity = text_keep(cells[SUBJECT]);
  entry->unit = cells[UNIT];
  entry->source = cells[SOURCE];
  entry->figure = (struct figure){.kind = FIGURE_LOOP, .ranks = (unsigned)ranks, .bytes = bytes};
  return read_figure(&entry->figure, cells[SUBJECT], platform, err);
}

/* Read all lines of REST. *LINE becomes the number of the line with a defect. */
static int read_lines(struct measured_rows *rows, char *rest, const char *path,
                      const struct platform *platform, size_t *line, struct err *err) {
  static char none[] = "";
  size_t columns[CELLS_MAX], ncolumns = 0;
  for (*line = 1; rest; ++*line) {
    struct cells cells = {.n = 0};
    char *text = strsep(&rest, "\n"), *of[COLUMNS] = {[RANKS] = none, [BYTES] = none, [SOURCE] = none};
    text[strcspn(text, "\r")] = '\0';
    if (!*text || *text == '#') {
      continue;
    }
    if (cut(text, &cells, err) != 0 || (!ncolumns && find_columns(&cells, columns, err) != 0)) {
      return -1;
    }
    if (!ncolumns) {
      ncolumns = cells.n;
      continue;
    }
    if (cells.n != ncolumns) {
      return err_set(err, "%zu cells, expected %zu, one for each name of a column", cells.n, ncolumns);
    }
    for (size_t i = 0; i < ncolumns; i++) {
      of[columns[i]] = cells.texts[i];
    }
    const struct published_entry *same = VEC_FIND(rows->entries, rows->n, strcmp(item->id, of[ID]) == 0);
    if (same) {
      return err_set(err, "id '%s', which %s has", same->id, same->where);
    }
    struct published_entry entry = {.where = text_keep(text_brief("%s:%zu", path, *line))};
    if (read_row(&entry, of, platform, err) != 0) {
      return -1;
    }
    VEC_ADD(rows->entries, rows->n) = entry;
  }
  *line = 1;
  return rows->n ? 0 : err_set(err, "no measurements, expected a row for each, below the names of columns");
}

int measured_rows_read(struct measured_rows *rows, const char *path, const struct platform *platform,
                       struct err *err) {
  static const struct text_kind kind = {1 << 20, "1 MiB", "csv of measurements"};
  struct err why = {""};
  size_t line, nbytes;
  rows->text = text_read_file(path, &kind, &nbytes, err);
  if (!rows->text) {
    return -1;
  }
  return read_lines(rows, rows->text, path, platform, &line, &why) == 0
           ? 0
           : err_set(err, "%s:%zu: %s", path, line, why.text);
}

void measured_rows_fini(struct measured_rows *rows) {
  free(rows->entries);
  free(rows->text);
}
