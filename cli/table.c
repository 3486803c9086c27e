/* SPDX-License-Identifier: BSD-3-Clause
 * See table.h.
 *
 * Invariant: each cell is kept as the text that csv shows; JSON numbers are read back from it, so that all
 * formats say the same. */
#include "cli/output/terminal.h"
#include "cli/sweep.h"
#include "cli/table.h"
#include "config.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* Columns that the table fills itself. */
static const char version_column[] = "version", checksum_column[] = "platform_checksum";

struct table *table_new(const char *columns) {
  struct table *table = xcalloc(1, sizeof *table);
  table->names = xstrdup(columns);
  for (char *rest = table->names; rest;) {
    VEC_ADD(table->columns, table->ncolumns) = strsep(&rest, ",");
  }
  table->hidden = xcalloc(table->ncolumns, sizeof *table->hidden);
  table->stacked = xcalloc(table->ncolumns, sizeof *table->stacked);
  table->order = xcalloc(table->ncolumns, sizeof *table->order);
  table->nshown = table->ncolumns;
  for (size_t c = 0; c < table->ncolumns; c++) {
    table->order[c] = c;
    table->hidden[c] =
      strcmp(table->columns[c], version_column) == 0 || strcmp(table->columns[c], checksum_column) == 0;
  }
  return table;
}

struct table *table_new_foreign(const char *columns) {
  struct table *table = table_new(columns);
  table->foreign = true;
  return table;
}

void table_free(struct table *table) {
  if (!table) {
    return;
  }
  VEC_EACH(cell, table->cells, table->ncells) {
    free(cell->text);
  }
  table_free(table->second);
  free(table->notes);
  free(table->cells);
  free(table->columns);
  free(table->hidden);
  free(table->stacked);
  free(table->order);
  free(table->names);
  free(table);
}

/* Add a cell, the owner of TEXT, and the cells that come next and tell of the origin of a row. */
static void add_cell(struct table *table, enum cell_kind kind, char *text) {
  for (; text; kind = CELL_TEXT) {
    VEC_ADD(table->cells, table->ncells) = (struct cell){kind, text};
    const char *next = table->foreign ? "" : table->columns[table->ncells % table->ncolumns];
    text = strcmp(next, version_column) == 0    ? xstrdup(PACKAGE_VERSION)
           : strcmp(next, checksum_column) == 0 ? xasprintf("%016" PRIx64, table->checksum)
                                                : NULL;
  }
}

void table_add_text(struct table *table, const char *text) {
  char *plain = text_to_utf8(text);
  for (char *c = plain; *c; c++) {
    if (*c == ',' || *c == '"') {
      *c = *c == ',' ? ';' : '\'';
    } else if ((unsigned char)*c < ' ' || *c == 0x7f) {
      *c = ' ';
    }
  }
  add_cell(table, CELL_TEXT, plain);
}

void table_set_platform(struct table *table, const struct platform *platform) {
  table->checksum = platform->checksum;
}

void table_add_count(struct table *table, uint64_t count) {
  add_cell(table, CELL_COUNT, xasprintf("%" PRIu64, count));
}

void table_add_real(struct table *table, double number, int decimals) {
  if (!isfinite(number)) {
    table_add_nothing(table);
    return;
  }
  char *text = xasprintf("%.*f", decimals, number);
  if (*text == '-' && strspn(text + 1, "0.") == strlen(text + 1)) {
    memmove(text, text + 1, strlen(text));
  }
  add_cell(table, CELL_REAL, text);
}

void table_add_mean(struct table *table, double number) {
  if (fabs(number - round(number)) < 0.05) {
    table_add_count(table, (uint64_t)round(number));
  } else {
    table_add_real(table, number, 1);
  }
}

void table_add_nothing(struct table *table) {
  add_cell(table, CELL_NOTHING, xstrdup(""));
}

