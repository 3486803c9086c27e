/* SPDX-License-Identifier: BSD-3-Clause
 * See explain_text.h. */
#include "cli/tune/explain_text.h"

#include "cli/output/terminal.h"
#include "cli/table.h"
#include "sim/base/xalloc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 12, COLUMNS = 80 };

void explain_text_begin(struct explain_text *text, const char *question) {
  bool fits = strlen(question) < INDENT;
  table_note(text->table, "%s", "");
  text->question = fits ? question : "";
  if (!fits) {
    table_note(text->table, "%s", question);
  }
}

/* Add LINES behind the question. */
static void add(struct explain_text *text, const char *lines) {
  table_note(text->table, "%-*s%s", INDENT, text->question, lines);
  text->question = "";
}

void explain_text_line(struct explain_text *text, const char *format, ...) {
  char *line = NULL;
  size_t nbytes;
  FILE *stream = open_memstream(&line, &nbytes);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stream, format, arguments);
  va_end(arguments);
  fclose(stream);
  add(text, line);
  free(line);
}

void explain_text_paragraph(struct explain_text *text) {
  text->stream = open_memstream(&text->paragraph, &text->nparagraph);
}

void explain_text_say(const struct explain_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(text->stream, format, arguments);
  va_end(arguments);
}

void explain_text_end(struct explain_text *text) {
  fclose(text->stream);
  if (*text->paragraph) {
    char *lines = NULL;
    size_t nbytes;
    FILE *stream = open_memstream(&lines, &nbytes);
    terminal_wrap(text->paragraph, INDENT, COLUMNS, stream);
    fclose(stream);
    while (nbytes > 0 && lines[nbytes - 1] == '\n') {
      lines[--nbytes] = '\0';
    }
    add(text, lines);
    free(lines);
  }
  free(text->paragraph);
}
