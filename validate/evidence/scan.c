/* SPDX-License-Identifier: BSD-3-Clause
 * evidence scan: limits of bus requests across chips, bif.mfc-requests. The row bif-congestion-max chooses
 * bif.overhead for each limit; the broadcasts of Gaona et al. choose the limit. */
#include "validate/evidence/evidence.h"
#include "validate/evidence/variations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Limits tried; overheads simulated, in bytes. Rows are interpolated between overheads. */
enum { FIRST = 8, LIMITS = 5, LEAST = 60, STEP = 20, OVERHEADS = 8, ROWS = 3 };

/* The row to choose the overhead, then the rows to choose the limit. */
static const char *const ids[ROWS] = {"bif-congestion-max", "bcast-ttopt-16k-16", "bcast-atoopt-16k-16"};

/* Find the numbers of the rows. */
static void find_rows(size_t rows[ROWS], double published[ROWS]) {
  for (size_t i = 0; i < published_count(); i++) {
    struct published_row row = published_describe(i);
    for (unsigned j = 0; j < ROWS; j++) {
      if (strcmp(row.id, ids[j]) == 0) {
        rows[j] = i;
        published[j] = row.published;
      }
    }
  }
}

static bool is_wanted(const struct published_row *row) {
  bool found = false;
  for (unsigned j = 0; j < ROWS; j++) {
    found |= strcmp(row->id, ids[j]) == 0;
  }
  return found;
}

static int add_machine(struct variations *variations, unsigned limit, unsigned overhead, struct err *err) {
  char limit_text[16], overhead_text[16];
  struct variation_setting settings[] = {{"qs20", "bif.mfc-requests", limit_text},
                                         {"qs20", "bif.overhead", overhead_text}};
  snprintf(limit_text, sizeof limit_text, "%u", limit);
  snprintf(overhead_text, sizeof overhead_text, "%u", overhead);
  return variations_add(variations, settings, 2, err);
}

/* Report the errors with limit INDEX at the overhead with the published congestion. */
static void tell_limit(const struct evidence *evidence, const struct variations *variations, unsigned index,
                       const size_t rows[ROWS], const double published[ROWS]) {
  struct variation *const *items = &variations->items[(size_t)index * OVERHEADS];
  unsigned k = 0;
  char name[32];
  while (k + 2 < OVERHEADS && items[k + 1]->values[rows[0]] < published[0]) {
    k++;
  }
  double before = items[k]->values[rows[0]], after = items[k + 1]->values[rows[0]];
  double part = (published[0] - before) / (after - before), largest = 0;
  snprintf(name, sizeof name, "bif.mfc-requests=%u", FIRST + index);
  evidence_take(evidence, name, "bif.overhead", LEAST + STEP * (k + part), "bytes");
  for (unsigned j = 1; j < ROWS; j++) {
    before = items[k]->values[rows[j]];
    after = items[k + 1]->values[rows[j]];
    double error = 100 * ((before + part * (after - before)) / published[j] - 1);
    evidence_take(evidence, name, ids[j], error, "percent");
    largest = fmax(largest, fabs(error));
  }
  evidence_say(evidence, "%s: both broadcasts within %.1f %%", name, largest);
}

int evidence_scan(const struct evidence *evidence, struct err *err) {
  size_t rows[ROWS] = {0};
  double published[ROWS] = {0};
  struct variations variations = {.evidence = evidence, .wanted = is_wanted};
  find_rows(rows, published);
  int status = 0;
  for (unsigned i = 0; i < LIMITS * OVERHEADS && status == 0; i++) {
    status = add_machine(&variations, FIRST + i / OVERHEADS, LEAST + STEP * (i % OVERHEADS), err);
  }
  status = status == 0 ? variations_run(&variations, err) : -1;
  for (unsigned i = 0; i < LIMITS && status == 0; i++) {
    tell_limit(evidence, &variations, i, rows, published);
  }
  variations_fini(&variations);
  return status;
}