void table_add_known(struct table *table, bool is_known, uint64_t count) {
  if (is_known) {
    table_add_count(table, count);
  } else {
    table_add_nothing(table);
  }
}

void table_add(struct table *table, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (const char *next = strchr(format, '%'); next; next = strchr(next, '%')) {
    int decimals = 0;
    bool is_size = false, is_long = false;
    const char *text;
    const struct platform *platform;
    for (next++; strspn(next, ".*0123456789zl"); next++) {
      is_size |= *next == 'z';
      is_long |= *next == 'l';
      decimals = *next == '*'                   ? va_arg(arguments, int)
                 : *next >= '0' && *next <= '9' ? *next - '0'
                                                : decimals;
    }
    switch (*next) {
    case 's':
      text = va_arg(arguments, const char *);
      text ? table_add_text(table, text) : table_add_nothing(table);
      break;
    case 'u':
      table_add_count(table, is_size   ? va_arg(arguments, size_t)
                             : is_long ? va_arg(arguments, uint64_t)
                                       : va_arg(arguments, unsigned));
      break;
    case 'f':
      table_add_real(table, va_arg(arguments, double), decimals);
      break;
    case 'p':
      platform = va_arg(arguments, const struct platform *);
      table_set_platform(table, platform);
      table_add_text(table, sweep_label(platform));
      break;
    default:
      assert(!"a conversion of table_add");
    }
  }
  va_end(arguments);
}

void table_append(struct table *table, const char *name, struct table *second) {
  assert(!table->second);
  table->second = second;
  table->second_name = name;
}

void table_note(struct table *table, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  SCOPED char *line = xvasprintf(format, arguments);
  va_end(arguments);
  xappend(&table->notes, "%s\n", line);
}

void table_note_filled(struct table *table, const char *head, const char *text) {
  SCOPED char *lines =
    terminal_wrapped(text, (unsigned)strlen(head), strstr(text, "cellcoll ") ? UINT_MAX : TABLE_TEXT_COLUMNS);
  xappend(&table->notes, "%s%s", head, lines);
}

/* Return the number of column NAME, or that of columns if there is none. */
static size_t find_column(const struct table *table, const char *name) {
  return VEC_INDEX(table->columns, table->ncolumns, strcmp(*item, name) == 0);
}

static void mark_columns(const struct table *table, bool *marks, const char *names) {
  SCOPED char *copy = xstrdup(names);
  for (char *rest = copy, *name; (name = strsep(&rest, ","));) {
    size_t c = find_column(table, name);
    assert(c < table->ncolumns);
    marks[c] = true;
  }
}

void table_hide(struct table *table, const char *names) {
  mark_columns(table, table->hidden, names);
}

void table_stack(struct table *table, const char *names) {
  mark_columns(table, table->stacked, names);
}

void table_only_notes(struct table *table) {
  table->only_notes = true;
}

void table_show_all(struct table *table) {
  table->only_notes = false;
  memset(table->hidden, 0, table->ncolumns * sizeof *table->hidden);
}

int table_has(const struct table *table, const char *option, char *const *names, size_t n, struct err *err) {
  char *const *unknown = VEC_FIND(names, n, find_column(table, *item) == table->ncolumns);
  if (!unknown) {
    return 0;
  }
  const char *nearest = suggest_nearest(*unknown, (const char *const *)table->columns, table->ncolumns);
  return nearest ? err_set(err, "%s: unknown column '%s'; did you mean '%s'?", option, *unknown, nearest)
                 : err_set(err, "%s: unknown column '%s', expected one of --format=csv", option, *unknown);
}

int table_select(struct table *table, char *const *names, size_t n, struct err *err) {
  if (table_has(table, "--columns", names, n, err) != 0) {
    return -1;
  }
  table->order = xrealloc(table->order, n, sizeof *table->order);
  for (table->nshown = 0; table->nshown < n; table->nshown++) {
    table->order[table->nshown] = find_column(table, names[table->nshown]);
  }
  table_show_all(table);
  return 0;
}

