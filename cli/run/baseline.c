/* SPDX-License-Identifier: BSD-3-Clause
 * See run_ways.h: results against the results of an earlier run. */
#include "cli/run/run_ways.h"

#include "cli/run/run_table.h"
#include "cli/table.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "validate/lab/ledger/store.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The columns that identify a call. A file of an older version may lack a column: `missing` is then the value
 * for all rows; NULL: the column is not compared. */
static const struct {
  const char *column, *missing;
} keys[] = {{"algorithm", NULL}, {"ranks", NULL},     {"bytes", NULL}, {"root", NULL},
            {"profile", NULL},   {"placement", NULL}, {"seed", "1"}};

/* The required columns of a file. */
static const char *const needed[] = {"algorithm", "platform", "ranks", "bytes", "cycles"};
enum { NKEYS = sizeof keys / sizeof *keys, NEEDED = sizeof needed / sizeof *needed };

/* Maximum number of named runs without a counterpart. */
enum { NAMED_MAX = 5 };

static size_t count_cells(const char *line) {
  size_t n = 1;
  for (; *line; line++) {
    n += *line == ',';
  }
  return n;
}

/* Add LINE to TABLE of NCOLUMNS. */
static int add_line(struct table *table, char *line, size_t ncolumns, struct err *err) {
  if (count_cells(line) != ncolumns) {
    return err_set(err, "%zu cells, expected %zu, one for each name of a column", count_cells(line),
                   ncolumns);
  }
  for (char *rest = line; rest;) {
    table_add_text(table, strsep(&rest, ","));
  }
  return 0;
}

/* Check whether TABLE can be compared; ERR gets the defect, *NUMBER the line. */
static int check_contents(const struct table *table, size_t *number, struct err *err) {
  *number = 1;
  if (table_nrows(table) == 0) {
    return err_set(err, "no results, expected csv output of run");
  }
  const char *const *missing = VEC_FIND(needed, NEEDED, !table_cell(table, 0, *item));
  if (missing) {
    return err_set(err, "no column '%s', expected csv output of run", *missing);
  }
  for (size_t i = 0; i < table_nrows(table); i++) {
    const char *cycles = table_cell(table, i, "cycles");
    const char *const *empty =
      VEC_FIND(needed, NEEDED, strcmp(*item, "cycles") != 0 && !*table_cell(table, i, *item));
    *number = i + 2;
    if (empty) {
      return err_set(err, "nothing in column '%s', expected csv output of run", *empty);
    }
    if (cycles[strspn(cycles, "0123456789.")]) {
      return err_set(err, "'%.60s' in column 'cycles', expected a number", cycles);
    }
  }
  return 0;
}

/* Read STREAM into a table, up to the end or an empty line (counters follow the empty line); ERR gets the
 * defect, *NUMBER the line. */
