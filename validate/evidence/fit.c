/* SPDX-License-Identifier: BSD-3-Clause
 * evidence fit: the values in use beside the values found by least squares over the published rows of role
 * fit and derived. The fit is linear around the values in use. The fitted machine is simulated to find out
 * whether it is better. */
#include "sim/base/xalloc.h"
#include "validate/evidence/evidence.h"
#include "validate/evidence/fitted.h"
#include "validate/papers/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Maximum difference between a value in use and the fit, in uncertainties. */
static const double least_difference = 2;

/* Report the values of FITTING beside the values in use.
 * returns: the number of values in use with more than the maximum difference. */
static size_t tell_values(const struct evidence *evidence, const struct slopes *slopes,
                          const struct fitting *fitting, const struct least_squares_result *result) {
  size_t n = fitting->problem.nparams, nfar = 0;
  for (size_t k = 0; k < n; k++) {
    const struct fitted_value *value = &fitted_values[fitting->values[k]];
    const char *unit = slopes->units[fitting->values[k]];
    double now = slopes->now[fitting->values[k]], open = sqrt(result->covariance[k * n + k]);
    double difference = (now - result->x[k]) / open;
    nfar += fabs(difference) > least_difference;
    evidence_take(evidence, value->keys, "used", now, unit);
    evidence_take(evidence, value->keys, "fitted", result->x[k], unit);
    evidence_take(evidence, value->keys, "uncertainty", open, unit);
    evidence_take(evidence, value->keys, "difference", difference, "uncertainties");
    evidence_take(evidence, value->keys, "determined", 100 * result->determined[k], "percent");
  }
  return nfar;
}

/* Report the median errors of VARIATION, called NAME. */
static void tell_medians(const struct evidence *evidence, const struct variation *variation,
                         const char *name) {
  struct published_row *rows = xcalloc(published_count(), sizeof *rows);
  size_t n = 0;
  for (size_t i = 0; i < published_count(); i++) {
    rows[n] = published_describe(i);
    rows[n].error = 100 * (variation->values[i] / rows[n].published - 1);
    n += !isnan(rows[n].error) && fitted_or_test(&rows[n]);
  }
  for (enum published_role role = PUBLISHED_FIT; role <= PUBLISHED_TEST; role++) {
    struct published_summary summary = published_summarize(rows, n, role);
    if (summary.n == 0) {
      continue;
    }
    char row[64];
    snprintf(row, sizeof row, "median-%s", published_role_name(role));
    evidence_take(evidence, name, row, summary.median, "percent");
    evidence_say(evidence, "%s values: %s rows: median error %.1f %%, largest %.1f %% (%s)", name,
                 published_role_name(role), summary.median, summary.largest,
                 summary.worst ? summary.worst->id : "none");
  }
  free(rows);
}

int evidence_fit(const struct evidence *evidence, struct err *err) {
  struct slopes slopes = {.wanted = fitted_or_test};
  int status = slopes_measure(&slopes, evidence, fitted_by_rows, err);
  if (status == 0) {
    struct fitting fitting;
    fitting_init(&fitting, &slopes, fitted_is_row);
    struct least_squares_result result = least_squares_solve(&fitting.problem);
    size_t nfar = tell_values(evidence, &slopes, &fitting, &result);
    evidence_take(evidence, "all", "effective", result.effective, "values");
    evidence_take(evidence, "all", "misfit", result.scale, "standard deviations");
    evidence_say(evidence,
                 "%zu of %zu values in use are within two uncertainties of the fit, which knows %.1f of them",
                 fitting.problem.nparams - nfar, fitting.problem.nparams, result.effective);
    status = fitting_add(&fitting, &slopes.variations, result.x, NULL, err);
    status = status == 0 ? variations_run(&slopes.variations, err) : -1;
    if (status == 0) {
      tell_medians(evidence, slopes.variations.items[0], "used");
      tell_medians(evidence, slopes.variations.items[slopes.variations.n - 1], "fitted");
    }
    least_squares_fini(&result);
    fitting_fini(&fitting);
  }
  slopes_fini(&slopes);
  return status;
}

/* --- sensitivity --- */

/* Derivatives below this limit are left out: 10 % more of the value moves the row by less than 0.1 %. */
static const double least_sensitivity = 0.01;

int evidence_sensitivity(const struct evidence *evidence, struct err *err) {
  struct slopes slopes = {.wanted = fitted_or_test};
  int status = slopes_measure(&slopes, evidence, NULL, err);
  for (size_t j = 0; j < fitted_nvalues && status == 0; j++) {
    for (size_t i = 0; i < published_count(); i++) {
      struct published_row row = published_describe(i);
      double value = slopes.slope[i * fitted_nvalues + j] * slopes.now[j];
      if (fabs(value) >= least_sensitivity) {
        evidence_take(evidence, fitted_values[j].keys, row.id, value, "percent/percent");
      }
    }
  }
  slopes_fini(&slopes);
  return status;
}