size_t table_nrows(const struct table *table) {
  return table->ncells / table->ncolumns;
}

/* Compare two rows by the cells that A and B point to; of equal ones the first row stays in front. */
static int compare_rows(const void *a, const void *b) {
  const struct cell *one = *(const struct cell *const *)a, *other = *(const struct cell *const *)b;
  int order = (one->kind == CELL_NOTHING) - (other->kind == CELL_NOTHING);
  if (order == 0 && one->kind >= CELL_COUNT && other->kind >= CELL_COUNT) {
    double difference = strtod(one->text, NULL) - strtod(other->text, NULL);
    order = (difference > 0) - (difference < 0);
  } else if (order == 0) {
    order = strcmp(one->text, other->text);
  }
  return order ? order : (one > other) - (one < other);
}

void table_sort(struct table *table, const char *column) {
  size_t n = table_nrows(table), width = table->ncolumns, c = find_column(table, column);
  SCOPED const struct cell **rows = xcalloc(n, sizeof *rows);
  SCOPED struct cell *cells = xcalloc(table->ncells, sizeof *cells);
  for (size_t i = 0; i < n; i++) {
    rows[i] = &table->cells[i * width + c];
  }
  qsort(rows, n, sizeof *rows, compare_rows);
  for (size_t i = 0; i < n; i++) {
    memcpy(&cells[i * width], rows[i] - c, width * sizeof *cells);
  }
  memcpy(table->cells, cells, table->ncells * sizeof *cells);
}

void table_cut(struct table *table, size_t n) {
  while (table->ncells > n * table->ncolumns) {
    free(table->cells[--table->ncells].text);
  }
}

void table_copy_cell(struct table *table, const struct table *from, size_t row, const char *name) {
  const struct cell *cell = &from->cells[row * from->ncolumns + find_column(from, name)];
  VEC_ADD(table->cells, table->ncells) = (struct cell){cell->kind, xstrdup(cell->text)};
}

const char *table_cell(const struct table *table, size_t row, const char *name) {
  size_t c = find_column(table, name);
  return c < table->ncolumns ? table->cells[row * table->ncolumns + c].text : NULL;
}

const char *table_column(const struct table *table, size_t index) {
  return index < table->nshown ? table->columns[table->order[index]] : NULL;
}

const char *table_notes(const struct table *table) {
  return table->notes;
}

const struct table *table_second(const struct table *table) {
  return table->second;
}

/* --- text, and markdown: in a pipe and in a file a row is one line. On a terminal too narrow for that,
 * columns with one value in all rows are told once, and names of columns and words are broken into lines. A
 * row still too wide, or alone, is a list of its cells. --- */

enum {
  NARROWEST = 12, /* column of words made narrower */
  LIST_NAME = 20, /* name of a cell in a list */
};

static const char incomplete[] = "incomplete: what was not finished is missing\n";

/* How the text form is laid out. */
struct layout {
  int *widths;   /* per column; 0: not written */
  bool *numbers; /* per column: aligned to the right */
  int blanks;    /* between columns */
  bool colours;
  unsigned columns; /* characters of a line */
};

/* Return how many of the N bytes of TEXT, longer than WIDTH, are one line: up to a mark; N: there is none. */
static size_t break_at(const char *text, size_t n, int width) {
  static const char *const marks[] = {" :;", "-,|._="};
  VEC_EACH(mark, marks, VEC_LENGTH(marks)) {
    for (size_t length = (size_t)width; length > 0; length--) {
      if (strchr(*mark, text[length - 1])) {
        return length;
      }
    }
  }
  size_t length = strcspn(text, " :;-,|._=") + 1;
  return MIN(length, n);
}

/* Take the next line of a cell in column C, of at most WIDTH characters, from the front of *REST.
 * returns: the line, of NBYTES, perhaps 0; *REST is empty when there is none. */
