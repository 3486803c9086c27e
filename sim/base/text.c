/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/text.h"

#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/xalloc.h"

#include <ctype.h>
#include <errno.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *text_tidy(const char *text) {
  char *tidy = xstrdup(text), *end = tidy;
  for (const char *c = text; *c; c++) {
    if (!isspace((unsigned char)*c)) {
      *end++ = *c;
    } else if (end > tidy && end[-1] != ' ') {
      *end++ = ' ';
    }
  }
  if (end > tidy && end[-1] == ' ') {
    end--;
  }
  *end = '\0';
  return tidy;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(a, b);
}

const char *text_keep(const char *text) {
  static void *kept; /* a tree */
  const char **found = text ? tfind(text, &kept, compare_texts) : NULL;
  if (text && !found) {
    found = tsearch(xstrdup(text), &kept, compare_texts);
  }
  return found ? *found : NULL;
}

bool text_take_number(const char **text, size_t digits, unsigned *number) {
  size_t n = strspn(*text, "0123456789");
  bool good = n > 0 && n <= digits;
  *number = good ? (unsigned)strtoul(*text, NULL, 10) : 0;
  *text += good ? n : 0;
  return good;
}

size_t text_character(const char *text, uint32_t *code) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least; /* character that needs so many bytes */
  } kinds[] = {{0x80, 0, 1}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
  const unsigned char *bytes = (const unsigned char *)text;
  size_t n = 0;
  while (n < 4 && (bytes[0] & kinds[n].mask) != kinds[n].lead) {
    n++;
  }
  if (n == 4) {
    return 0;
  }
  uint32_t character = bytes[0] & (unsigned char)~kinds[n].mask;
  for (size_t i = 1; i <= n; i++) {
    if ((bytes[i] & 0xc0) != 0x80) {
      return 0;
    }
    character = character << 6 | (bytes[i] & 0x3f);
  }
  bool is_surrogate = character >= 0xd800 && character < 0xe000;
  *code = character;
  return character < kinds[n].least || character > 0x10ffff || is_surrogate ? 0 : n + 1;
}

int text_width(const char *text, size_t n) {
  int width = 0;
  for (; n > 0; n--, text++) {
    width += (*text & 0xc0) != 0x80;
  }
  return width;
}

FILE *text_open(char **text) {
  static size_t size; /* of no use */
  FILE *stream = open_memstream(text, &size);
  if (!stream) {
    xalloc_fail("a text");
  }
  return stream;
}

const char *text_brief(const char *format, ...) {
  static char texts[16][1024];
  static unsigned latest;
  va_list arguments;
  latest = (latest + 1) % (sizeof texts / sizeof *texts);
  va_start(arguments, format);
  vsnprintf(texts[latest], sizeof texts[latest], format, arguments);
  va_end(arguments);
  return texts[latest];
}

char *text_to_utf8(const char *text) {
  char *copy = xcalloc(4 * strlen(text) + 1, 1), *end = copy;
  while (*text) {
    uint32_t code;
    size_t nbytes = text_character(text, &code);
    if (nbytes) {
      memcpy(end, text, nbytes);
      end += nbytes;
      text += nbytes;
    } else {
      end += sprintf(end, "\\x%02x", (unsigned char)*text++);
    }
  }
  return copy;
}

char *text_read_file(const char *path, const struct text_kind *kind, size_t *nbytes, struct err *err) {
  FILE *stream = fopen(path, "rb");
  char *data = NULL;
  size_t room = 0, n = 0, last = 1;
  for (; stream && last && n <= kind->most; n += last) {
    if (n == room) {
      room = 2 * room + (1 << 16);
      data = xrealloc(data, room, 1);
    }
    last = fread(data + n, 1, room - n, stream);
  }
  if (!stream || ferror(stream) || n > kind->most) {
    bool more = stream && n > kind->most;
    err_set(err, "%s: %s%s, expected %s", path, more ? "more than " : "",
            more ? kind->most_in_words : strerror(errno), kind->what);
    free(data);
    data = NULL;
  } else {
    data[n] = '\0'; /* the last call of fread had room */
  }
  if (stream) {
    outfile_note_input(path);
    fclose(stream);
  }
  *nbytes = n;
  return data;
}

/* --- the nearest name --- */

enum { LONGEST = 95 }; /* a longer word is no typing error */

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static int same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Return the distance of Levenshtein with swaps of neighbours (optimal string alignment) between A and B,
 * both at most LONGEST letters; the table has three rows at a time. */
static unsigned distance(const char *a, const char *b) {
  unsigned rows[3][LONGEST + 1];
  size_t length_a = strlen(a), length_b = strlen(b);
  for (size_t j = 0; j <= length_b; j++) {
    rows[0][j] = (unsigned)j;
  }
  for (size_t i = 1; i <= length_a; i++) {
    unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= length_b; j++) {
      unsigned change = above[j - 1] + !same_letter(a[i - 1], b[j - 1]);
      row[j] = least(change, least(above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1])) {
        row[j] = least(row[j], second[j - 2] + 1);
      }
    }
  }
  return rows[length_a % 3][length_b];
}

const char *suggest_nearest(const char *word, const char *const *names, size_t n) {
  size_t length = strlen(word);
  if (length > LONGEST) {
    return NULL;
  }
  unsigned nearest = (unsigned)((length + 2) / 3) + 1;
  const char *found = NULL;
  for (size_t i = 0; i < n; i++) {
    unsigned d = strlen(names[i]) > LONGEST ? nearest : distance(word, names[i]);
    if (d < nearest) {
      nearest = d;
      found = names[i];
    }
  }
  return found;
}
