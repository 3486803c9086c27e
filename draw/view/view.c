/* SPDX-License-Identifier: BSD-3-Clause
 * See view.h: the tables. */
#include "draw/view/view_private.h"

#include "platform/platform.h"
#include "sim/base/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { JOIN_ROWS = 512 /* so many rows back a row to join is looked for */ };

const struct view_form view_forms[] = {
  [VIEW_GRANTS] = {"grants", 5, 64},          [VIEW_CROSSINGS] = {"crossings", 3, 64},
  [VIEW_DELIVERIES] = {"deliveries", 5, 256}, [VIEW_MEMORY] = {"memory", 3, 64},
  [VIEW_ATOMICS] = {"atomics", 5, 0},         [VIEW_COMMANDS] = {"commands", 7, 0},
  [VIEW_PROGRAMS] = {"programs", 4, 0},       [VIEW_PATH] = {"path", 8, 0},
};

unsigned view_columns(const struct view_call *call, enum view_table table) {
  bool is_named = call->nsteps > 0 && (table == VIEW_COMMANDS || table == VIEW_PATH);
  return view_forms[table].columns + is_named + (call->joined && view_forms[table].join_cycles ? 2 : 0);
}

unsigned view_count_chips(const struct view *view) {
  static const enum view_table tables[] = {VIEW_GRANTS, VIEW_MEMORY, VIEW_PROGRAMS};
  int64_t spes = view->platform->spes_per_chip, last = 0;
  for (size_t i = 0; i < view->ncalls; i++) {
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
      const struct view_rows *rows = &view->calls[i]->rows[tables[t]];
      for (size_t k = 0; k < rows->n; k++) {
        int64_t who = rows->cells[k * view_columns(view->calls[i], tables[t]) + 1];
        int64_t chip = tables[t] != VIEW_PROGRAMS ? who : who < 0 ? -1 - who : who / spes;
        last = chip > last ? chip : last;
      }
    }
  }
  return (unsigned)last + 1;
}

void view_add(struct view_call *call, enum view_table table, const int64_t *row) {
  struct view_rows *rows = &call->rows[table];
  unsigned columns = view_columns(call, table);
  if (rows->n == rows->room) {
    rows->room = 2 * rows->room + 64;
    rows->cells = xrealloc(rows->cells, rows->room * columns, sizeof *rows->cells);
  }
  memcpy(&rows->cells[rows->n++ * columns], row, columns * sizeof *row);
}

/* Compare two rows of as many columns as CONTEXT says, by the first column that differs. */
static int compare(const void *a, const void *b, void *context) {
  const int64_t *one = a, *other = b;
  unsigned columns = *(const unsigned *)context, i = 0;
  while (i + 1 < columns && one[i] == other[i]) {
    i++;
  }
  return (one[i] > other[i]) - (one[i] < other[i]);
}

void view_sort(struct view_call *call) {
  for (unsigned i = 0; i < VIEW_TABLES; i++) {
    struct view_rows *rows = &call->rows[i];
    unsigned columns = view_columns(call, i);
    if (rows->n > 0) {
      qsort_r(rows->cells, rows->n, columns * sizeof *rows->cells, compare, &columns);
    }
  }
}

/* Return the row of CALL's TABLE that ROW, of the form before joining, continues; NULL: there is none. */
static int64_t *find_stream(struct view_call *call, enum view_table table, const int64_t *row) {
  struct view_rows *rows = &call->rows[table];
  unsigned plain = view_forms[table].columns;
  size_t same = (plain - 1 - (table == VIEW_DELIVERIES)) * sizeof *row; /* the last column has the bytes */
  for (size_t i = rows->n; i > 0 && rows->n - i < JOIN_ROWS; i--) {
    int64_t *stream = &rows->cells[(i - 1) * (plain + 2)];
    if (row[0] - stream[0] - stream[plain + 1] < view_forms[table].join_cycles &&
        memcmp(row + 1, stream + 1, same) == 0) {
      return stream;
    }
  }
  return NULL;
}

void view_join(struct view_call *call) {
  view_sort(call);
  call->joined = true;
  for (unsigned table = 0; table < VIEW_TABLES; table++) {
    struct view_rows plain = call->rows[table];
    unsigned columns = view_forms[table].columns;
    if (!view_forms[table].join_cycles) {
      continue;
    }
    call->rows[table] = (struct view_rows){0};
    for (size_t i = 0; i < plain.n; i++) {
      int64_t row[VIEW_COLUMNS_MAX + 2], *stream = find_stream(call, table, &plain.cells[i * columns]);
      if (stream) {
        stream[columns - 1] += table == VIEW_DELIVERIES ? plain.cells[i * columns + columns - 1] : 0;
        stream[columns]++;
        stream[columns + 1] = plain.cells[i * columns] - stream[0];
      } else {
        memcpy(row, &plain.cells[i * columns], columns * sizeof *row);
        row[columns] = 1;
        row[columns + 1] = 0;
        view_add(call, table, row);
      }
    }
    free(plain.cells);
  }
}

void view_write_rows(const struct view_call *call, FILE *stream) {
  for (unsigned i = 0; i < VIEW_TABLES; i++) {
    const struct view_rows *rows = &call->rows[i];
    unsigned columns = view_columns(call, i);
    int64_t last = 0;
    fprintf(stream, "%s\"%s\":[%u", i ? "," : "", view_forms[i].name, columns);
    for (size_t j = 0; j < rows->n * columns; j++) {
      fprintf(stream, ",%" PRId64, rows->cells[j] - (j % columns == 0 ? last : 0));
      last = j % columns == 0 ? rows->cells[j] : last;
    }
    fputs("]", stream);
  }
}

void view_call_free(struct view_call *call) {
  for (unsigned i = 0; call && i < VIEW_TABLES; i++) {
    free(call->rows[i].cells);
  }
  if (call) {
    free(call->title);
    free(call->note);
    free(call->steps);
    free(call);
  }
}