static const char *take_line(const struct table *table, size_t c, int width, const char **rest,
                             size_t *nbytes) {
  const char *text = *rest;
  size_t item = table->stacked[c] ? strcspn(text, ";") : strlen(text);
  size_t length = text_width(text, item) > width ? break_at(text, item, width) : item;
  *nbytes = length - (length < item && text[length - 1] == ' ');
  *rest = text + length;
  *rest += length == item && **rest == ';' ? 1 : strspn(*rest, " ");
  return text;
}

/* Return the width of column C with words broken into lines of about MOST characters, and if BROKEN with the
 * name of the column broken as well. */
static int column_width(const struct table *table, size_t c, bool broken, int most) {
  int width = 0;
  size_t length;
  for (const char *name = table->columns[c]; *name; name += length) {
    length = strcspn(name, broken ? "_" : "");
    length += name[length] != '\0';
    RAISE(width, text_width(name, length));
  }
  for (size_t i = c; i < table->ncells; i += table->ncolumns) {
    const char *rest = table->cells[i].text;
    while (*rest) {
      size_t nbytes;
      const char *line = take_line(table, c, most, &rest, &nbytes);
      int cell = text_width(line, nbytes);
      RAISE(width, cell);
    }
  }
  return width;
}

/* Leave the columns with the same cell in all rows out of LAYOUT.
 * returns: names and cells of these columns; NULL: there are none.
 * owner: the caller. */
static char *tell_once(const struct table *table, struct layout *layout) {
  char *told = NULL;
  VEC_EACH(shown, table->order, table->nshown) {
    size_t c = *shown, i = c;
    while (i < table->ncells && strcmp(table->cells[i].text, table->cells[c].text) == 0) {
      i += table->ncolumns;
    }
    if (layout->widths[c] > 0 && i >= table->ncells) {
      layout->widths[c] = 0;
      if (*table->cells[c].text) {
        xappend(&told, "%s%s %s", told ? ", " : "in all rows: ", table->columns[c], table->cells[c].text);
      }
    }
  }
  return told;
}

/* Return the width of a row in LAYOUT, and the WIDEST column of words. */
static unsigned row_width(const struct table *table, const struct layout *layout, size_t *widest) {
  int width = 0, most = -1;
  for (size_t c = 0; c < table->ncolumns; c++) {
    width += layout->widths[c] > 0 ? layout->widths[c] + layout->blanks : 0;
    if (!layout->numbers[c] && layout->widths[c] > most) {
      *widest = c;
      most = layout->widths[c];
    }
  }
  return (unsigned)(width > 0 ? width - layout->blanks : 0);
}

/* Make LAYOUT narrower until a row fits into a line: names of columns, then words, then blanks. */
static void make_narrow(const struct table *table, struct layout *layout) {
  unsigned columns = layout->columns;
  size_t widest;
  for (size_t c = 0; c < table->ncolumns && row_width(table, layout, &widest) > columns; c++) {
    layout->widths[c] = layout->widths[c] ? column_width(table, c, true, INT_MAX) : 0;
  }
  while (row_width(table, layout, &widest) > columns && layout->widths[widest] > NARROWEST) {
    layout->widths[widest]--;
  }
  for (size_t c = 0; c < table->ncolumns; c++) { /* a word without a mark may be longer */
    bool is_narrow = layout->widths[c] == NARROWEST && !layout->numbers[c];
    layout->widths[c] = is_narrow ? column_width(table, c, true, NARROWEST) : layout->widths[c];
  }
  layout->blanks = row_width(table, layout, &widest) > columns ? 1 : layout->blanks;
}

