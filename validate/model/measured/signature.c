/* SPDX-License-Identifier: BSD-3-Clause
 * See signature.h. The covariance of the errors is diagonal, with the squares of the times: generalised least
 * squares are weighted least squares. */
#include "validate/model/measured/signature.h"

#include "sim/base/xalloc.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST_POINTS = 2 }; /* on either side of M */

/* An equation for two coefficients: a first + b second = value, with an error in proportion to `time`. */
struct row {
  double first, second, value, time;
};

struct fit {
  double a, b;
  double misfit; /* weighted sum of squares */
};

static struct fit solve(const struct row *rows, size_t n) {
  struct fit fit;
  gsl_matrix *factors = gsl_matrix_alloc(n, 2), *covariance = gsl_matrix_alloc(2, 2);
  gsl_vector *both = gsl_vector_alloc(2), *values = gsl_vector_alloc(n), *weights = gsl_vector_alloc(n);
  gsl_multifit_linear_workspace *workspace = gsl_multifit_linear_alloc(n, 2);
  for (size_t i = 0; i < n; i++) {
    gsl_matrix_set(factors, i, 0, rows[i].first);
    gsl_matrix_set(factors, i, 1, rows[i].second);
    gsl_vector_set(values, i, rows[i].value);
    gsl_vector_set(weights, i, 1 / (rows[i].time * rows[i].time));
  }
  gsl_multifit_wlinear(factors, weights, values, both, covariance, &fit.misfit, workspace);
  fit.a = gsl_vector_get(both, 0);
  fit.b = gsl_vector_get(both, 1);
  gsl_multifit_linear_free(workspace);
  gsl_vector_free(weights);
  gsl_vector_free(values);
  gsl_vector_free(both);
  gsl_matrix_free(covariance);
  gsl_matrix_free(factors);
  return fit;
}

void signature_fit_message(struct signature *signature, const struct signature_point *points, size_t count) {
  SCOPED struct row *rows = xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++) {
    rows[i] = (struct row){1, (double)points[i].nbytes, points[i].cycles, points[i].cycles};
  }
  struct fit fit = solve(rows, count);
  signature->alpha = fit.a;
  signature->beta = fit.b;
}

void signature_fit(struct signature *signature, const struct signature_point *points, size_t count,
                   unsigned ranks) {
  struct row *rows = xcalloc(count, sizeof *rows);
  double best = INFINITY;
  for (size_t from = 0; from + LEAST_POINTS <= count; from = from ? from + 1 : LEAST_POINTS) {
    for (size_t i = 0; i < count; i++) {
      double message = points[i].cycles / (ranks - 1);
      rows[i] = (struct row){(double)points[i].nbytes * signature->beta, i >= from,
                             message - signature->alpha, message};
    }
    struct fit fit = solve(rows, count);
    if (fit.misfit < best) {
      best = fit.misfit;
      signature->gamma = fit.a;
      signature->delta = fit.b;
      signature->threshold = from ? points[from].nbytes : 0;
    }
  }
  free(rows);
}

/* Return the time that SIGNATURE predicts for RANKS ranks if MESSAGES blocks of NBYTES pass the bottleneck
 * one after the other. */
static double predict(const struct signature *signature, unsigned ranks, double messages, size_t nbytes) {
  double delta = nbytes >= signature->threshold ? signature->delta : 0;
  return (ranks - 1) * (signature->alpha + delta) +
         messages * (double)nbytes * signature->beta * signature->gamma;
}

double signature_predict(const struct signature *signature, unsigned ranks, size_t nbytes) {
  return predict(signature, ranks, ranks - 1, nbytes);
}

double signature_pair_predict(const struct signature_pair *pair, unsigned ranks, size_t nbytes) {
  double spes = pair->chip_ranks, all = pair->machine_ranks,
         stay = predict(pair->chip, ranks, (spes - 1) * ranks / spes, nbytes);
  if (ranks <= pair->chip_ranks) {
    return stay;
  }
  double leave = predict(pair->machine, ranks, (all - 1) * (ranks - spes) / (all - spes), nbytes);
  return fmax(stay, leave);
}

double signature_area_predict(const struct signature_area *area, const unsigned ranks[2], unsigned blocks,
                              size_t nbytes) {
  unsigned fewer = ranks[0] < ranks[1] ? ranks[0] : ranks[1], more = ranks[0] + ranks[1] - fewer;
  double first = signature_predict(&area->clusters[0], ranks[0], nbytes),
         second = signature_predict(&area->clusters[1], ranks[1], nbytes);
  unsigned steps = (more + fewer - 1) / fewer;
  return fmax(first, second) + steps * (area->between.alpha + area->between.beta * (double)nbytes * blocks);
}
