/* SPDX-License-Identifier: BSD-3-Clause
 * See published_summary.h. */
#include "validate/papers/published_summary.h"

#include "sim/base/reals.h"
#include "sim/base/xalloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct published_summary published_summarize(const struct published_row *rows, size_t n,
                                             enum published_role role) {
  struct published_summary summary = {0};
  double *errors = xcalloc(n, sizeof *errors);
  for (size_t i = 0; i < n; i++) {
    double error = fabs(rows[i].error);
    if (rows[i].role != role || rows[i].bound) {
      continue;
    }
    errors[summary.n++] = error;
    summary.expected |= strcmp(rows[i].id, PUBLISHED_EXCEPTED) == 0;
    summary.within_10 += error <= 10;
    if (!summary.worst || error > summary.largest) {
      summary.worst = &rows[i];
      summary.largest = error;
    }
  }
  summary.median = summary.n > 0 ? reals_median(errors, summary.n) : 0;
  free(errors);
  return summary;
}

void published_say(const struct published_summary *summary, enum published_role role,
                   char text[PUBLISHED_TEXT_SIZE]) {
  int used = snprintf(text, PUBLISHED_TEXT_SIZE,
                      "%s: %zu rows: median error %.1f %%, largest %.1f %% (%s), %zu within 10 %%",
                      published_role_name(role), summary->n, summary->median, summary->largest,
                      summary->worst ? summary->worst->id : "none", summary->within_10);
  if (role == PUBLISHED_TEST && summary->expected) {
    snprintf(text + used, PUBLISHED_TEXT_SIZE - (size_t)used,
             "; expected: median at most %d %%, largest %d %% but for %s", PUBLISHED_MEDIAN_EXPECTED,
             PUBLISHED_LARGEST_EXPECTED, PUBLISHED_EXCEPTED);
  }
}