/* Write a row: the names of the columns, or CELLS if not NULL. */
static void write_row(const struct table *table, const struct layout *layout, const struct cell *cells,
                      FILE *stream) {
  SCOPED const char **rests = xcalloc(table->ncolumns, sizeof *rests);
  for (size_t c = 0; c < table->ncolumns; c++) {
    rests[c] = cells ? cells[c].text : table->columns[c];
  }
  for (bool more = true; more;) {
    int blanks = 0; /* not yet written, so that no line ends in them */
    more = false;
    VEC_EACH(shown, table->order, table->nshown) {
      size_t nbytes, c = *shown;
      int width = layout->widths[c];
      if (width == 0) {
        continue;
      }
      const char *text = take_line(table, c, width, &rests[c], &nbytes);
      int used = text_width(text, nbytes), padding = used < width ? width - used : 0;
      more |= *rests[c] != '\0';
      blanks += layout->numbers[c] ? padding : 0;
      if (nbytes > 0) {
        enum terminal_look look = !layout->colours ? TERMINAL_PLAIN
                                  : cells          ? terminal_look_of(table->columns[c], text)
                                                   : TERMINAL_HEAD;
        fprintf(stream, "%*s%s%.*s%s", blanks, "", terminal_begin(look), (int)nbytes, text,
                terminal_end(look));
        blanks = 0;
      }
      blanks += layout->blanks + (layout->numbers[c] ? 0 : padding);
    }
    fputc('\n', stream);
  }
}

/* Write the CELLS of a row as a list of names and values, without empty cells. */
static void write_list(const struct table *table, const struct layout *layout, const struct cell *cells,
                       FILE *stream) {
  int width = (int)layout->columns - LIST_NAME - 1;
  VEC_EACH(shown, table->order, table->nshown) {
    size_t c = *shown, nbytes;
    const char *name = table->columns[c], *rest = layout->widths[c] > 0 ? cells[c].text : "";
    for (; *rest; name = "") {
      const char *line = take_line(table, c, MAX(width, NARROWEST), &rest, &nbytes);
      fprintf(stream, "%-*s %.*s\n", LIST_NAME, name, (int)nbytes, line);
    }
  }
}

/* Write the lines of NOTES, none if NULL, in lines of COLUMNS characters with the same indent. */
static void write_notes(const char *notes, unsigned columns, FILE *stream) {
  for (size_t length; notes && *notes; notes += length + (notes[length] == '\n')) {
    length = strcspn(notes, "\n");
    SCOPED char *line = strndup(notes, length);
    unsigned indent = (unsigned)strspn(line, " ");
    bool is_command = strstr(line, "cellcoll "); /* stays whole, to be copied */
    if (!is_command && (unsigned)text_width(notes, length) > columns) {
      fprintf(stream, "%*s", (int)indent, "");
      terminal_wrap(line + indent, indent, columns, stream);
    } else {
      fprintf(stream, "%s\n", line);
    }
  }
}

/* Tell whether column C of TABLE has numbers. */
static bool has_numbers(const struct table *table, size_t c) {
  bool some = false;
  for (size_t i = c; i < table->ncells; i += table->ncolumns) {
    some |= table->cells[i].kind >= CELL_COUNT;
  }
  return some;
}

/* Write the rows of TABLE in lines of COLUMNS characters. */
static void write_rows(const struct table *table, bool colours, unsigned columns, FILE *stream) {
  size_t n = table->ncolumns, nrows = table_nrows(table), widest = 0;
  struct layout layout = {xcalloc(n, sizeof *layout.widths), xcalloc(n, sizeof *layout.numbers), 2, colours,
                          columns};
  VEC_EACH(shown, table->order, table->nshown) {
    size_t c = *shown;
    layout.widths[c] = table->hidden[c] ? 0 : column_width(table, c, false, INT_MAX);
    layout.numbers[c] = has_numbers(table, c);
  }
  bool has_room = row_width(table, &layout, &widest) <= columns;
  SCOPED char *told = has_room || nrows < 2 ? NULL : tell_once(table, &layout);
  if (row_width(table, &layout, &widest) > columns) {
    make_narrow(table, &layout);
  }
  bool is_list = !has_room && (nrows == 1 || row_width(table, &layout, &widest) > columns);
  if (!is_list && (nrows > 0 || !table->notes)) { /* else the notes say why there is nothing */
    write_row(table, &layout, NULL, stream);
  }
  for (size_t row = 0; row < nrows; row++) {
    const struct cell *cells = &table->cells[row * n];
    if (is_list) {
      fputs(row > 0 ? "\n" : "", stream);
      write_list(table, &layout, cells, stream);
    } else {
      write_row(table, &layout, cells, stream);
    }
  }
  write_notes(told, columns, stream);
  free(layout.widths);
  free(layout.numbers);
}

