/* SPDX-License-Identifier: BSD-3-Clause
 * Linear least squares within bounds, with possibly open parameters. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The error of row I is residual[I] + sum over J of slope[I * nparams + J] * x[J], with uncertainty sigma[I].
 * Prior knowledge: x[J] is between least[J] and most[J], as if x[J] had been measured in the middle, with the
 * standard deviation of a uniform distribution. So parameters not determined by any row stay in the middle of
 * the bounds. */
struct least_squares {
  size_t nrows, nparams;
  double *slope, *residual, *sigma;
  bool *used; /* per row: whether the row counts; NULL: all rows count */
  double *least, *most;
};

struct least_squares_result {
  double *x;          /* nparams: the best values within the bounds */
  double *covariance; /* nparams x nparams: covariance of x, times `scale` squared */
  double *determined; /* nparams: the share of the prior variance removed by the rows, 0 to 1 */
  double effective;   /* the sum of `determined`: the number of parameters determined by the rows */
  double scale;       /* mean error of rows, in sigmas; at least 1 */
};

/* Solve PROBLEM. */
struct least_squares_result least_squares_solve(const struct least_squares *problem);
void least_squares_fini(struct least_squares_result *result);

/* Return the error of row INDEX of PROBLEM with the parameters X. */
double least_squares_off(const struct least_squares *problem, size_t index, const double *x);

/* Multiply N standard normal numbers with a square root of COVARIANCE, n x n; SAMPLE is then a sample with
 * this covariance. */
void least_squares_sample(const double *covariance, size_t n, const double *normal, double *sample);
