/* SPDX-License-Identifier: BSD-3-Clause
 * See markup.h. */
#include "sim/base/markup.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Read the character of UTF-8 at TEXT.
 * returns: its length in bytes; 0 if there is none that XML allows. */
static size_t
character_length(const char *text)
{
  const unsigned char *byte = (const unsigned char *)text;
  if (byte[0] < 0x80) {
    return byte[0] >= 0x20 && byte[0] != 0x7f ? 1 : 0;
  }
  size_t length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  uint32_t code = byte[0] & (0xffU >> (length + 1));
  if (byte[0] < 0xc0 || byte[0] >= 0xf8) {
    return 0;
  }
  for (size_t i = 1; i < length; i++) {
    if ((byte[i] & 0xc0) != 0x80) {
      return 0;
    }
    code = code << 6 | (byte[i] & 0x3f);
  }
  bool surrogate = code >= 0xd800 && code < 0xe000, none = code == 0xfffe || code == 0xffff;
  return code < least[length] || code > 0x10ffff || surrogate || none ? 0 : length;
}

void
markup_escape(const char *text, FILE *stream)
{
  while (*text != '\0') {
    size_t length = character_length(text);
    switch (*text) {
    case '&':
      fputs("&amp;", stream);
      break;
    case '<':
      fputs("&lt;", stream);
      break;
    case '>':
      fputs("&gt;", stream);
      break;
    case '"':
      fputs("&quot;", stream);
      break;
    default:
      if (length == 0) {
        fputc('?', stream);
      } else {
        fwrite(text, 1, length, stream);
      }
    }
    text += length == 0 ? 1 : length;
  }
}
