/* SPDX-License-Identifier: BSD-3-Clause
 * See text.h. */
#include "sim/base/text.h"

#include "sim/base/xalloc.h"

#include <ctype.h>

char *
text_tidy(const char *text)
{
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
