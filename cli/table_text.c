/* SPDX-License-Identifier: BSD-3-Clause
 * See table.h: the text form, and markdown. In a pipe and in a file a row is one line. On a terminal too
 * narrow for that, columns with one value in all rows are told once, and names of columns and words are
 * broken into lines. A row still too wide, or alone, is a list of its cells. */
#include "cli/output/terminal.h"
#include "cli/table_private.h"
#include "sim/base/text.h"
#include "sim/base/xalloc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
  NARROWEST = 12, /* column of words made narrower */
  LIST_NAME = 20, /* name of a cell in a list */
};

static const char incomplete[] = "incomplete: what was not finished is missing\n";

/* How the text form is laid out. */
struct layout {
  int *widths;   /* per column; 0: it is not written */
  bool *numbers; /* per column: it is aligned to the right */
  int blanks;    /* between columns */
  bool colours;
  unsigned columns; /* characters of a line */
};

/* Return how many of the N bytes of TEXT, longer than WIDTH, are one line: up to a mark; N: there is none. */
static size_t break_at(const char *text, size_t n, int width) {
  static const char *const marks[] = {" :;", "-,|._="};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    for (size_t length = (size_t)width; length > 0; length--) {
      if (strchr(marks[i], text[length - 1])) {
        return length;
      }
    }
  }
  size_t length = strcspn(text, " :;-,|._=") + 1;
  return length < n ? length : n;
}

/* Return what line LINE of the cell TEXT in column C shows, and of how many bytes that is: "" where there is
 * no such line. Lines have at most WIDTH characters. */
static const char *line_of(const struct table *table, size_t c, int width, const char *text, size_t line,
                           size_t *nbytes) {
  for (;; line--) {
    size_t item = table->stacked[c] ? strcspn(text, ";") : strlen(text);
    size_t length = text_width(text, item) > width ? break_at(text, item, width) : item;
    if (line == 0 || !text[length]) {
      bool at_blank = length < item && text[length - 1] == ' ';
      *nbytes = line == 0 ? length - at_blank : 0;
      return text;
    }
    text += length;
    text += length == item && *text == ';' ? 1 : strspn(text, " ");
  }
}

/* Return the width of column C with words broken into lines of about MOST characters, and if BROKEN with the
 * name of the column broken as well. */
static int column_width(const struct table *table, size_t c, bool broken, int most) {
  int width = 0;
  size_t length;
  for (const char *name = table->columns[c]; *name; name += length) {
    length = strcspn(name, broken ? "_" : "");
    length += name[length] != '\0';
    width = text_width(name, length) > width ? text_width(name, length) : width;
  }
  for (size_t i = c; i < table->ncells; i += table->ncolumns) {
    size_t nbytes = 1;
    for (size_t line = 0; nbytes > 0; line++) {
      const char *text = line_of(table, c, most, table->cells[i].text, line, &nbytes);
      int cell = text_width(text, nbytes);
      width = cell > width ? cell : width;
    }
  }
  return width;
}

/* Leave the columns with the same cell in all rows out of LAYOUT.
 * returns: names and cells of these columns; NULL: there are none.
 * owner: the caller. */
