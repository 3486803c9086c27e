/* SPDX-License-Identifier: BSD-3-Clause
 * Linear least squares within bounds, where measurements may leave something open. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What row I is off by is residual[I] + sum over J of slope[I * nparams + J] * x[J], known to sigma[I].
 * Before any row is looked at, x[J] is between least[J] and most[J], and nothing else is known: as if it had
 * been measured in the middle, with the standard deviation of a uniform distribution. So parameters that no
 * row determines stay in the middle of their bounds. */
struct least_squares {
  size_t nrows, nparams;
  const double *slope, *residual, *sigma;
  const bool *used; /* rows that count; NULL: all */
  const double *least, *most;
};

struct least_squares_result {
  double *x;          /* nparams: the best values within the bounds */
  double *covariance; /* nparams x nparams: what is left open, times `scale` squared */
  double *determined; /* nparams: the share of the variance that the rows have removed, 0 to 1 */
  double effective;   /* the sum of `determined`: so many parameters do the rows know */
  double scale;       /* by how much rows are off in the mean, in sigmas; at least 1 */
};

/* Solve PROBLEM.
 * owner: the caller, with least_squares_fini. */
struct least_squares_result least_squares_solve(const struct least_squares *problem);

/* Release the contents of RESULT. */
void least_squares_fini(struct least_squares_result *result);

/* Return by how much row INDEX of PROBLEM is off with the parameters X. */
double least_squares_off(const struct least_squares *problem, size_t index, const double *x);

/* Multiply N standard normal numbers with a square root of COVARIANCE, n x n: DRAWN is then a draw from
 * it. */
void least_squares_draw(const double *covariance, size_t n, const double *normal, double *drawn);
