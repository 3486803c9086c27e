/* SPDX-License-Identifier: BSD-3-Clause
 * See timeline.h: sentences about lanes. */
#include "draw/timeline/timeline.h"

#include "sim/base/units.h"
#include "sim/base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The differences mentioned: the least, as a part of the longer call; the maximum number. */
#define NAMED_SHARE 0.03
enum { NAMED_MAX = 4 };

const char *timeline_state_name(enum timeline_ink ink) {
  static const char *const names[TIMELINE_STATES] = {[TIMELINE_SOFTWARE] = "software",
                                                     [TIMELINE_COMBINES] = "combines",
                                                     [TIMELINE_OWN_DMA] = "waits for its DMA",
                                                     [TIMELINE_OTHERS] = "waits for others"};
  return names[ink];
}

void timeline_number(uint64_t number, char text[TIMELINE_NUMBER_SIZE]) {
  char digits[TIMELINE_NUMBER_SIZE];
  size_t n = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  char *next = text;
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && (n - i) % 3 == 0) {
      next = stpcpy(next, "\u00a0");
    }
    *next++ = digits[i];
  }
  *next = '\0';
}

void timeline_bytes(uint64_t nbytes, char text[TIMELINE_NUMBER_SIZE]) {
  const char *plain = units_format_bytes(nbytes);
  size_t digits = strspn(plain, "0123456789");
  snprintf(text, TIMELINE_NUMBER_SIZE, "%.*s\u00a0%s", (int)digits, plain,
           plain[digits] ? plain + digits : "bytes");
}

/* The cycles of a cause in the faster call and in the slower one. */
struct difference {
  const char *what;
  uint64_t cycles[2];
};

static uint64_t size_of(const struct difference *difference) {
  uint64_t a = difference->cycles[0], b = difference->cycles[1];
  return a > b ? a - b : b - a;
}

static int by_size(const void *a, const void *b) {
  uint64_t one = size_of(a), two = size_of(b);
  return one < two ? 1 : one > two ? -1 : 0;
}

/* Add the causes of TIMELINE, number WHICH of the two, to the N DIFFERENCES.
 * returns: the new number of differences. */
static size_t add_causes(struct difference *differences, size_t n, const struct timeline *timeline,
                         unsigned which) {
  for (size_t i = 0; i < timeline->ncauses; i++) {
    size_t j = VEC_INDEX(differences, n, strcmp(item->what, timeline->causes[i].what) == 0);
    differences[j].what = timeline->causes[i].what;
    differences[j].cycles[which] += timeline->causes[i].cycles;
    n = j == n ? n + 1 : n;
  }
  return n;
}

/* Write how the causes of FAST and SLOW differ. */
static void say_causes(const struct timeline *fast, const struct timeline *slow, char **text) {
  SCOPED struct difference *differences = xcalloc(fast->ncauses + slow->ncauses + 1, sizeof *differences);
  char numbers[2][TIMELINE_NUMBER_SIZE];
  size_t n = add_causes(differences, add_causes(differences, 0, fast, 0), slow, 1), named = 0;
  qsort(differences, n, sizeof *differences, by_size);
  while (named < n && named < NAMED_MAX &&
         (double)size_of(&differences[named]) >= NAMED_SHARE * (double)slow->cycles) {
    const struct difference *next = &differences[named];
    timeline_number(next->cycles[0], numbers[0]);
    timeline_number(next->cycles[1], numbers[1]);
    xappend(text, "%s%s %s instead of %s", named == 0 ? ". On its critical path: " : ", ", next->what,
            numbers[0], numbers[1]);
    named++;
  }
  if (named < n && size_of(&differences[named]) > 0) {
    timeline_number(size_of(&differences[named]), numbers[0]);
    xappend(text, "%s by at most %s cycles",
            named == 0 ? ". Parts of the critical path differ" : "; other parts differ", numbers[0]);
  } else if (named < n) {
    xappend(text, named == 0 ? ". Their critical paths have the same parts" : "; other parts do not differ");
  }
  xappend(text, ".");
}

char *timeline_difference(const struct timeline *first, const struct timeline *second) {
  const struct timeline *fast = second->cycles < first->cycles ? second : first;
  const struct timeline *slow = fast == first ? second : first;
  char *text = NULL, numbers[2][TIMELINE_NUMBER_SIZE];
  timeline_number(fast->cycles, numbers[0]);
  timeline_number(slow->cycles, numbers[1]);
  if (fast->cycles == slow->cycles) {
    xappend(&text, "Both take %s cycles", numbers[0]);
  } else {
    xappend(&text, "%s takes %s cycles instead of %s, %.2f times as fast", fast->name, numbers[0], numbers[1],
            (double)slow->cycles / (double)fast->cycles);
  }
  say_causes(fast, slow, &text);
  return text;
}
