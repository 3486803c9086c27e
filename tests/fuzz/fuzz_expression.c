/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers in texts of algorithms: an expression that is accepted has the same value in parentheses and after
 * a sum with nothing. */
#include "algos/schedule/sched/expression.h"
#include "sim/base/xalloc.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static const struct names names = {
  .names = {"ranks", "r", "size", "a_name_of_15_le"}, .values = {16, 0, NAME_UNEVEN, 1000000000}, .n = 4};

/* Read TEXT whole into *VALUE.
 * returns: whether TEXT is one expression. */
static bool reads(const char *text, size_t nbytes, int64_t *value) {
  struct line line = {.at = text, .end = text + nbytes, .names = &names};
  *value = line_number(&line);
  FUZZ_REQUIRE(line.at >= text && line.at <= text + nbytes);
  FUZZ_REQUIRE(!*line.wrong || strstr(line.wrong, ", expected ") || *value == 0);
  return !*line.wrong && line_is_over(&line) && line.at == line.end;
}

void fuzz_expression(const char *text, size_t nbytes) {
  enum { DEEPEST = 30 }; /* parentheses one in the other, fewer than the most by one */
  int64_t value, again;
  unsigned nopen = 0;
  for (size_t i = 0; i < nbytes; i++) {
    nopen += text[i] == '(';
  }
  if (!reads(text, nbytes, &value) || nopen > DEEPEST) {
    return;
  }
  FUZZ_REQUIRE(value >= -1000000000 && value <= 1000000000);
  static const char *const forms[][2] = {{"(", ")"}, {"", " + 0"}, {"1*(", ")"}, {"0 + (", ") ^ 0 # end"}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char *longer = xasprintf("%s%.*s%s", forms[i][0], (int)nbytes, text, forms[i][1]);
    size_t length = strlen(forms[i][0]) + nbytes + strcspn(forms[i][1], "#");
    FUZZ_REQUIRE(reads(longer, length, &again) && again == value);
    free(longer);
  }
}
