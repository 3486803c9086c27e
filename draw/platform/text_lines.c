/* SPDX-License-Identifier: BSD-3-Clause
 * See platform_layout.h: lines of text. */
#include "draw/platform/platform_layout.h"

#include "draw/font.h"
#include "sim/base/vec.h"

#include <string.h>

/* From a line to the next line, as a part of the size of the font. */
static const double line_pitch = 1.4;

/* Tell whether BYTE begins a character of UTF-8. */
static bool begins(char byte) {
  return ((unsigned char)byte & 0xc0) != 0x80;
}

void text_lines_add(struct platform_layout *layout, const struct draw_text *text) {
  struct draw_text added = *text;
  added.text = xstrdup(text->text);
  VEC_ADD(layout->texts, layout->ntexts) = added;
}

/* Count the bytes of REST in one line of WIDTH in the font of TEXT: whole words, unless one word alone is too
 * long. */
static size_t fitting(const char *rest, const struct draw_text *text, double width) {
  size_t fits = 0, words = 0, length = strlen(rest);
  for (size_t i = 1; i <= length; i++) {
    if (!begins(rest[i]) || font_width(rest, i, text->size, text->bold) > width) {
      continue;
    }
    fits = i;
    if (rest[i] == ' ' || rest[i] == '\0') {
      words = i;
    }
  }
  if (fits == 0) {
    for (fits = 1; !begins(rest[fits]); fits++) {
    }
  }
  return words > 0 ? words : fits;
}

double text_lines_add_paragraph(struct platform_layout *layout, const struct draw_text *text, double width) {
  const char *rest = text->text;
  struct draw_text line = *text;
  while (*rest != '\0') {
    size_t nbytes = fitting(rest, text, width);
    SCOPED char *words = xasprintf("%.*s", (int)nbytes, rest);
    line.text = words;
    text_lines_add(layout, &line);
    line.baseline.y += line_pitch * text->size;
    rest += nbytes;
    rest += strspn(rest, " ");
  }
  return line.baseline.y;
}