static struct table *read_lines(FILE *stream, size_t *number, struct err *err) {
  struct table *table = NULL;
  SCOPED char *line = NULL;
  size_t room = 0, ncolumns = 0, ncomments = 0;
  ssize_t n;
  int status = 0;
  for (*number = 1; status == 0 && (n = getline(&line, &room, stream)) > 0; ++*number) {
    if (strlen(line) < (size_t)n) {
      status = err_set(err, "a NUL, expected csv output of run");
      continue;
    }
    line[strcspn(line, "\r\n")] = '\0';
    if (table && !*line) {
      break;
    }
    if (!table && *line == '#') { /* of --provenance */
      ncomments++;
      continue;
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
  *number -= *number > 1;
  if (status == 0 && !table) {
    status = err_set(err, "an empty file, expected csv output of run");
  } else if (status == 0) {
    status = check_contents(table, number, err);
    *number += ncomments;
  }
  if (status != 0) {
    table_free(table);
    return NULL;
  }
  return table;
}

/* Read the calls of a build from a store; WHERE is STORE@BUILD, its last @ at AT. */
static struct table *read_store(const char *where, const char *at, struct err *err) {
  char build[STORE_BUILD_SIZE];
  struct table *table = NULL;
  SCOPED char *path = xasprintf("%.*s", (int)(at - where), where);
  struct store *store = store_open(path, STORE_LOOK, err);
  if (store && store_find_build(store, at + 1, build, err) == 0) {
    table = stored_runs(store, build, err);
  }
  store_close(store);
  return table;
}

struct table *baseline_read(const char *path, struct err *err) {
  const char *at = strrchr(path, '@');
  if (at && access(path, F_OK) != 0) {
    return read_store(path, at, err);
  }
  static const struct text_kind kind = {64 << 20, "64 MiB", "csv output of run"}; /* half a million runs */
  struct err why = {""};
  size_t number, nbytes;
  SCOPED char *text = text_read_file(path, &kind, &nbytes, err);
  if (!text) {
    return NULL;
  }
  FILE *stream = fmemopen(text, nbytes, "r");
  struct table *table = read_lines(stream, &number, &why);
  fclose(stream);
  if (!table) {
    err_set(err, "%s:%zu: %s", path, number, why.text);
  }
  return table;
}

/* Tell whether row I of RESULTS and row J of BASELINE are of the same call, on the same machine, which may be
 * written in several ways. */
static bool same_call(const struct table *results, size_t i, const struct table *baseline, size_t j) {
  for (size_t k = 0; k < NKEYS; k++) {
    const char *left = table_cell(results, i, keys[k].column);
    const char *right = table_cell(baseline, j, keys[k].column);
    left = left ? left : keys[k].missing;
    right = right ? right : keys[k].missing;
    if (left && right && strcmp(left, right) != 0) {
      return false;
    }
  }
  for (const struct call_field *field = call_fields; field < call_fields + CALL_FIELDS; field++) {
    bool has_seed = field->kind->number && field->kind->append; /* which has a column apart */
    const char *left = table_cell(results, i, field->name), *right = table_cell(baseline, j, field->name);
    const char *usual = has_seed ? "0" : field->kind->usual;
    if (((left && right) || !field->kind->combines) &&
        strcmp(left ? left : usual, right ? right : usual) != 0) {
      return false;
    }
  }
  const char *column = table_cell(baseline, j, "platform_checksum") ? "platform_checksum" : "platform";
  return strcmp(table_cell(results, i, column), table_cell(baseline, j, column)) == 0;
}

/* Return the row of BASELINE for row I of RESULTS, or the number of rows if there is none. Usually both have
 * the same order. */
static size_t find_run(const struct table *baseline, const struct table *results, size_t i) {
  size_t n = table_nrows(baseline);
  for (size_t k = 0; k < n; k++) {
    size_t j = (i + k) % n;
    if (same_call(results, i, baseline, j)) {
      return j;
    }
  }
  return n;
}

/* Print WHAT about row I of TABLE, and DETAIL. */
static void tell_difference(const char *what, const struct table *table, size_t i, const char *detail) {
  fprintf(stderr, "cellcoll: %s: %s on %s ranks with %s bytes on %s%s\n", what,
          table_cell(table, i, "algorithm"), table_cell(table, i, "ranks"), table_cell(table, i, "bytes"),
          table_cell(table, i, "platform"), detail);
}

/* Tell how many cycles rows I of RESULTS and J of BASELINE took, if the former is slower by more than
 * TOLERANCE percent.
 * returns: whether it is. */
static bool tell_slower(const struct table *results, size_t i, const struct table *baseline, size_t j,
                        double tolerance) {
  const char *now = table_cell(results, i, "cycles"), *then = table_cell(baseline, j, "cycles");
  bool slower = strtod(now, NULL) > strtod(then, NULL) * (1 + tolerance / 100);
  if (slower) {
    tell_difference("slower", results, i, text_brief(": %s cycles, %s in the baseline", now, then));
  }
  return slower;
}

int baseline_compare(const struct table *baseline, const struct table *results, double tolerance,
                     struct err *err) {
  size_t n = table_nrows(results), nbaseline = table_nrows(baseline), unknown = 0, found = 0;
  SCOPED bool *is_found = xcalloc(nbaseline, sizeof *is_found);
  int slower = 0;
  for (size_t i = 0; i < n; i++) {
    size_t j = find_run(baseline, results, i);
    bool ended = *table_cell(results, i, "cycles") != '\0';
    if (j < nbaseline && *table_cell(baseline, j, "cycles")) {
      found += !is_found[j];
      is_found[j] = true;
      slower += ended && tell_slower(results, i, baseline, j, tolerance);
    } else if (++unknown <= NAMED_MAX) {
      tell_difference("not in the baseline", results, i, "");
    }
  }
  if (n > 0 && unknown == n) {
    return err_set(err, "none of the %zu runs is in the baseline", n);
  }
  if (unknown) {
    fprintf(stderr, "cellcoll: %zu of %zu runs are not in the baseline\n", unknown, n);
  }
  if (found < nbaseline) {
    fprintf(stderr, "cellcoll: %zu of %zu runs of the baseline were not made\n", nbaseline - found,
            nbaseline);
  }
  return slower;
}
