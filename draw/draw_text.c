/* SPDX-License-Identifier: BSD-3-Clause
 * See draw_text.h.
 *
 * The fonts of the reader are not known: widths are those of DejaVu Sans, which is among the widest. */
#include "draw/draw_text.h"

#include "sim/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* Parts of the size of the font. */
static const double bold_factor = 1.12, ascent = 0.82, line_height = 1.0, line_pitch = 1.4;

/* Tell whether BYTE begins a character of UTF-8. */
static bool
begins(char byte)
{
  return ((unsigned char)byte & 0xc0) != 0x80;
}

/* The width of the character that begins with BYTE. */
static double
character_width(char byte)
{
  if ((unsigned char)byte >= 0x80 || strchr("mwMW%@", byte)) {
    return 1;
  }
  if (strchr(" ijl.,:;|'!()-", byte)) {
    return 0.4;
  }
  return byte >= 'A' && byte <= 'Z' ? 0.76 : 0.64;
}

static double
width_of(const char *text, size_t nbytes, double size)
{
  double width = 0;
  for (size_t i = 0; i < nbytes; i++) {
    if (begins(text[i])) {
      width += character_width(text[i]);
    }
  }
  return width * size;
}

double
draw_text_width(const char *text, double size)
{
  return width_of(text, strlen(text), size);
}

struct draw_box
draw_text_add(struct draw_layout *layout, const struct draw_text *text)
{
  struct draw_text added = *text;
  double width = draw_text_width(text->text, text->size) * (text->bold ? bold_factor : 1);
  added.text = xstrdup(text->text);
  added.box = (struct draw_box){.left = text->baseline.x - (text->middle ? width / 2 : 0),
                                .top = text->baseline.y - ascent * text->size,
                                .width = width,
                                .height = line_height * text->size};
  layout->texts = xrealloc(layout->texts, layout->ntexts + 1, sizeof *layout->texts);
  layout->texts[layout->ntexts++] = added;
  return added.box;
}

/* Count the bytes of TEXT that fit into one line of WIDTH: whole words, unless one word alone is too long. */
static size_t
fitting(const char *text, double size, double width)
{
  size_t fits = 0, words = 0, length = strlen(text);
  for (size_t i = 1; i <= length; i++) {
    if (!begins(text[i]) || width_of(text, i, size) > width) {
      continue;
    }
    fits = i;
    if (text[i] == ' ' || text[i] == '\0') {
      words = i;
    }
  }
  if (fits == 0) {
    for (fits = 1; !begins(text[fits]); fits++) {
    }
  }
  return words > 0 ? words : fits;
}

double
draw_text_add_paragraph(struct draw_layout *layout, const struct draw_text *text, double width)
{
  const char *rest = text->text;
  struct draw_text line = *text;
  while (*rest != '\0') {
    size_t nbytes = fitting(rest, text->size * (text->bold ? bold_factor : 1), width);
    line.text = strndup(rest, nbytes);
    if (!line.text) {
      abort();
    }
    draw_text_add(layout, &line);
    free(line.text);
    line.baseline.y += line_pitch * text->size;
    rest += nbytes;
    rest += strspn(rest, " ");
  }
  return line.baseline.y;
}

bool
draw_boxes_overlap(const struct draw_box *a, const struct draw_box *b)
{
  const double touch = 1e-6;
  return a->left + touch < b->left + b->width && b->left + touch < a->left + a->width &&
         a->top + touch < b->top + b->height && b->top + touch < a->top + a->height;
}
