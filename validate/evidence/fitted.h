/* SPDX-License-Identifier: BSD-3-Clause
 * The values of fitted.def, and by how much published rows move with each. */
#pragma once

#include "validate/evidence/lab.h"
#include "validate/evidence/least_squares.h"

struct evidence;

struct fitted_value {
  const char *machine, *keys;
  double least, most;
  const char *rows; /* NULL: none chooses it alone */
};

extern const struct fitted_value fitted_values[];
extern const size_t fitted_nvalues;

/* Tell whether ID is one of the rows of LIST, separated by blanks; an asterisk is for any letters. */
bool fitted_has_row(const char *list, const char *id);

/* Tell whether row ID is fitted to because of one of the values. */
bool fitted_is_row(const char *id);

/* Write NUMBER as VALUE is written after --set: whole if it has to be. */
enum { FITTED_TEXT_SIZE = 32 };
void fitted_format(const struct fitted_value *value, double number, char text[FITTED_TEXT_SIZE]);

/* How published rows move with the values. */
struct slopes {
  struct lab lab;     /* its first variation is the machine as it is */
  bool *wanted;       /* rows that are simulated */
  double *now;        /* the values in use; NaN: not measured */
  size_t *first;      /* the two variations of each value: this one and the next */
  const char **units; /* of them */
  /* [row * fitted_nvalues + value]: change of the logarithm of a row for 1 more of a value; NaN: none */
  double *slope;
};

/* Tell whether rows choose VALUE. */
bool fitted_by_rows(const struct fitted_value *value);

/* Measure SLOPES by changing each value that CHOOSE tells both ways, by a twentieth of its bounds, on the
 * machines of EVIDENCE, for the rows that are fitted to and those of role test.
 * errors: as lab_run; a parameter that the machines have not; an interruption, without a message.
 * owner: the caller, with slopes_fini, in any case. */
int slopes_measure(struct slopes *slopes, const struct evidence *evidence,
                   bool (*choose)(const struct fitted_value *value), struct err *err);

/* Release what SLOPES hold. */
void slopes_fini(struct slopes *slopes);

/* A least squares problem about values of SLOPES. */
struct fitting {
  struct least_squares problem;
  size_t *values; /* numbers in fitted_values */
  bool *used;     /* rows; the caller may change them */
  double *slope, *residual, *sigma, *least, *most;
};

/* Prepare FITTING about the values of SLOPES, in which the rows count for which COUNTS tells true and that
 * can be simulated. Rows of role derived are known to 1 %, since a value is solved for each; others to 5 %,
 * what tables with two digits and untold details of the measurement leave.
 * owner: the caller, with fitting_fini. */
void fitting_init(struct fitting *fitting, const struct slopes *slopes,
                  bool (*counts)(const struct published_row *row));

/* Release what FITTING holds. */
void fitting_fini(struct fitting *fitting);