static char *tell_once(const struct table *table, struct layout *layout) {
  char *told = NULL;
  for (size_t k = 0; k < table->nshown; k++) {
    size_t c = table->order[k], i = c;
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

/* Write line LINE of a row: the names of the columns, or CELLS if not NULL.
 * returns: whether the row has more lines. */
static bool write_line(const struct table *table, const struct layout *layout, const struct cell *cells,
                       size_t line, FILE *stream) {
  int blanks = 0; /* not yet written, so that no line ends in them */
  bool more = false;
  for (size_t k = 0; k < table->nshown; k++) {
    size_t nbytes, next, c = table->order[k];
    int width = layout->widths[c];
    const char *all = cells ? cells[c].text : table->columns[c];
    const char *text = line_of(table, c, width, all, line, &nbytes);
    if (width == 0) {
      continue;
    }
    int used = text_width(text, nbytes), padding = used < width ? width - used : 0;
    line_of(table, c, width, all, line + 1, &next);
    more |= next > 0;
    blanks += layout->numbers[c] ? padding : 0;
    if (nbytes > 0) {
      enum terminal_look look = cells ? terminal_look_of(table->columns[c], text) : TERMINAL_HEAD;
      fprintf(stream, "%*s%s%.*s%s", blanks, "", terminal_begin(look, layout->colours), (int)nbytes, text,
              terminal_end(look, layout->colours));
      blanks = 0;
    }
    blanks += layout->blanks + (layout->numbers[c] ? 0 : padding);
  }
  fputc('\n', stream);
  return more;
}

/* Write the CELLS of a row as a list of names and values, without empty cells. */
static void write_list(const struct table *table, const struct layout *layout, const struct cell *cells,
                       FILE *stream) {
  int width = (int)layout->columns - LIST_NAME - 1;
  for (size_t k = 0; k < table->nshown; k++) {
    size_t c = table->order[k], nbytes = layout->widths[c] > 0;
    for (size_t line = 0; nbytes > 0; line++) {
      const char *text =
        line_of(table, c, width > NARROWEST ? width : NARROWEST, cells[c].text, line, &nbytes);
      if (nbytes > 0) {
        fprintf(stream, "%-*s %.*s\n", LIST_NAME, line == 0 ? table->columns[c] : "", (int)nbytes, text);
      }
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
  for (size_t k = 0; k < table->nshown; k++) {
    size_t c = table->order[k];
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
    for (size_t line = 0; write_line(table, &layout, NULL, line, stream); line++) {
    }
  }
  for (size_t row = 0; row < nrows; row++) {
    const struct cell *cells = &table->cells[row * n];
    for (size_t line = 0; !is_list && write_line(table, &layout, cells, line, stream); line++) {
    }
    if (is_list) {
      fputs(row > 0 ? "\n" : "", stream);
      write_list(table, &layout, cells, stream);
    }
  }
  write_notes(told, columns, stream);
  free(layout.widths);
  free(layout.numbers);
}

void table_write_text(const struct table *table, const struct table_output *output, bool seen, FILE *stream) {
  unsigned columns = seen ? terminal_columns() : UINT_MAX;
  bool colours = seen && terminal_has_colours(stdout);
  if (!table->only_notes) {
    write_rows(table, colours, columns, stream);
  }
  if (table->second && !output->second) {
    fputc('\n', stream);
    write_rows(table->second, colours, columns, stream);
  }
  write_notes(table->notes, columns, stream);
  fputs(output->incomplete ? incomplete : "", stream);
}

/* Write the rows of TABLE in markdown: the names of the columns, the alignment, the cells. */
static void write_markdown_rows(const struct table *table, FILE *stream) {
  for (size_t line = 0; line < table_nrows(table) + 2; line++) {
    for (size_t k = 0; k < table->nshown; k++) {
      size_t c = table->order[k];
      const char *text = line == 0               ? table->columns[c]
                         : line > 1              ? table->cells[(line - 2) * table->ncolumns + c].text
                         : has_numbers(table, c) ? "---:"
                                                 : "---";
      for (fputs(table->hidden[c] ? "" : "| ", stream); *text && !table->hidden[c]; text++) {
        fprintf(stream, *text == '|' ? "\\%c" : "%c", *text);
      }
      fputs(table->hidden[c] ? "" : " ", stream);
    }
    fputs("|\n", stream);
  }
}

void table_write_markdown(const struct table *table, const struct table_output *output, FILE *stream) {
  if (!table->only_notes) {
    write_markdown_rows(table, stream);
  }
  if (table->second && !output->second) {
    fputc('\n', stream);
    write_markdown_rows(table->second, stream);
  }
  if (table->notes || output->incomplete) {
    fputs("\n```\n", stream);
    write_notes(table->notes, UINT_MAX, stream);
    fprintf(stream, "%s```\n", output->incomplete ? incomplete : "");
  }
}
