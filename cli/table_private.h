/* SPDX-License-Identifier: BSD-3-Clause
 * What the forms of a table share; for table.c and table_text.c only. */
#pragma once

#include "cli/table.h"

enum cell_kind { CELL_NOTHING, CELL_TEXT, CELL_COUNT, CELL_REAL };

struct cell {
  enum cell_kind kind;
  char *text;
};

struct table {
  char *names; /* what columns point into */
  char **columns;
  bool *hidden, *stacked; /* per column: not in the text form; a line for each item of a list there */
  size_t ncolumns;
  size_t *order, nshown; /* indexes of the columns that are written, see table_select */
  struct cell *cells;    /* row by row */
  size_t ncells;
  struct table *second; /* written after this one; NULL: none */
  const char *second_name;
  char *notes;       /* lines; NULL: none */
  uint64_t checksum; /* of the platform that rows are about */
  bool foreign;      /* columns about the origin are filled from outside */
  bool only_notes;   /* the text form has no rows */
};

/* Write TABLE as text on STREAM: also the appended table without a file of its own, and the notes. SEEN: for
 * standard output, with colours and in lines of the terminal. */
void table_write_text(const struct table *table, const struct table_output *output, bool seen, FILE *stream);

/* The same in markdown: the notes stand in a block of code. */
void table_write_markdown(const struct table *table, const struct table_output *output, FILE *stream);
