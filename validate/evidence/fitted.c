/* SPDX-License-Identifier: BSD-3-Clause
 * Slopes are quotients of differences: each value is changed by a twentieth of the bounds in both
 * directions, and the logarithm of a row is taken as linear between the two. */
#include "validate/evidence/fitted.h"

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/reals.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct fitted_value fitted_values[] = {
#define FITTED(machine, keys, rows) {machine, keys, rows},
#define ASSUMED(machine, keys) {machine, keys, NULL},
#define PART(machine, keys) {machine, keys, NULL},
#include "validate/evidence/fitted.def"
};
const size_t fitted_nvalues = VEC_LENGTH(fitted_values);

/* Change of a value in each direction, as a share of its bounds; uncertainties of rows. */
static const double step_share = 0.05, sigma_derived = 0.01, sigma_fit = 0.05;

bool fitted_has_row(const char *list, const char *id) {
  SCOPED char *copy = xstrdup(list);
  char *rest = copy;
  bool found = false;
  while (rest && !found) {
    found = fnmatch(strsep(&rest, " "), id, 0) == 0;
  }
  return found;
}

bool fitted_is_row(const struct published_row *row) {
  return VEC_FIND(fitted_values, fitted_nvalues, item->rows && fitted_has_row(item->rows, row->id));
}

void fitted_bounds(const struct fitted_value *value, double *least, double *most) {
  struct err err = {""};
  struct platform *platform = platform_read(value->machine, &err);
  struct platform_entry entry = {.least = NAN};
  platform_find_entry(platform, value->keys, &entry);
  platform_free(platform);
  assert(!isnan(entry.least));
  *least = entry.least;
  *most = entry.most;
}

/* --- slopes --- */

/* Write NUMBER as VALUE is written after --set: rounded if VALUE is a whole number. */
enum { TEXT_SIZE = 32 };
static void format(const struct fitted_value *value, double number, char text[TEXT_SIZE]) {
  snprintf(text, TEXT_SIZE, "%.9g", platform_is_count(value->keys) ? round(number) : number);
}

/* Add both variations of value J to the variations of SLOPES. */
static int add_value(struct slopes *slopes, size_t j, struct err *err) {
  const struct fitted_value *value = &fitted_values[j];
  struct slope *slope = &slopes->values[j];
  struct variation_number number;
  double least, most;
  if (variations_value(&slopes->variations, value->machine, value->keys, &number, err) != 0) {
    return -1;
  }
  fitted_bounds(value, &least, &most);
  double low = fmax(least, number.value - step_share * (most - least)),
         high = fmin(most, number.value + step_share * (most - least));
  bool is_count = platform_is_count(value->keys);
  *slope = (struct slope){.now = number.value,
                          .unit = number.unit,
                          .ends = {is_count ? floor(low) : low, is_count ? ceil(high) : high},
                          .first = slopes->variations.n};
  for (size_t i = 0; i < 2; i++) {
    char text[TEXT_SIZE];
    const struct variation_setting setting = {value->machine, value->keys, text};
    format(value, slope->ends[i], text);
    if (variations_add(&slopes->variations, &setting, 1, err) != 0) {
      return -1;
    }
  }
  return 0;
}

int slopes_measure(struct slopes *slopes, const struct evidence *evidence,
                   bool (*choose)(const struct fitted_value *value), struct err *err) {
  *slopes = (struct slopes){.variations = {.evidence = evidence, .wanted = slopes->wanted},
                            .values = xcalloc(fitted_nvalues, sizeof *slopes->values),
                            .slope = xcalloc(published_count() * fitted_nvalues, sizeof *slopes->slope)};
  int status = variations_add(&slopes->variations, NULL, 0, err);
  for (size_t j = 0; j < fitted_nvalues && status == 0; j++) {
    slopes->values[j].now = NAN;
    if ((!choose || choose(&fitted_values[j])) &&
        variations_has(&slopes->variations, fitted_values[j].machine)) {
      status = add_value(slopes, j, err);
    }
  }
  status = status == 0 ? variations_run(&slopes->variations, err) : -1;
  if (status != 0 || des_interrupted()) {
    return -1;
  }
  for (size_t k = 0; k < published_count() * fitted_nvalues; k++) {
    const struct slope *value = &slopes->values[k % fitted_nvalues];
    if (!isnan(value->now)) {
      struct variation **items = &slopes->variations.items[value->first];
      double low = items[0]->rows[k / fitted_nvalues].simulated,
             high = items[1]->rows[k / fitted_nvalues].simulated;
      slopes->slope[k] = log(high / low) / (value->ends[1] - value->ends[0]);
    }
  }
  return 0;
}

void slopes_fini(struct slopes *slopes) {
  variations_fini(&slopes->variations);
  free(slopes->values);
  free(slopes->slope);
}

