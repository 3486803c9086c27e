/* SPDX-License-Identifier: BSD-3-Clause
 * The values of fitted.def, and the change of published rows with each value. */
#pragma once

#include "validate/evidence/evidence.h"

struct fitted_value {
  const char *machine, *keys;
  const char *rows; /* NULL: no rows choose the value alone */
};

extern const struct fitted_value fitted_values[];
extern const size_t fitted_nvalues;

/* Find the range of VALUE before any row is looked at: the bounds LEAST and MOST of the first key in the
 * platform file of the machine. */
void fitted_bounds(const struct fitted_value *value, double *least, double *most);

/* Tell whether ID is one of the rows of LIST, separated by blanks; an asterisk is for any letters. */
bool fitted_has_row(const char *list, const char *id);

/* Tell whether ROW is fitted to because of one of the values. */
bool fitted_is_row(const struct published_row *row);

/* The change of published rows with the values. */
struct slopes {
  struct variations variations; /* the first variation is the machine as it is */
  variations_row *wanted;       /* set by the caller: a row to simulate */
  struct slope {
    double now; /* in use; NaN: not measured */
    const char *unit;
    double ends[2]; /* below and above, simulated */
    size_t first;   /* index of the first of the two variations */
  } * values;
  /* [row * fitted_nvalues + value]: change of the logarithm of a row for 1 more of a value; NaN: none */
  double *slope;
};

/* Measure SLOPES: change each value selected by CHOOSE, NULL for all, in both directions, by a twentieth of
 * its bounds, on the machines of EVIDENCE, for the wanted rows.
 * errors: as variations_run; a parameter missing from the machines; an interruption, without a message.
 * owner: the caller, with slopes_fini, in any case. */
int slopes_measure(struct slopes *slopes, const struct evidence *evidence,
                   bool (*choose)(const struct fitted_value *value), struct err *err);
void slopes_fini(struct slopes *slopes);

/* --- linear least squares within bounds, with possibly open parameters: least_squares.c --- */

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

/* --- fits --- */

/* A least squares problem about values of SLOPES, and the solution. */
struct fitting {
  struct least_squares problem; /* the caller may change `used` */
  size_t *values;               /* indices into fitted_values */
  struct least_squares_result result;
};

/* Prepare FITTING for the values of SLOPES. A wanted row counts if the row has a simulated value. Rows of
 * role derived have an uncertainty of 1 %, since a value is solved for each; other rows have 5 %, because of
 * tables with two digits and unpublished details of the measurement. */
void fitting_init(struct fitting *fitting, const struct slopes *slopes, variations_row *wanted);
void fitting_fini(struct fitting *fitting);

/* Solve the problem of FITTING. */
void fitting_solve(struct fitting *fitting);

/* Add the machine with the values X of FITTING, and with the setting ALSO unless NULL, to VARIATIONS.
 * errors: as variations_add. */
int fitting_add(const struct fitting *fitting, struct variations *variations, const double *x,
                const struct variation_setting *also, struct err *err);
