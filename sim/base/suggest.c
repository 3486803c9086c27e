/* SPDX-License-Identifier: BSD-3-Clause
 * See suggest.h.
 *
 * The distance is that of Levenshtein with swaps of neighbours (optimal string alignment), three rows of the
 * table at a time. Longer words than LONGEST are nobody's typing error. */
#include "sim/base/suggest.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 95 };

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static int same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Return the distance between A and B, both at most LONGEST letters. */
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
