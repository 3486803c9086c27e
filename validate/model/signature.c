/* SPDX-License-Identifier: BSD-3-Clause
 * See signature.h. The covariance of the errors is diagonal, with the squares of the times, so that generalised least
 * squares are weighted ones. */
#include "validate/model/signature.h"

#include "sim/base/xalloc.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST_POINTS = 2 }; /* on either side of M */

/* Two coefficients that explain COUNT values: value i = a first[i] + b second[i]. */
struct fit {
  const double *first, *second, *values, *weights;
  size_t count;
  double a, b;
  double misfit; /* weighted sum of squares */
};

static void
solve(struct fit *fit)
{
  size_t n = fit->count;
  gsl_matrix *rows = gsl_matrix_alloc(n, 2), *covariance = gsl_matrix_alloc(2, 2);
  gsl_vector *both = gsl_vector_alloc(2);
  gsl_vector_const_view values = gsl_vector_const_view_array(fit->values, n);
  gsl_vector_const_view weights = gsl_vector_const_view_array(fit->weights, n);
  gsl_multifit_linear_workspace *workspace = gsl_multifit_linear_alloc(n, 2);
  for (size_t i = 0; i < n; i++) {
    gsl_matrix_set(rows, i, 0, fit->first[i]);
    gsl_matrix_set(rows, i, 1, fit->second[i]);
  }
  gsl_multifit_wlinear(rows, &weights.vector, &values.vector, both, covariance, &fit->misfit, workspace);
  fit->a = gsl_vector_get(both, 0);
  fit->b = gsl_vector_get(both, 1);
  gsl_multifit_linear_free(workspace);
  gsl_vector_free(both);
  gsl_matrix_free(covariance);
  gsl_matrix_free(rows);
}

void
signature_fit_message(struct signature *signature, const struct signature_point *points, size_t count)
{
  double *columns = xcalloc(4 * count, sizeof *columns);
  struct fit fit = {columns, columns + count, columns + 2 * count, columns + 3 * count, .count = count};
  for (size_t i = 0; i < count; i++) {
    columns[i] = 1;
    columns[count + i] = (double)points[i].nbytes;
    columns[2 * count + i] = points[i].cycles;
    columns[3 * count + i] = 1 / (points[i].cycles * points[i].cycles);
  }
  solve(&fit);
  signature->alpha = fit.a;
  signature->beta = fit.b;
  free(columns);
}

void
signature_fit(struct signature *signature, const struct signature_point *points, size_t count, unsigned ranks)
{
  double *columns = xcalloc(4 * count, sizeof *columns), best = INFINITY;
  for (size_t from = 0; from + LEAST_POINTS <= count; from = from ? from + 1 : LEAST_POINTS) {
    struct fit fit = {columns, columns + count, columns + 2 * count, columns + 3 * count, .count = count};
    for (size_t i = 0; i < count; i++) {
      double message = points[i].cycles / (ranks - 1);
      columns[i] = (double)points[i].nbytes * signature->beta;
      columns[count + i] = i >= from;
      columns[2 * count + i] = message - signature->alpha;
      columns[3 * count + i] = 1 / (message * message);
    }
    solve(&fit);
    if (fit.misfit < best) {
      best = fit.misfit;
      signature->gamma = fit.a;
      signature->delta = fit.b;
      signature->threshold = from ? points[from].nbytes : 0;
    }
  }
  free(columns);
}

/* Return what SIGNATURE predicts for RANKS ranks if MESSAGES blocks of NBYTES pass the bottleneck one after the other. */
static double
predict(const struct signature *signature, unsigned ranks, double messages, size_t nbytes)
{
  double delta = nbytes >= signature->threshold ? signature->delta : 0;
  return (ranks - 1) * (signature->alpha + delta) +
         messages * (double)nbytes * signature->beta * signature->gamma;
}

double
signature_predict(const struct signature *signature, unsigned ranks, size_t nbytes)
{
  return predict(signature, ranks, ranks - 1, nbytes);
}

double
signature_pair_predict(const struct signature_pair *pair, unsigned ranks, size_t nbytes)
{
  double spes = pair->chip_ranks, all = pair->machine_ranks,
         stay = predict(pair->chip, ranks, (spes - 1) * ranks / spes, nbytes);
  if (ranks <= pair->chip_ranks) {
    return stay;
  }
  double leave = predict(pair->machine, ranks, (all - 1) * (ranks - spes) / (all - spes), nbytes);
  return fmax(stay, leave);
}