/* Write the rows of TABLE in markdown: the names of the columns, the alignment, the cells. */
static void write_markdown_rows(const struct table *table, FILE *stream) {
  for (size_t line = 0; line < table_nrows(table) + 2; line++) {
    VEC_EACH(shown, table->order, table->nshown) {
      size_t c = *shown;
      const char *text = table->columns[c];
      if (line > 0) {
        const char *rule = has_numbers(table, c) ? "---:" : "---";
        text = line == 1 ? rule : table->cells[(line - 2) * table->ncolumns + c].text;
      }
      for (fputs(table->hidden[c] ? "" : "| ", stream); *text && !table->hidden[c]; text++) {
        fprintf(stream, *text == '|' ? "\\%c" : "%c", *text);
      }
      fputs(table->hidden[c] ? "" : " ", stream);
    }
    fputs("|\n", stream);
  }
}

/* Write TABLE for people on STREAM: also the appended table without a file of its own, and the notes, in
 * markdown as a block of code. SEEN: for standard output, with colours and in lines of the terminal. */
static void write_for_people(const struct table *table, const struct table_output *output, bool seen,
                             FILE *stream) {
  unsigned columns = seen ? terminal_columns() : UINT_MAX;
  bool colours = seen && terminal_has_colours(stdout), is_markdown = output->format == TABLE_MARKDOWN;
  bool is_block = is_markdown && (table->notes || output->incomplete);
  const struct table *const parts[] = {table->only_notes ? NULL : table,
                                       output->second ? NULL : table->second};
  for (size_t i = 0; i < 2; i++) {
    fputs(i == 1 && parts[i] ? "\n" : "", stream);
    if (parts[i] && is_markdown) {
      write_markdown_rows(parts[i], stream);
    } else if (parts[i]) {
      write_rows(parts[i], colours, columns, stream);
    }
  }
  fputs(is_block ? "\n```\n" : "", stream);
  write_notes(table->notes, columns, stream);
  fputs(output->incomplete ? incomplete : "", stream);
  fputs(is_block ? "```\n" : "", stream);
}

/* --- csv and JSON --- */

static void write_csv(const struct table *table, FILE *stream) {
  for (size_t row = 0; row <= table_nrows(table); row++) {
    for (size_t k = 0; k < table->nshown; k++) {
      size_t c = table->order[k];
      fprintf(stream, "%s%s", k ? "," : "",
              row ? table->cells[(row - 1) * table->ncolumns + c].text : table->columns[c]);
    }
    fputc('\n', stream);
  }
}

static json_t *cell_to_json(const struct cell *cell) {
  switch (cell->kind) {
  case CELL_TEXT:
    return *cell->text ? json_string(cell->text) : json_null(); /* as a number that there is not */
  case CELL_COUNT:
    return json_integer((json_int_t)strtoll(cell->text, NULL, 10));
  case CELL_REAL:
    return json_real(strtod(cell->text, NULL));
  case CELL_NOTHING:
    break;
  }
  return json_null();
}

static json_t *platform_to_json(const struct platform *platform) {
  return json_pack("{s:s, s:s, s:s, s:s}", "name", platform->name, "checksum",
                   text_brief("%016" PRIx64, platform->checksum), "overrides", platform->overrides, "profile",
                   platform->software.profile);
}

