/* SPDX-License-Identifier: BSD-3-Clause
 * Rows with named columns, the form of all results, written as text, csv, markdown or JSON. */
#pragma once

#include "cli/output/provenance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct platform;
struct table;

/* --format. */
enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN, TABLE_JSON, TABLE_GITHUB };

/* Where a table goes, and what JSON output says besides the rows. */
struct table_output {
  enum table_format format;
  const char *path;       /* NULL: standard output */
  const char *second;     /* where the appended table goes; NULL: the same place */
  bool incomplete;        /* rows are missing that were asked for */
  struct provenance from; /* JSON: of no platform null, of one an object, of several a list */
  bool provenance;        /* all but JSON begin with lines `# ...` that say where they come from */
};

/* Create a table without rows; COLUMNS are the names of its columns, separated by commas. */
struct table *table_new(const char *columns);
void table_free(struct table *table);

/* Create a table for rows that another cellcoll has written, `version` and `platform_checksum` included.
 * owner: the caller, with table_free. */
struct table *table_new_foreign(const char *columns);

/* Cells are added from left to right, row by row; the last cell of a row ends it. Cells of the columns
 * `version` and `platform_checksum`, which the text form does not show, add themselves. */

/* Add a cell of TEXT. No csv has a comma, a quote or a control character in a cell, so that here they become
 * a semicolon, an apostrophe and a blank; what is not UTF-8 is written as \xNN. */
void table_add_text(struct table *table, const char *text);

/* Say that the rows from now on are about PLATFORM. */
void table_set_platform(struct table *table, const struct platform *platform);

/* Add a cell with a count. */
void table_add_count(struct table *table, uint64_t count);

/* Add a cell with a number that is shown with DECIMALS digits after the point; not a number or infinite: as
 * table_add_nothing. */
void table_add_real(struct table *table, double number, int decimals);

/* Add a cell with a number that is whole, or a mean, which has one digit after the point unless that is 0. */
void table_add_mean(struct table *table, double number);

/* Add a cell for each conversion of FORMAT: %s a text, or nothing if NULL; %u, %zu, PRIu64 a count; %.Nf a
 * number with N digits after the point, as table_add_real; %p the label of a platform,
 * which this row and later ones are about. */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add an empty cell (JSON: null). */
void table_add_nothing(struct table *table);
void table_add_known(struct table *table, bool is_known, uint64_t count); /* COUNT, or nothing */

/* Let SECOND, which now belongs to TABLE, be written after it: below an empty line as text, with key NAME as
 * JSON; as csv only where it has a file of its own. Once at most; NAME must outlive TABLE. */
void table_append(struct table *table, const char *name, struct table *second);

/* Add a formatted line at the end of the text form. */
void table_note(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add TEXT behind HEAD at the end of the text form in lines of at most TABLE_TEXT_COLUMNS characters. Every
 * line but the first begins with as many blanks as HEAD has characters. */
enum { TABLE_TEXT_COLUMNS = 100 };
void table_note_filled(struct table *table, const char *head, const char *text);

/* Let the text form of TABLE be its notes alone, unless all columns are asked for. */
void table_only_notes(struct table *table);

/* Leave the columns NAMES, separated by commas, out of the text form. */
void table_hide(struct table *table, const char *names);

/* Let the text form of the columns NAMES, separated by commas, have a line for each item of a list. */
void table_stack(struct table *table, const char *names);

/* Let the text form have all columns. */
void table_show_all(struct table *table);

/* Check that TABLE has the N columns NAMES of OPTION, such as --columns.
 * errors: there is no such column; the nearest is suggested. */
int table_has(const struct table *table, const char *option, char *const *names, size_t n, struct err *err);

/* Let all forms of TABLE have the N columns NAMES in this order, and no others.
 * errors: there is no such column; the nearest is suggested. */
int table_select(struct table *table, char *const *names, size_t n, struct err *err);

/* Sort the rows of TABLE by COLUMN, numbers by value; equal rows keep their order, and empty cells are last.
 * */
void table_sort(struct table *table, const char *column);

/* Leave the first N rows of TABLE. */
void table_cut(struct table *table, size_t n);

/* Add the cell of FROM in row ROW and column NAME to TABLE. */
void table_copy_cell(struct table *table, const struct table *from, size_t row, const char *name);

/* Return the number of complete rows. */
size_t table_nrows(const struct table *table);

/* Return what csv shows in row ROW and column NAME; NULL: there is no such column. */
const char *table_cell(const struct table *table, size_t row, const char *name);

/* Return the name of shown column INDEX; NULL: there are no more columns. */
const char *table_column(const struct table *table, size_t index);

/* Return the lines at the end of the text form, and the table appended to TABLE; NULL: none. */
const char *table_notes(const struct table *table);
const struct table *table_second(const struct table *table);

/* --- a table turned, so that the values of a column have columns of their own: table_pivot.c --- */

/* How table_pivot turns a table. */
struct table_pivot {
  const char *by, *across; /* columns: each value has a row; has a column */
  const char *const *keys; /* columns with further rows if their values differ; all others are left out */
  size_t nkeys;
  char *const *values; /* the columns for the cells; of several, names of columns end with the name of one */
  size_t nvalues;
};

/* Return TABLE turned as PIVOT says, with the notes of TABLE; rows and columns stand in the order of TABLE.
 * owner: the caller, with table_free. */
struct table *table_pivot(const struct table *table, const struct table_pivot *pivot);

/* --- writing --- */

/* What is appended to the name of a file that is incomplete. */
#define TABLE_INCOMPLETE ".incomplete"

/* Tell whether incomplete rows go to PATH with TABLE_INCOMPLETE appended; else PATH is no ordinary file. */
bool table_is_renamed(const char *path);

/* Write TABLE in markdown on STREAM, without origin. */
void table_append_markdown(const struct table *table, FILE *stream);

/* Write TABLE, which ends with a complete row, as OUTPUT says. A table that is incomplete says so as text and
 * JSON, and has another name than the one asked for.
 * errors: the file cannot be written; nothing is left behind then. */
int table_write(const struct table *table, const struct table_output *output, struct err *err);
