/* SPDX-License-Identifier: BSD-3-Clause
 * How much worse may a parameter of the machine become before another algorithm is the fastest? The
 * parameters are those of what_if.def, each worse by a factor: more cycles, a lower rate, fewer places. */
#pragma once

#include "algos/catalogue.h"
#include "validate/model/tune.h"

/* The largest factor that is tried, and the most machines that are. */
#define SLACK_FACTOR_MOST 16.0
enum { SLACK_JUDGEMENTS_MOST = 20 };

/* What came of one parameter. */
struct slack {
  const char *name; /* see what_if.def */
  const char *keys;
  double turns; /* the least factor, to 1 %, with which another algorithm is the fastest; NaN: none is */
  double back;  /* a later factor with which an algorithm of today is the fastest again; NaN: none was seen */
  double limit; /* the machine cannot become worse by this factor, or a larger one; NaN: it can */
  char winner[CATALOGUE_NAME_SIZE]; /* the fastest at the factor `turns` */
  unsigned judgements;              /* machines tried */
};

/* Find the slack of parameter INDEX of what_if.def for DECISION, which GRID has made.
 * returns: 1, or 0 if the machine has no such parameter, or after an interruption; -1 after an error.
 * errors: as tune_run. */
int slack_find(const struct tune_decision *decision, const struct tune_grid *grid, size_t index,
               struct slack *slack, struct err *err);
