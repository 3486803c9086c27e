/* SPDX-License-Identifier: BSD-3-Clause
 * The map of a run. The last row for the collective, the ranks of the group, the bytes and the line of a call
 * names the algorithm; of a call with an algorithm of its own, the last such row with the line. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_RANKS, ROW_BYTES, ROW_LINE, NUMBERS };
enum { LINES_SHOWN = 8 };

/* A row: ranks, bytes and line of calls, UINT64_MAX: any. */
struct row {
  enum collective collective;
  uint64_t numbers[NUMBERS];
  char algorithm[CATALOGUE_NAME_SIZE];
};

/* Read TEXT, a row, into ROW.
 * errors: a malformed row. */
static int read_row(const char *text, struct row *row, struct err *err) {
  SCOPED char *left = xstrdup(text);
  char *is = strchr(left, '='), *rest = left, *word = NULL;
  unsigned n = 0;
  *row = (struct row){.numbers = {UINT64_MAX, UINT64_MAX, UINT64_MAX}};
  if (is) {
    *is = '\0';
    word = strsep(&rest, "/");
    row->collective = collective_find(word, strlen(word));
    while (n < NUMBERS && (word = strsep(&rest, "/")) &&
           (strcmp(word, "*") == 0 || units_parse_bytes(word, &row->numbers[n], NULL) == 0)) {
      n++;
    }
  }
  if (!is || !is[1] || strchr(is + 1, '|') || row->collective == COLL_COUNT || (word && n < NUMBERS) ||
      rest || strlen(is + 1) >= sizeof row->algorithm) {
    return err_set(
      err,
      "'%.60s', expected a row such as bcast=tree, bcast/16/4KiB=tree or, for the calls of line 7, "
      "bcast/*/*/7=tree",
      text);
  }
  strcpy(row->algorithm, is + 1);
  return 0;
}

/* Take the next row of *REST, the rest of a map, into ROW; a word is passed over.
 * returns: the text; NULL: no more rows. */
static const char *take_row(char **rest, struct row *row) {
  const char *text;
  while ((text = strsep(rest, ",")) && read_row(text, row, NULL) != 0) {
  }
  return text;
}

enum workload_map_word workload_map_word(const char *map, const char **rows) {
  static const char *const words[] = {"fastest", "published"};
  size_t length = map ? strcspn(map, ",") : 0;
  unsigned i = 0;
  while (i < WORKLOAD_MAP_ROWS && (strlen(words[i]) != length || strncmp(map, words[i], length) != 0)) {
    i++;
  }
  *rows = i == WORKLOAD_MAP_ROWS ? map : map[length] ? map + length + 1 : NULL;
  return (enum workload_map_word)i;
}

int workload_map_read(const char *text, const char **map, struct err *err) {
  static const struct text_kind kind = {1 << 20, "1048576 bytes",
                                        "fastest, published or a map of algorithms"};
  const char *behind;
  bool is_file = *text && !strchr(text, '=') && workload_map_word(text, &behind) == WORKLOAD_MAP_ROWS;
  size_t nbytes;
  unsigned number = 0;
  SCOPED char *copy = is_file ? text_read_file(text, &kind, &nbytes, err) : xstrdup(text), *rows = NULL;
  char *rest = copy;
  for (char *line; copy && (line = strsep(&rest, "\n"));) {
    number++;
    line[strcspn(line, "#\r")] = '\0';
    for (char *each; (each = strsep(&line, ","));) {
      SCOPED char *row = text_tidy(each);
      struct row read;
      struct err why = {""};
      if (!*row) {
        continue;
      }
      bool is_word = !rows && workload_map_word(row, &behind) != WORKLOAD_MAP_ROWS;
      if (!is_word && read_row(row, &read, &why) != 0) {
        return is_file ? err_set(err, "%.200s:%u: %s", text, number, why.text) : err_set(err, "%s", why.text);
      }
      xappend(&rows, rows ? ",%s" : "%s", row);
    }
  }
  *map = text_keep(rows);
  return copy ? 0 : -1;
}

/* Tell whether ROW is for CALL of WORKLOAD. */
static bool fits(const struct row *row, const struct workload *workload, const struct workload_call *call) {
  const uint64_t numbers[NUMBERS] = {workload->groups[call->group].n, call->nbytes, call->line};
  bool is_equal = row->collective == call->collective;
  for (unsigned i = 0; i < NUMBERS; i++) {
    is_equal = is_equal && (row->numbers[i] == UINT64_MAX || row->numbers[i] == numbers[i]);
  }
  return is_equal;
}

/* Refuse the row TEXT, read as ROW, with a line for no call of WORKLOAD. */
static int refuse_line(const struct workload *workload, const char *text, const struct row *row,
                       struct err *err) {
  SCOPED char *lines = xstrdup("");
  unsigned n = 0, last = 0;
  VEC_EACH(call, workload->calls, workload->ncalls) {
    if (call->collective == row->collective && call->line > last) {
      last = call->line;
      xappend(&lines, n < LINES_SHOWN ? "%s%u" : "", n ? ", " : "", last);
      n++;
    }
  }
  const char *collective = collective_name(row->collective);
  return n ? err_set(err, "--map %.100s: no such call, expected %s in line %s%s of %.200s", text, collective,
                     lines, n > LINES_SHOWN ? ", ..." : "", workload->path)
           : err_set(err, "--map %.100s: no %s, expected a collective of %.200s", text, collective,
                     workload->path);
}

int workload_check_map(const struct workload *workload, const char *map, struct err *err) {
  SCOPED char *copy = xstrdup(map ? map : "");
  char *rest = copy;
  struct row row;
  for (const char *text; (text = take_row(&rest, &row));) {
    struct algorithm algorithm;
    struct err why = {""};
    SCOPED char *name = xasprintf("%s:%s", collective_name(row.collective), row.algorithm);
    if (catalogue_find(name, &algorithm, &why) != 0) {
      return err_set(err, "--map %s: %.400s", text, why.text);
    }
    if (row.numbers[ROW_LINE] != UINT64_MAX &&
        !VEC_FIND(workload->calls, workload->ncalls, fits(&row, workload, item))) {
      return refuse_line(workload, text, &row, err);
    }
  }
  return 0;
}

int workload_choose(const struct workload *workload, const struct workload_call *call, const char *map,
                    struct algorithm *algorithm, struct err *err) {
  const char *collective = collective_name(call->collective);
  unsigned nranks = workload->groups[call->group].n;
  struct row row, chosen = {.algorithm = ""};
  struct err why = {""};
  bool named = call->algorithm.algo;
  SCOPED char *copy = xstrdup(map ? map : "");
  char *rest = copy;
  while (take_row(&rest, &row)) {
    bool counts = !named || row.numbers[ROW_LINE] != UINT64_MAX;
    chosen = counts && fits(&row, workload, call) ? row : chosen;
  }
  SCOPED char *name = xasprintf("%s:%s", collective, chosen.algorithm);
  if (named && !*chosen.algorithm) {
    *algorithm = call->algorithm;
  } else if (!*chosen.algorithm) {
    err_set(&why,
            "%s of %zu bytes on %u ranks without an algorithm, expected one, or --map, such as --map fastest",
            collective, call->nbytes, nranks);
  } else {
    catalogue_find(name, algorithm, &why);
  }
  return *why.text ? err_set(err, "%.200s:%u: %.400s", workload->path, call->line, why.text) : 0;
}
