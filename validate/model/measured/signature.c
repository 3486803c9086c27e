/* SPDX-License-Identifier: BSD-3-Clause
 * See signature.h. The covariance of the errors is diagonal, with the squares of the times: generalised least
 * squares are weighted least squares. */
#include "validate/model/measured/signature.h"

#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"

#include <gsl/gsl_multifit.h>
#include <math.h>

enum { LEAST_POINTS = 2 }; /* on either side of M */

/* An equation for two coefficients, a and b: a first + b second = value; `weight` is that of the error. */
struct row {
  double first, second, value, weight;
};

struct fit {
  double factors[2]; /* a and b */
  double misfit;     /* weighted sum of squares */
};

/* Return the equation with an error in proportion to TIME. */
static struct row row_of(double first, double second, double value, double time) {
  return (struct row){first, second, value, 1 / (time * time)};
}

static struct fit solve(struct row *rows, size_t n) {
  enum { MEMBERS = sizeof *rows / sizeof rows->first };
  struct fit fit;
  double squares[4], *numbers = (double *)rows;
  gsl_matrix_view equations = gsl_matrix_view_array_with_tda(numbers, n, 2, MEMBERS),
                  covariance = gsl_matrix_view_array(squares, 2, 2);
  gsl_vector_view values = gsl_vector_view_array_with_stride(numbers + 2, MEMBERS, n),
                  weights = gsl_vector_view_array_with_stride(numbers + 3, MEMBERS, n),
                  factors = gsl_vector_view_array(fit.factors, 2);
  gsl_multifit_linear_workspace *workspace = gsl_multifit_linear_alloc(n, 2);
  gsl_multifit_wlinear(&equations.matrix, &weights.vector, &values.vector, &factors.vector,
                       &covariance.matrix, &fit.misfit, workspace);
  gsl_multifit_linear_free(workspace);
  return fit;
}

void signature_fit_message(struct signature *signature, const struct signature_point *points, size_t count) {
  SCOPED struct row *rows = xcalloc(count, sizeof *rows);
  for (size_t i = 0; i < count; i++) {
    rows[i] = row_of(1, (double)points[i].nbytes, points[i].cycles, points[i].cycles);
  }
  struct fit fit = solve(rows, count);
  signature->alpha = fit.factors[0];
  signature->beta = fit.factors[1];
}

void signature_fit(struct signature *signature, const struct signature_point *points, size_t count,
                   unsigned ranks) {
  SCOPED struct row *rows = xcalloc(count, sizeof *rows);
  double best = INFINITY;
  for (size_t from = 0; from + LEAST_POINTS <= count; from = from ? from + 1 : LEAST_POINTS) {
    for (size_t i = 0; i < count; i++) {
      double message = points[i].cycles / (ranks - 1);
      rows[i] =
        row_of((double)points[i].nbytes * signature->beta, i >= from, message - signature->alpha, message);
    }
    struct fit fit = solve(rows, count);
    if (fit.misfit < best) {
      best = fit.misfit;
      signature->gamma = fit.factors[0];
      signature->delta = fit.factors[1];
      signature->threshold = from ? points[from].nbytes : 0;
    }
  }
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
  unsigned fewer = MIN(ranks[0], ranks[1]), more = ranks[0] + ranks[1] - fewer;
  double first = signature_predict(&area->clusters[0], ranks[0], nbytes),
         second = signature_predict(&area->clusters[1], ranks[1], nbytes);
  unsigned steps = (more + fewer - 1) / fewer;
  return fmax(first, second) + steps * (area->between.alpha + area->between.beta * (double)nbytes * blocks);
}
