/* SPDX-License-Identifier: BSD-3-Clause
 * Slopes are quotients of differences: each value is changed by a twentieth of the bounds in both
 * directions, and the logarithm of a row is taken as linear between the two. */
#include "validate/evidence/fitted.h"

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "validate/evidence/evidence.h"

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
const size_t fitted_nvalues = sizeof fitted_values / sizeof *fitted_values;

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
  bool found = false;
  for (size_t j = 0; j < fitted_nvalues; j++) {
    found |= fitted_values[j].rows && fitted_has_row(fitted_values[j].rows, row->id);
  }
  return found;
}

bool fitted_or_test(const struct published_row *row) {
  return row->role == PUBLISHED_TEST || fitted_is_row(row);
}

bool fitted_by_rows(const struct fitted_value *value) {
  return value->rows != NULL;
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

/* Fill row I of FITTING. */
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
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    free(arrays[i]);
  }
  least_squares_fini(&fitting->result);
}