static json_t *platforms_to_json(const struct table_output *output) {
  if (output->from.nplatforms == 0) {
    return json_null();
  }
  if (output->from.nplatforms == 1) {
    return platform_to_json(output->from.platforms[0]);
  }
  json_t *list = json_array();
  VEC_EACH(platform, output->from.platforms, output->from.nplatforms) {
    json_array_append_new(list, platform_to_json(*platform));
  }
  return list;
}

static json_t *rows_to_json(const struct table *table) {
  json_t *rows = json_array();
  for (size_t i = 0; i < table_nrows(table); i++) {
    json_t *row = json_object();
    VEC_EACH(shown, table->order, table->nshown) {
      size_t c = *shown;
      json_object_set_new(row, table->columns[c], cell_to_json(&table->cells[i * table->ncolumns + c]));
    }
    json_array_append_new(rows, row);
  }
  return rows;
}

/* Write one object: who made this, from what, and the rows. */
static void write_json(const struct table *table, const struct table_output *output, FILE *stream) {
  json_t *arguments = json_array();
  VEC_EACH(word, output->from.arguments, output->from.narguments) {
    SCOPED char *argument = text_to_utf8(*word);
    json_array_append_new(arguments, json_string(argument));
  }
  json_t *root = json_pack("{s:s, s:s, s:o, s:o, s:s, s:o, s:b, s:o}", "program", PACKAGE_NAME, "version",
                           PACKAGE_VERSION, "provenance", provenance_to_json(&output->from), "platform",
                           platforms_to_json(output), "command", output->from.command, "arguments", arguments,
                           "complete", !output->incomplete, "rows", rows_to_json(table));
  if (table->second && !output->second) {
    json_object_set_new(root, table->second_name, rows_to_json(table->second));
  }
  json_dumpf(root, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
  fputc('\n', stream);
  json_decref(root);
}

bool table_is_renamed(const char *path) {
  struct stat status;
  return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* Write TABLE alone, or with what is appended to it where that has no file of its own; text on standard
 * output through the pager. */
static int write_one(const struct table *table, const struct table_output *output, struct err *err) {
  assert(table->ncells % table->ncolumns == 0);
  struct outfile file;
  bool seen = !output->path && output->format == TABLE_TEXT, is_markdown = output->format == TABLE_MARKDOWN;
  bool renamed = output->path && output->incomplete && table_is_renamed(output->path);
  SCOPED char *path = renamed ? xasprintf("%s%s", output->path, TABLE_INCOMPLETE) : NULL, *text = NULL;
  if (seen) {
    file.stream = text_open(&text);
  } else if (outfile_open(&file, path ? path : output->path, err) != 0) {
    return -1;
  }
  if (output->provenance && output->format != TABLE_JSON) {
    provenance_write(&output->from, is_markdown ? "    " : "# ", file.stream);
    fputs(is_markdown ? "\n" : "", file.stream);
  }
  switch (output->format) {
  case TABLE_GITHUB:
  case TABLE_TEXT:
  case TABLE_MARKDOWN:
    write_for_people(table, output, seen, file.stream);
    break;
  case TABLE_CSV:
    write_csv(table, file.stream);
    break;
  case TABLE_JSON:
    write_json(table, output, file.stream);
    break;
  }
  if (!seen) {
    return outfile_close(&file, err);
  }
  fclose(file.stream);
  terminal_page(text);
  return 0;
}

void table_append_markdown(const struct table *table, FILE *stream) {
  write_for_people(table, &(struct table_output){.format = TABLE_MARKDOWN}, false, stream);
}

int table_write(const struct table *table, const struct table_output *output, struct err *err) {
  struct table_output own = *output;
  own.path = output->second;
  return write_one(table, output, err) != 0 ||
             (table->second && output->second && write_one(table->second, &own, err) != 0)
           ? -1
           : 0;
}
