/* SPDX-License-Identifier: BSD-3-Clause
 * evidence fit, cross-validate, leave-one-out and sensitivity: fits of values to published rows. All fits are
 * linear around the values in use, but begin in the middle of the bounds of the platform files, so that only
 * the fitted rows determine a value. */
#include "sim/base/reals.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "validate/evidence/evidence.h"
#include "validate/evidence/fitted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Measure the slopes of the values selected by CHOOSE on the machines of EVIDENCE, and report with TELL. */
static int with_slopes(const struct evidence *evidence, bool (*choose)(const struct fitted_value *value),
                       int (*tell)(const struct evidence *evidence, struct slopes *slopes, struct err *err),
                       struct err *err) {
  struct slopes slopes = {.wanted = fitted_or_test};
  int status = slopes_measure(&slopes, evidence, choose, err);
  status = status == 0 ? tell(evidence, &slopes, err) : status;
  slopes_fini(&slopes);
  return status;
}

/* --- fit --- */

/* Maximum difference between a value in use and the fit, in uncertainties. */
static const double least_difference = 2;

/* Report the values of FITTING beside the values in use.
 * returns: the number of values in use with more than the maximum difference. */
static size_t tell_values(const struct evidence *evidence, const struct slopes *slopes,
                          const struct fitting *fitting) {
  const struct least_squares_result *result = &fitting->result;
  size_t n = fitting->problem.nparams, nfar = 0;
  for (size_t k = 0; k < n; k++) {
    const char *keys = fitted_values[fitting->values[k]].keys;
    const struct slope *value = &slopes->values[fitting->values[k]];
    const char *unit = value->unit;
    double now = value->now, open = sqrt(result->covariance[k * n + k]);
    double difference = (now - result->x[k]) / open;
    nfar += fabs(difference) > least_difference;
    evidence_take(evidence, keys, "used", now, unit);
    evidence_take(evidence, keys, "fitted", result->x[k], unit);
    evidence_take(evidence, keys, "uncertainty", open, unit);
    evidence_take(evidence, keys, "difference", difference, "uncertainties");
    evidence_take(evidence, keys, "determined", 100 * result->determined[k], "percent");
  }
  return nfar;
}

/* Report the median errors of VARIATION, called NAME. */
static void tell_medians(const struct evidence *evidence, const struct variation *variation,
                         const char *name) {
  for (enum published_role role = PUBLISHED_FIT; role <= PUBLISHED_TEST; role++) {
    struct published_summary summary = published_summarize(variation->rows, published_count(), role);
    if (summary.n > 0) {
      const char *row = text_brief("median-%s", published_role_name(role));
      evidence_take(evidence, name, row, summary.median, "percent");
      evidence_say(evidence, "%s values: %s rows: median error %.1f %%, largest %.1f %% (%s)", name,
                   published_role_name(role), summary.median, summary.largest, summary.worst->id);
    }
  }
}

/* Report the fit, and simulate the fitted machine to find out whether the fit is better. */
static int tell_fit(const struct evidence *evidence, struct slopes *slopes, struct err *err) {
  struct fitting fitting;
  struct variations *variations = &slopes->variations;
  fitting_init(&fitting, slopes, fitted_is_row);
  fitting_solve(&fitting);
  size_t nfar = tell_values(evidence, slopes, &fitting), n = fitting.problem.nparams;
  evidence_take(evidence, "all", "effective", fitting.result.effective, "values");
  evidence_take(evidence, "all", "misfit", fitting.result.scale, "standard deviations");
  evidence_say(evidence,
               "%zu of %zu values in use are within two uncertainties of the fit, which knows %.1f of them",
               n - nfar, n, fitting.result.effective);
  int status = fitting_add(&fitting, variations, fitting.result.x, NULL, err);
  status = status == 0 ? variations_run(variations, err) : -1;
  if (status == 0) {
    tell_medians(evidence, variations->items[0], "used");
    tell_medians(evidence, variations->items[variations->n - 1], "fitted");
  }
  fitting_fini(&fitting);
  return status;
}

int evidence_fit(const struct evidence *evidence, struct err *err) {
  return with_slopes(evidence, fitted_by_rows, tell_fit, err);
}

/* --- sensitivity --- */

/* Derivatives below this limit are left out: 10 % more of the value moves the row by less than 0.1 %. */
static const double least_sensitivity = 0.01;

static int tell_sensitivity(const struct evidence *evidence, struct slopes *slopes, struct err *err) {
  (void)err;
  for (size_t j = 0; j < fitted_nvalues; j++) {
    for (size_t i = 0; i < published_count(); i++) {
      double value = slopes->slope[i * fitted_nvalues + j] * slopes->values[j].now;
      if (fabs(value) >= least_sensitivity) {
        evidence_take(evidence, fitted_values[j].keys, slopes->variations.items[0]->rows[i].id, value,
                      "percent/percent");
      }
    }
  }
  return 0;
}

int evidence_sensitivity(const struct evidence *evidence, struct err *err) {
  return with_slopes(evidence, NULL, tell_sensitivity, err);
}

