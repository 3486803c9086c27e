/* SPDX-License-Identifier: BSD-3-Clause
 * evidence ablation and controls: published rows on machines without one mechanism, or wrong on purpose. */
#include "sim/base/xalloc.h"
#include "validate/evidence/evidence.h"
#include "validate/evidence/variations.h"
#include "validate/papers/published.h"

#include <math.h>
#include <stdio.h>

/* The mechanisms, and the settings without the mechanisms. */
static const char *const mechanisms[] = {
#define OFF(name, machine, keys, value) name,
#define WRONG(keys, value)
#include "validate/evidence/mechanisms.def"
};
static const struct variation_setting off[] = {
#define OFF(name, machine, keys, value) {machine, keys, value},
#define WRONG(keys, value)
#include "validate/evidence/mechanisms.def"
};
static const struct variation_setting controls[] = {
#define OFF(name, machine, keys, value)
#define WRONG(keys, value) {NULL, keys, value},
#include "validate/evidence/mechanisms.def"
};
enum { NMECHANISMS = sizeof mechanisms / sizeof *mechanisms, NCONTROLS = sizeof controls / sizeof *controls };

/* Least change of a row, in percent, that counts as a move; least fall, in percent points, of the share of
 * test rows within 10 % at which a wrong machine is noticed. */
static const double least_change = 1, least_drop = 20;

/* Report the rows that differ between variation INDEX of VARIATIONS, without mechanism NAME, and the machine
 * as it is. */
static void tell_changes(const struct evidence *evidence, const struct variations *variations, size_t index,
                         const char *name) {
  const double *as_is = variations->items[0]->values, *without = variations->items[index]->values;
  size_t nmoved = 0;
  for (size_t i = 0; i < published_count(); i++) {
    struct published_row row = published_describe(i);
    double change = 100 * (without[i] / as_is[i] - 1);
    if (fabs(change) >= least_change) {
      evidence_take(evidence, name, row.id, change, "percent");
      nmoved++;
    }
  }
  evidence_take(evidence, name, "rows-moved", (double)nmoved, "1");
}

/* Return the summary, on variation INDEX of VARIATIONS, of the test rows with a value on the machine as it
 * is. */
static struct published_summary summarize(const struct variations *variations, size_t index) {
  SCOPED struct published_row *rows = xcalloc(published_count(), sizeof *rows);
  size_t n = 0;
  for (size_t i = 0; i < published_count(); i++) {
    if (!isnan(variations->items[0]->values[i])) {
      rows[n] = published_describe(i);
      double error = 100 * (variations->items[index]->values[i] / rows[n].published - 1);
      rows[n++].error = isnan(error) ? INFINITY : error; /* impossible there: not within 10 % */
    }
  }
  struct published_summary summary = published_summarize(rows, n, PUBLISHED_TEST);
  summary.worst = NULL;
  return summary;
}

int evidence_ablation(const struct evidence *evidence, struct err *err) {
  struct variations variations = {.evidence = evidence};
  int status = variations_run_each(&variations, off, NMECHANISMS, err);
  for (size_t i = 0; i < NMECHANISMS && status == 0; i++) {
    struct published_summary summary = summarize(&variations, i + 1);
    tell_changes(evidence, &variations, i + 1, mechanisms[i]);
    if (summary.n > 0) {
      evidence_take(evidence, mechanisms[i], "median-test", summary.median, "percent");
    }
  }
  variations_fini(&variations);
  return status;
}

static double share(const struct published_summary *summary) {
  return 100 * (double)summary->within_10 / (double)summary->n;
}

/* Return the largest possible fall, in percent points, of the share of test rows within 10 % on variation
 * INDEX of VARIATIONS, with N tests: all rows that are within 10 % and move might leave. */
static double most_drop(const struct variations *variations, size_t index, size_t n) {
  const double *as_is = variations->items[0]->values, *wrong = variations->items[index]->values;
  size_t count = 0;
  for (size_t i = 0; i < published_count(); i++) {
    struct published_row row = published_describe(i);
    bool within = fabs(as_is[i] / row.published - 1) <= 0.1;
    count += row.role == PUBLISHED_TEST && within && !(fabs(100 * (wrong[i] / as_is[i] - 1)) < least_change);
  }
  return 100 * (double)count / (double)n;
}

/* Write into TEXT the test rows within 10 % on the machine of VARIATIONS as it is, and not on variation
 * INDEX. */
static void name_left(const struct variations *variations, size_t index, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "none");
  for (size_t i = 0, n = 0; i < published_count(); i++) {
    struct published_row row = published_describe(i);
    double before = variations->items[0]->values[i] / row.published,
           after = variations->items[index]->values[i] / row.published;
    if (row.role == PUBLISHED_TEST && fabs(before - 1) <= 0.1 && !(fabs(after - 1) <= 0.1) && used < size) {
      used = n++ ? used + (size_t)snprintf(text + used, size - used, " %s", row.id)
                 : (size_t)snprintf(text, size, "%s", row.id);
    }
  }
}

/* Report the test rows on all variations of VARIATIONS. */
static void tell_controls(const struct evidence *evidence, const struct variations *variations) {
  struct published_summary as_is = summarize(variations, 0);
  if (as_is.n == 0) {
    evidence_say(evidence, "no row of role test was measured on this machine");
    return;
  }
  for (size_t i = 0; i <= NCONTROLS; i++) {
    struct published_summary summary = summarize(variations, i);
    const char *name = i ? variations->items[i]->label : "as it is";
    double drop = share(&as_is) - share(&summary);
    evidence_take(evidence, name, "median-test", summary.median, "percent");
    evidence_take(evidence, name, "mean-test", variation_mean_error(variations->items[i], true), "percent");
    evidence_take(evidence, name, "within-10-test", share(&summary), "percent");
    if (i) {
      evidence_take(evidence, name, "drop", drop, "points");
      double most = most_drop(variations, i, as_is.n);
      evidence_take(evidence, name, "most-drop", most, "points");
      char left[256];
      name_left(variations, i, left, sizeof left);
      evidence_say(evidence, "%s: %.0f points fewer test rows within 10 %% (%s), of %.0f that move: %s", name,
                   drop, left, most, drop >= least_drop ? "noticed" : "not noticed");
    }
  }
}

static bool is_test(const struct published_row *row) {
  return row->role == PUBLISHED_TEST;
}

int evidence_controls(const struct evidence *evidence, struct err *err) {
  struct variations variations = {.evidence = evidence, .wanted = is_test};
  int status = variations_run_each(&variations, controls, NCONTROLS, err);
  if (status == 0) {
    tell_controls(evidence, &variations);
  }
  variations_fini(&variations);
  return status;
}
