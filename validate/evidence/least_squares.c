/* SPDX-License-Identifier: BSD-3-Clause
 * Parameters are measured from the middle of the bounds, in prior standard deviations. So the normal
 * equations are the equations of the rows plus the unit matrix, and always have one solution. */
#include "validate/evidence/least_squares.h"

#include "sim/base/xalloc.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

/* Return the prior standard deviation of parameter J. */
static double width(const struct least_squares *problem, size_t j) {
  return (problem->most[j] - problem->least[j]) / sqrt(12);
}

static double middle(const struct least_squares *problem, size_t j) {
  return (problem->most[j] + problem->least[j]) / 2;
}

static bool is_used(const struct least_squares *problem, size_t i) {
  return !problem->used || problem->used[i];
}

double least_squares_off(const struct least_squares *problem, size_t index, const double *x) {
  double off = problem->residual[index];
  for (size_t j = 0; j < problem->nparams; j++) {
    off += problem->slope[index * problem->nparams + j] * x[j];
  }
  return off;
}

/* Fill the normal equations of PROBLEM: MATRIX z = SIDE, of MATRIX the lower half; parameters in FIXED keep
 * the z there. */
static void fill_equations(const struct least_squares *problem, const double *fixed, gsl_matrix *matrix,
                           gsl_vector *side) {
  size_t n = problem->nparams;
  SCOPED double *row = xcalloc(n, sizeof *row);
  gsl_vector_const_view slopes = gsl_vector_const_view_array(row, n);
  gsl_matrix_set_identity(matrix);
  gsl_vector_set_zero(side);
  for (size_t i = 0; i < problem->nrows; i++) {
    double off = problem->residual[i];
    for (size_t j = 0; j < n; j++) {
      double slope = problem->slope[i * n + j];
      row[j] = isnan(fixed[j]) ? slope * width(problem, j) / problem->sigma[i] : 0;
      off += slope * (middle(problem, j) + (isnan(fixed[j]) ? 0 : fixed[j] * width(problem, j)));
    }
    if (is_used(problem, i)) {
      gsl_blas_dsyr(CblasLower, 1, &slopes.vector, matrix);
      gsl_blas_daxpy(-off / problem->sigma[i], &slopes.vector, side);
    }
  }
}

/* Solve for the parameters not in FIXED; fix the parameter farthest out of bounds at the nearer bound.
 * returns: whether a parameter was fixed. */
static bool solve_and_fix(const struct least_squares *problem, double *fixed, double *z) {
  const double bound = sqrt(3); /* half the width of a uniform distribution, in standard deviations */
  size_t n = problem->nparams, worst = n;
  gsl_matrix *matrix = gsl_matrix_alloc(n, n);
  gsl_vector *side = gsl_vector_alloc(n);
  fill_equations(problem, fixed, matrix, side);
  gsl_linalg_cholesky_decomp1(matrix);
  gsl_linalg_cholesky_svx(matrix, side);
  double most = bound * (1 + 1e-9);
  for (size_t j = 0; j < n; j++) {
    z[j] = isnan(fixed[j]) ? gsl_vector_get(side, j) : fixed[j];
    if (isnan(fixed[j]) && fabs(z[j]) > most) {
      most = fabs(z[j]);
      worst = j;
    }
  }
  if (worst < n) {
    fixed[worst] = copysign(bound, z[worst]);
  }
  gsl_vector_free(side);
  gsl_matrix_free(matrix);
  return worst < n;
}

/* Fill the uncertainties of RESULT. */
static void find_open(const struct least_squares *problem, struct least_squares_result *result) {
  size_t n = problem->nparams;
  SCOPED double *none = xcalloc(n, sizeof *none);
  double squares = 0, nused = 0;
  gsl_matrix *matrix = gsl_matrix_alloc(n, n);
  gsl_vector *side = gsl_vector_alloc(n);
  for (size_t j = 0; j < n; j++) {
    none[j] = NAN;
  }
  fill_equations(problem, none, matrix, side);
  gsl_linalg_cholesky_decomp1(matrix);
  gsl_linalg_cholesky_invert(matrix);
  for (size_t j = 0; j < n; j++) {
    result->determined[j] = 1 - gsl_matrix_get(matrix, j, j);
    result->effective += result->determined[j];
  }
  for (size_t i = 0; i < problem->nrows; i++) {
    if (is_used(problem, i)) {
      squares += pow(least_squares_off(problem, i, result->x) / problem->sigma[i], 2);
      nused++;
    }
  }
  result->scale = nused > result->effective ? fmax(1, sqrt(squares / (nused - result->effective))) : 1;
  for (size_t j = 0; j < n; j++) {
    for (size_t k = 0; k < n; k++) {
      /* scaled by the misfit of the rows, but at most to the width of the bounds */
      double scale = fmin(result->scale, 1 / sqrt(gsl_matrix_get(matrix, j, j))) *
                     fmin(result->scale, 1 / sqrt(gsl_matrix_get(matrix, k, k)));
      result->covariance[j * n + k] =
        gsl_matrix_get(matrix, j, k) * width(problem, j) * width(problem, k) * scale;
    }
  }
  gsl_vector_free(side);
  gsl_matrix_free(matrix);
}

struct least_squares_result least_squares_solve(const struct least_squares *problem) {
  size_t n = problem->nparams;
  struct least_squares_result result = {.x = xcalloc(n, sizeof *result.x),
                                        .covariance = xcalloc(n * n, sizeof *result.covariance),
                                        .determined = xcalloc(n, sizeof *result.determined)};
  SCOPED double *fixed = xcalloc(n, sizeof *fixed);
  for (size_t j = 0; j < n; j++) {
    fixed[j] = NAN;
  }
  while (solve_and_fix(problem, fixed, result.x)) {
  }
  for (size_t j = 0; j < n; j++) {
    result.x[j] = middle(problem, j) + result.x[j] * width(problem, j);
  }
  find_open(problem, &result);
  return result;
}

void least_squares_fini(struct least_squares_result *result) {
  free(result->x);
  free(result->covariance);
  free(result->determined);
}

void least_squares_sample(const double *covariance, size_t n, const double *normal, double *sample) {
  gsl_matrix_const_view view = gsl_matrix_const_view_array(covariance, n, n);
  gsl_vector_const_view numbers = gsl_vector_const_view_array(normal, n);
  gsl_vector_view out = gsl_vector_view_array(sample, n);
  gsl_matrix *root = gsl_matrix_alloc(n, n);
  gsl_matrix_memcpy(root, &view.matrix);
  gsl_linalg_cholesky_decomp1(root);
  gsl_vector_memcpy(&out.vector, &numbers.vector);
  gsl_blas_dtrmv(CblasLower, CblasNoTrans, CblasNonUnit, root, &out.vector);
  gsl_matrix_free(root);
}