/* --- predictions --- */

/* Absolute errors of predictions in percent. */
struct errors {
  double *items;
  size_t n;
};

/* Report the median and the largest of ERRORS under the name SUBJECT, and release ERRORS. */
static void tell_errors(const struct evidence *evidence, const char *subject, struct errors *errors) {
  if (errors->n == 0) {
    evidence_say(evidence, "%s: no row of it was measured on this machine", subject);
  } else {
    double median = reals_median(errors->items, errors->n), largest = errors->items[errors->n - 1];
    evidence_take(evidence, subject, "median", median, "percent");
    evidence_take(evidence, subject, "largest", largest, "percent");
    evidence_say(evidence, "%s: %zu rows predicted: median error %.1f %%, largest %.1f %%", subject,
                 errors->n, median, largest);
  }
  free(errors->items);
}

/* Report the error, in percent, of the prediction of ROW, number I, by FITTING.
 * returns: the absolute error. */
static double predict(const struct evidence *evidence, const char *subject, const struct fitting *fitting,
                      const struct published_row *row, size_t i) {
  double error = 100 * (exp(least_squares_off(&fitting->problem, i, fitting->result.x)) - 1);
  evidence_take(evidence, subject, row->id, error, "percent");
  return fabs(error);
}

/* The folds of cross-validate: rows to fit, rows to predict, ids as in fitted.def. Broadcasts cannot predict
 * reductions, because no broadcast contains the cost of combining. Papers cannot predict each other, because
 * each paper has separate software costs. */
static const struct fold {
  const char *name, *train, *test;
} folds[] = {{"8-ranks-predict-16", "barrier-pe-flag-8 bcast-mm-*-8 reduce-mm-*-8",
              "barrier-pe-flag-16 bcast-mm-*-16 reduce-mm-*-16"},
             {"16-ranks-predict-8", "barrier-pe-flag-16 bcast-mm-*-16 reduce-mm-*-16",
              "barrier-pe-flag-8 bcast-mm-*-8 reduce-mm-*-8"},
             {"reductions-predict-broadcasts", "barrier-pe-flag-* reduce-mm-*", "bcast-mm-*"}};

/* Software costs: time of programs in addition to the hardware. The machine stays as it is. */
static bool is_software(const struct fitted_value *value) {
  return value->rows &&
         (strncmp(value->keys, "profile.", 8) == 0 || strncmp(value->keys, "combine.", 8) == 0);
}

static int tell_folds(const struct evidence *evidence, struct slopes *slopes, struct err *err) {
  (void)err;
  const struct published_row *rows = slopes->variations.items[0]->rows;
  VEC_EACH(fold, folds, sizeof folds / sizeof *folds) {
    struct fitting fitting;
    struct errors errors = {.items = xcalloc(published_count(), sizeof *errors.items)};
    SCOPED bool *predicted = xcalloc(published_count(), sizeof *predicted);
    fitting_init(&fitting, slopes, fitted_or_test);
    for (size_t i = 0; i < published_count(); i++) {
      predicted[i] = fitting.problem.used[i] && fitted_has_row(fold->test, rows[i].id);
      fitting.problem.used[i] &= fitted_has_row(fold->train, rows[i].id);
    }
    fitting_solve(&fitting);
    for (size_t i = 0; i < published_count(); i++) {
      if (predicted[i]) {
        errors.items[errors.n++] = predict(evidence, fold->name, &fitting, &rows[i], i);
      }
    }
    tell_errors(evidence, fold->name, &errors);
    fitting_fini(&fitting);
  }
  return 0;
}

int evidence_cross_validate(const struct evidence *evidence, struct err *err) {
  return with_slopes(evidence, is_software, tell_folds, err);
}

/* Predict each row from all others. */
static int tell_left_out(const struct evidence *evidence, struct slopes *slopes, struct err *err) {
  (void)err;
  struct fitting fitting;
  struct errors all = {.items = xcalloc(published_count(), sizeof *all.items)};
  fitting_init(&fitting, slopes, fitted_or_test);
  for (enum published_role role = PUBLISHED_FIT; role <= PUBLISHED_TEST; role++) {
    struct errors errors = {.items = xcalloc(published_count(), sizeof *errors.items)};
    for (size_t i = 0; i < published_count(); i++) {
      const struct published_row *row = &slopes->variations.items[0]->rows[i];
      if (fitting.problem.used[i] && row->role == role) {
        fitting.problem.used[i] = false;
        fitting_solve(&fitting);
        fitting.problem.used[i] = true;
        double error = predict(evidence, published_role_name(role), &fitting, row, i);
        errors.items[errors.n++] = all.items[all.n++] = error;
      }
    }
    tell_errors(evidence, published_role_name(role), &errors);
  }
  tell_errors(evidence, "all", &all);
  fitting_fini(&fitting);
  return 0;
}

int evidence_leave_one_out(const struct evidence *evidence, struct err *err) {
  return with_slopes(evidence, fitted_by_rows, tell_left_out, err);
}
