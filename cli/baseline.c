/* SPDX-License-Identifier: BSD-3-Clause
 * See baseline.h. */
#include "cli/baseline.h"

#include "cli/table.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What tells runs apart. Columns that an older file does not have are not compared. */
static const char *const keys[] = {"algorithm", "platform", "ranks", "bytes",     "root",
                                   "profile",   "op",       "type",  "placement", "skew"};
enum { NKEYS = sizeof keys / sizeof *keys, NEEDED = 4 };

static size_t
count_cells(const char *line)
{
  size_t n = 1;
  for (; *line; line++) {
    n += *line == ',';
  }
  return n;
}

/* Add LINE to TABLE of NCOLUMNS. */
static int
add_line(struct table *table, char *line, size_t ncolumns, struct err *err)
{
  if (count_cells(line) != ncolumns) {
    return err_set(err, "%zu cells, expected %zu as in line 1", count_cells(line), ncolumns);
  }
  for (char *rest = line; rest;) {
    table_add_text(table, strsep(&rest, ","));
  }
  return 0;
}

/* Find out whether TABLE can be compared with; ERR gets what is wrong, *NUMBER in which line. */
static int
check_contents(const struct table *table, size_t *number, struct err *err)
{
  *number = 1;
  if (table_nrows(table) == 0) {
    return err_set(err, "no results, expected csv output of run");
  }
  for (size_t i = 0; i < NEEDED; i++) {
    if (!table_cell(table, 0, keys[i])) {
      return err_set(err, "no column '%s', expected csv output of run", keys[i]);
    }
  }
  if (!table_cell(table, 0, "cycles")) {
    return err_set(err, "no column 'cycles', expected csv output of run");
  }
  for (size_t i = 0; i < table_nrows(table); i++) {
    const char *cycles = table_cell(table, i, "cycles");
    if (!*cycles || cycles[strspn(cycles, "0123456789.")]) {
      *number = i + 2;
      return err_set(err, "'%.60s' in column 'cycles', expected a number", cycles);
    }
  }
  return 0;
}

/* Read STREAM into a table, up to its end or an empty line, below which counters are; ERR gets what is wrong,
 * *NUMBER in which line. */
static struct table *
read_lines(FILE *stream, size_t *number, struct err *err)
{
  struct table *table = NULL;
  char *line = NULL;
  size_t room = 0, ncolumns = 0;
  int status = 0;
  for (*number = 1; status == 0 && getline(&line, &room, stream) > 0; ++*number) {
    line[strcspn(line, "\r\n")] = '\0';
    if (table && !*line) {
      break;
    }
    if (strchr(line, '"')) {
      status = err_set(err, "a quote, expected csv output of run");
    } else if (!table) {
      ncolumns = count_cells(line);
      table = table_new_foreign(line);
    } else {
      status = add_line(table, line, ncolumns, err);
    }
  }
  free(line);
  *number -= *number > 1;
  if (ferror(stream)) {
    status = err_set(err, "%s, expected csv output of run", strerror(errno));
  }
  if (status == 0) {
    status =
      !table ? err_set(err, "an empty file, expected csv output of run") : check_contents(table, number, err);
  }
  if (status != 0) {
    table_free(table);
    return NULL;
  }
  return table;
}

struct table *
baseline_read(const char *path, struct err *err)
{
  struct err why = {""};
  size_t number;
  FILE *stream = fopen(path, "r");
  if (!stream) {
    err_set(err, "%s: %s, expected csv output of run", path, strerror(errno));
    return NULL;
  }
  struct table *table = read_lines(stream, &number, &why);
  fclose(stream);
  if (!table) {
    err_set(err, "%s:%zu: %s", path, number, why.text);
  }
  return table;
}

/* Tell whether row I of A and row J of B are of the same run. */
static bool
same_run(const struct table *a, size_t i, const struct table *b, size_t j)
{
  for (size_t k = 0; k < NKEYS; k++) {
    const char *left = table_cell(a, i, keys[k]), *right = table_cell(b, j, keys[k]);
    if (left && right && strcmp(left, right) != 0) {
      return false;
    }
  }
  return true;
}

/* Return the row of BASELINE for row I of RESULTS, or the number of rows if there is none. Usually both have the same order. */
static size_t
find_run(const struct table *baseline, const struct table *results, size_t i)
{
  size_t n = table_nrows(baseline);
  for (size_t k = 0; k < n; k++) {
    size_t j = (i + k) % n;
    if (same_run(results, i, baseline, j)) {
      return j;
    }
  }
  return n;
}

int
baseline_compare(const struct table *baseline, const struct table *results, double tolerance, struct err *err)
{
  size_t n = table_nrows(results), unknown = 0;
  int slower = 0;
  for (size_t i = 0; i < n; i++) {
    size_t j = find_run(baseline, results, i);
    if (j == table_nrows(baseline)) {
      unknown++;
      continue;
    }
    double now = strtod(table_cell(results, i, "cycles"), NULL),
           then = strtod(table_cell(baseline, j, "cycles"), NULL);
    if (now > then * (1 + tolerance / 100)) {
      fprintf(stderr, "cellcoll: slower: %s on %s ranks with %s bytes on %s: %s cycles, %s in the baseline\n",
              table_cell(results, i, "algorithm"), table_cell(results, i, "ranks"),
              table_cell(results, i, "bytes"), table_cell(results, i, "platform"),
              table_cell(results, i, "cycles"), table_cell(baseline, j, "cycles"));
      slower++;
    }
  }
  if (n > 0 && unknown == n) {
    return err_set(err, "none of the %zu runs is in the baseline", n);
  }
  if (unknown) {
    fprintf(stderr, "cellcoll: %zu of %zu runs are not in the baseline\n", unknown, n);
  }
  return slower;
}
