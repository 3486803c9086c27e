/* SPDX-License-Identifier: BSD-3-Clause
 * Tables turned: table_pivot of table.h. */
#include "cli/table.h"

#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <string.h>

/* Tell whether TABLE has column NAME with different cells. */
static bool differs(const struct table *table, const char *name) {
  bool has = table_cell(table, 0, name) != NULL, differ = false;
  for (size_t i = 1; i < table_nrows(table) && has && !differ; i++) {
    differ = strcmp(table_cell(table, i, name), table_cell(table, 0, name)) != 0;
  }
  return differ;
}

struct table *table_pivot(const struct table *table, const struct table_pivot *pivot) {
  size_t n = table_nrows(table), nheads = 0, nkeys = 0;
  SCOPED const char **keys = xcalloc(pivot->nkeys + 1, sizeof *keys); /* columns */
  SCOPED const char **heads = xcalloc(n, sizeof *heads), **rows = xcalloc(n, sizeof *rows);
  SCOPED char *names = xstrdup(pivot->by);
  keys[nkeys++] = pivot->by;
  for (size_t k = 0; k < pivot->nkeys; k++) {
    if (strcmp(pivot->keys[k], pivot->by) != 0 && differs(table, pivot->keys[k])) {
      keys[nkeys++] = pivot->keys[k];
      xappend(&names, ",%s", pivot->keys[k]);
    }
  }
  for (size_t i = 0; i < n; i++) {
    SCOPED char *row = NULL;
    const char *head = text_keep(table_cell(table, i, pivot->across));
    for (size_t k = 0; k < nkeys; k++) {
      xappend(&row, "%s,", table_cell(table, i, keys[k]));
    }
    rows[i] = text_keep(row);
    if (!VEC_FIND(heads, nheads, *item == head)) {
      heads[nheads++] = head;
      VEC_EACH(value, pivot->values, pivot->nvalues) {
        xappend(&names, pivot->nvalues > 1 ? ",%s %s" : ",%s", head, *value);
      }
    }
  }
  struct table *turned = table_new_foreign(names);
  for (size_t i = 0; i < n; i++) {
    if (VEC_INDEX(rows, n, *item == rows[i]) < i) {
      continue; /* part of an earlier row */
    }
    for (size_t k = 0; k < nkeys; k++) {
      table_copy_cell(turned, table, i, keys[k]);
    }
    VEC_EACH(head, heads, nheads) {
      size_t at = i; /* of equal calls the first counts */
      while (at < n && (rows[at] != rows[i] || strcmp(table_cell(table, at, pivot->across), *head) != 0)) {
        at++;
      }
      VEC_EACH(value, pivot->values, pivot->nvalues) {
        if (at < n) {
          table_copy_cell(turned, table, at, *value);
        } else {
          table_add_nothing(turned);
        }
      }
    }
  }
  if (table_notes(table)) {
    table_note(turned, "%.*s", (int)strlen(table_notes(table)) - 1, table_notes(table));
  }
  return turned;
}
