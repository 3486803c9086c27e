/* SPDX-License-Identifier: BSD-3-Clause
 * Tables turned: table_pivot of table.h. */
#include "cli/table.h"

#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Tell whether TABLE has column NAME with different cells. */
static bool differs(const struct table *table, const char *name) {
  bool has = table_cell(table, 0, name) != NULL, differ = false;
  for (size_t i = 1; i < table_nrows(table) && has && !differ; i++) {
    differ = strcmp(table_cell(table, i, name), table_cell(table, 0, name)) != 0;
  }
  return differ;
}

/* Return the cells of row ROW of TABLE in the columns NAMES, separated by commas.
 * owner: the caller. */
static char *key_of(const struct table *table, size_t row, const char *names) {
  char *key = NULL;
  SCOPED char *copy = xstrdup(names);
  for (char *rest = copy, *name; (name = strsep(&rest, ","));) {
    xappend(&key, "%s,", table_cell(table, row, name));
  }
  return key;
}

/* Return the index of TEXT among the N TEXTS; N: TEXT is not there. */
static size_t find_text(char *const *texts, size_t n, const char *text) {
  return VEC_INDEX(texts, n, strcmp(*item, text) == 0);
}

struct table *table_pivot(const struct table *table, const struct table_pivot *pivot) {
  size_t n = table_nrows(table), nheads = 0;
  SCOPED char *keys = xstrdup(pivot->by), *names = NULL;
  SCOPED char **heads = xcalloc(n, sizeof *heads), **rows = xcalloc(n, sizeof *rows);
  for (size_t k = 0; k < pivot->nkeys; k++) {
    if (strcmp(pivot->keys[k], pivot->by) != 0 && differs(table, pivot->keys[k])) {
      xappend(&keys, ",%s", pivot->keys[k]);
    }
  }
  xappend(&names, "%s", keys);
  for (size_t i = 0; i < n; i++) {
    char *head = (char *)table_cell(table, i, pivot->across);
    rows[i] = key_of(table, i, keys);
    if (find_text(heads, nheads, head) == nheads) {
      heads[nheads++] = head;
      for (size_t v = 0; v < pivot->nvalues; v++) {
        xappend(&names, ",%s%s%s", head, pivot->nvalues > 1 ? " " : "",
                pivot->nvalues > 1 ? pivot->values[v] : "");
      }
    }
  }
  struct table *turned = table_new_foreign(names);
  SCOPED size_t *places = xcalloc(nheads, sizeof *places);
  for (size_t i = 0; i < n; i++) {
    if (find_text(rows, n, rows[i]) < i) {
      continue; /* part of an earlier row */
    }
    SCOPED char *copy = xstrdup(keys);
    for (char *rest = copy, *name; (name = strsep(&rest, ","));) {
      table_copy_cell(turned, table, i, name);
    }
    for (size_t h = 0; h < nheads; h++) {
      places[h] = n;
    }
    for (size_t j = n; j-- > i;) { /* of equal calls the first counts */
      if (strcmp(rows[i], rows[j]) == 0) {
        places[find_text(heads, nheads, table_cell(table, j, pivot->across))] = j;
      }
    }
    for (size_t c = 0; c < nheads * pivot->nvalues; c++) {
      size_t place = places[c / pivot->nvalues];
      if (place < n) {
        table_copy_cell(turned, table, place, pivot->values[c % pivot->nvalues]);
      } else {
        table_add_nothing(turned);
      }
    }
  }
  for (size_t i = 0; i < n; i++) {
    free(rows[i]);
  }
  if (table_notes(table)) {
    table_note(turned, "%.*s", (int)strlen(table_notes(table)) - 1, table_notes(table));
  }
  return turned;
}
