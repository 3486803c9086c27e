/* SPDX-License-Identifier: BSD-3-Clause
 * The values of fitted.def, and the change of published rows with each value. */
#pragma once

#include "validate/evidence/evidence.h"
#include "validate/evidence/least_squares.h"

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
