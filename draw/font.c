/* SPDX-License-Identifier: BSD-3-Clause
 * See font.h.
 * source: the advance widths in DejaVu Sans 2.37 and Liberation Sans 1.07, plain and bold; rounded up. */
#include "draw/font.h"

#include <string.h>

/* Of the characters from blank to tilde, plain and bold, in hundredths of the size. */
enum { FIRST = ' ', LAST = '~', WIDEST = 100 };
static const unsigned char widths[2][LAST - FIRST + 1] = {
  {
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 56, 102, 69, 69, 73, 78, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79,
    67, 79, 73, 67, 62, 74, 69, 99, 69,  67, 69, 40, 34, 40, 84, 56, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
  },
  {
    35, 46, 53, 84, 70, 101, 88, 31,  46,  46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70,  70, 70,
    70, 70, 40, 40, 84, 84,  84, 62,  100, 78, 77, 74, 84, 69, 69, 83, 84, 38, 56, 78, 64, 100, 84, 86,
    74, 86, 78, 73, 69, 82,  78, 111, 78,  73, 73, 46, 37, 46, 84, 56, 50, 68, 72, 60, 72, 68,  44, 72,
    72, 35, 35, 67, 35, 105, 72, 69,  72,  72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72,  84,
  },
};

double font_width(const char *text, size_t nbytes, double size, bool bold) {
  unsigned width = 0;
  for (size_t i = 0; i < nbytes; i++) {
    if (text[i] >= FIRST && text[i] <= LAST) {
      width += widths[bold][text[i] - FIRST];
    } else if (((unsigned char)text[i] & 0xc0) != 0x80) { /* begins another character */
      bool blank = text[i] == '\xc2' && i + 1 < nbytes && text[i + 1] == '\xa0'; /* a no-break space */
      width += blank ? widths[bold][' ' - FIRST] : WIDEST;
    }
  }
  return width * size / 100;
}

double font_text_width(const char *text, double size) {
  return font_width(text, strlen(text), size, false);
}
