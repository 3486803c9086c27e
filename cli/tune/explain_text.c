/* SPDX-License-Identifier: BSD-3-Clause */
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
  va_list arguments;
  va_start(arguments, format);
  SCOPED char *line = xvasprintf(format, arguments);
  va_end(arguments);
  add(text, line);
}

void explain_text_end(struct explain_text *text) {
  if (text->paragraph) {
    SCOPED char *lines = terminal_wrapped(text->paragraph, INDENT, COLUMNS);
    lines[strlen(lines) - 1] = '\0';
    add(text, lines);
  }
  free(text->paragraph);
  text->paragraph = NULL;
}
