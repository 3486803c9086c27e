/* SPDX-License-Identifier: BSD-3-Clause
 * evidence cross-validate and leave-one-out: predictions of published rows from fits to other rows. All fits
 * are linear around the values in use, but begin in the middle of the bounds of the platform files, so that
 * only the fitted rows determine a value. */
#include "sim/base/reals.h"
#include "sim/base/xalloc.h"
#include "validate/evidence/evidence.h"
#include "validate/evidence/fitted.h"
#include "validate/papers/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fold {
  const char *name, *train, *test;
};

static const struct fold folds[] = {
#define FOLD(name, train, test) {name, train, test},
#include "validate/evidence/folds.def"
};

/* Absolute errors of predictions in percent. */
struct errors {
  double *items;
  size_t n;
};

/* Report the median and the largest of ERRORS under the name SUBJECT. */
static void tell_errors(const struct evidence *evidence, const char *subject, struct errors *errors) {
  if (errors->n == 0) {
    evidence_say(evidence, "%s: no row of it was measured on this machine", subject);
    return;
  }
  double median = reals_median(errors->items, errors->n), largest = errors->items[errors->n - 1];
  evidence_take(evidence, subject, "median", median, "percent");
  evidence_take(evidence, subject, "largest", largest, "percent");
  evidence_say(evidence, "%s: %zu rows predicted: median error %.1f %%, largest %.1f %%", subject, errors->n,
               median, largest);
}

/* Return the error, in percent, of RESULT's prediction of row I of FITTING. */
static double predict(const struct fitting *fitting, const struct least_squares_result *result, size_t i) {
  return 100 * (exp(least_squares_off(&fitting->problem, i, result->x)) - 1);
}

/* --- folds --- */

/* Software costs: time of programs in addition to the hardware. The machine stays as it is. */
static bool is_software(const struct fitted_value *value) {
  return value->rows &&
         (strncmp(value->keys, "profile.", 8) == 0 || strncmp(value->keys, "combine.", 8) == 0);
}

/* Fit to one part of FOLD and predict the other one. */
static void predict_fold(const struct evidence *evidence, const struct slopes *slopes,
                         const struct fold *fold) {
  struct fitting fitting;
  struct errors errors = {.items = xcalloc(published_count(), sizeof *errors.items)};
  bool *known = xcalloc(published_count(), sizeof *known);
  struct published_row row;
  fitting_init(&fitting, slopes, fitted_or_test);
  for (size_t i = 0; i < published_count(); i++) {
    row = published_describe(i);
    known[i] = fitting.problem.used[i];
    fitting.problem.used[i] &= fitted_has_row(fold->train, row.id);
  }
  struct least_squares_result result = least_squares_solve(&fitting.problem);
  for (size_t i = 0; i < published_count(); i++) {
    row = published_describe(i);
    if (known[i] && fitted_has_row(fold->test, row.id)) {
      double error = predict(&fitting, &result, i);
      evidence_take(evidence, fold->name, row.id, error, "percent");
      errors.items[errors.n++] = fabs(error);
    }
  }
  tell_errors(evidence, fold->name, &errors);
  least_squares_fini(&result);
  fitting_fini(&fitting);
  free(known);
  free(errors.items);
}

int evidence_cross_validate(const struct evidence *evidence, struct err *err) {
  struct slopes slopes = {.wanted = fitted_or_test};
  int status = slopes_measure(&slopes, evidence, is_software, err);
  for (size_t i = 0; i < sizeof folds / sizeof *folds && status == 0; i++) {
    predict_fold(evidence, &slopes, &folds[i]);
  }
  slopes_fini(&slopes);
  return status;
}

/* --- leave one out --- */

/* Predict each row of ROLE from all others, and add the errors to ALL. */
static void leave_out(const struct evidence *evidence, struct fitting *fitting, enum published_role role,
                      struct errors *all) {
  struct errors errors = {.items = xcalloc(published_count(), sizeof *errors.items)};
  for (size_t i = 0; i < published_count(); i++) {
    struct published_row row = published_describe(i);
    if (!fitting->problem.used[i] || row.role != role) {
      continue;
    }
    fitting->problem.used[i] = false;
    struct least_squares_result result = least_squares_solve(&fitting->problem);
    fitting->problem.used[i] = true;
    double error = predict(fitting, &result, i);
    evidence_take(evidence, published_role_name(role), row.id, error, "percent");
    errors.items[errors.n++] = all->items[all->n++] = fabs(error);
    least_squares_fini(&result);
  }
  tell_errors(evidence, published_role_name(role), &errors);
  free(errors.items);
}

int evidence_leave_one_out(const struct evidence *evidence, struct err *err) {
  struct slopes slopes = {.wanted = fitted_or_test};
  int status = slopes_measure(&slopes, evidence, fitted_by_rows, err);
  if (status == 0) {
    struct fitting fitting;
    struct errors all = {.items = xcalloc(published_count(), sizeof *all.items)};
    fitting_init(&fitting, &slopes, fitted_or_test);
    for (enum published_role role = PUBLISHED_FIT; role <= PUBLISHED_TEST; role++) {
      leave_out(evidence, &fitting, role, &all);
    }
    tell_errors(evidence, "all", &all);
    free(all.items);
    fitting_fini(&fitting);
  }
  slopes_fini(&slopes);
  return status;
}