/* --- fits --- */

static void fill_row(struct fitting *fitting, const struct slopes *slopes, size_t i, variations_row *wanted) {
  struct least_squares *problem = &fitting->problem;
  const struct published_row *row = &slopes->variations.items[0]->rows[i];
  size_t n = problem->nparams;
  double off = log(row->simulated / row->published), *slope = &problem->slope[i * n];
  for (size_t k = 0; k < n; k++) {
    slope[k] = slopes->slope[i * fitted_nvalues + fitting->values[k]];
    off -= slope[k] * slopes->values[fitting->values[k]].now;
  }
  for (size_t k = 0; k < n && !isfinite(off); k++) {
    slope[k] = 0;
  }
  problem->used[i] = isfinite(off) && wanted(row);
  problem->residual[i] = isfinite(off) ? off : 0;
  problem->sigma[i] = row->role == PUBLISHED_DERIVED ? sigma_derived : sigma_fit;
}

void fitting_init(struct fitting *fitting, const struct slopes *slopes, variations_row *wanted) {
  size_t nrows = published_count();
  struct least_squares *problem = &fitting->problem;
  *fitting = (struct fitting){.problem = {.nrows = nrows,
                                          .slope = xcalloc(nrows * fitted_nvalues, sizeof(double)),
                                          .residual = xcalloc(nrows, sizeof(double)),
                                          .sigma = xcalloc(nrows, sizeof(double)),
                                          .used = xcalloc(nrows, sizeof(bool)),
                                          .least = xcalloc(fitted_nvalues, sizeof(double)),
                                          .most = xcalloc(fitted_nvalues, sizeof(double))},
                              .values = xcalloc(fitted_nvalues, sizeof *fitting->values)};
  for (size_t j = 0; j < fitted_nvalues; j++) {
    if (!isnan(slopes->values[j].now)) {
      size_t k = problem->nparams++;
      fitting->values[k] = j;
      fitted_bounds(&fitted_values[j], &problem->least[k], &problem->most[k]);
    }
  }
  for (size_t i = 0; i < nrows; i++) {
    fill_row(fitting, slopes, i, wanted);
  }
}

void fitting_solve(struct fitting *fitting) {
  least_squares_fini(&fitting->result);
  fitting->result = least_squares_solve(&fitting->problem);
}

int fitting_add(const struct fitting *fitting, struct variations *variations, const double *x,
                const struct variation_setting *also, struct err *err) {
  size_t n = fitting->problem.nparams;
  SCOPED struct variation_setting *settings = xcalloc(n + 1, sizeof *settings);
  SCOPED char(*texts)[TEXT_SIZE] = xcalloc(n, sizeof *texts);
  for (size_t k = 0; k < n; k++) {
    const struct fitted_value *value = &fitted_values[fitting->values[k]];
    format(value, x[k], texts[k]);
    settings[k] = (struct variation_setting){value->machine, value->keys, texts[k]};
  }
  settings[n] = also ? *also : settings[n];
  return variations_add(variations, settings, also ? n + 1 : n, err);
}

void fitting_fini(struct fitting *fitting) {
  struct least_squares *problem = &fitting->problem;
  void *arrays[] = {fitting->values, problem->used,  problem->slope, problem->residual,
                    problem->sigma,  problem->least, problem->most};
  VEC_EACH(array, arrays, VEC_LENGTH(arrays)) {
    free(*array);
  }
  least_squares_fini(&fitting->result);
}

/* --- evidence fit, cross-validate, leave-one-out and sensitivity ---
 *
 * All fits are linear around the values in use, but begin in the middle of the bounds of the platform files,
 * so that only the fitted rows determine a value. */

static bool is_row_or_test(const struct published_row *row) {
  return row->role == PUBLISHED_TEST || fitted_is_row(row);
}

static bool has_rows(const struct fitted_value *value) {
  return value->rows != NULL;
}

/* Measure the slopes of the values selected by CHOOSE on the machines of EVIDENCE, and report with TELL. */
static int with_slopes(const struct evidence *evidence, bool (*choose)(const struct fitted_value *value),
                       int (*tell)(const struct evidence *evidence, struct slopes *slopes, struct err *err),
                       struct err *err) {
  struct slopes slopes = {.wanted = is_row_or_test};
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
  return with_slopes(evidence, has_rows, tell_fit, err);
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
  VEC_EACH(fold, folds, VEC_LENGTH(folds)) {
    struct fitting fitting;
    struct errors errors = {.items = xcalloc(published_count(), sizeof *errors.items)};
    SCOPED bool *predicted = xcalloc(published_count(), sizeof *predicted);
    fitting_init(&fitting, slopes, is_row_or_test);
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
  fitting_init(&fitting, slopes, is_row_or_test);
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
  return with_slopes(evidence, has_rows, tell_left_out, err);
}
