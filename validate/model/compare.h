/* SPDX-License-Identifier: BSD-3-Clause
 * Simulation against models: every algorithm on the grid of the paper. */
#pragma once

#include "algos/step/algo.h"
#include "sim/base/units.h"
#include "validate/lab/call/outcome.h"
#include "validate/model/predict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The calls to compare. */
struct compare_grid {
  struct ledger *ledger;
  bool unrefined;                /* without the refined model: no error has a cause */
  const struct algorithm *calls; /* NULL: all calls that have a model */
  size_t ncalls;
  struct units_list ranks, bytes; /* empty: the paper's */
  unsigned root;
  uint64_t seed;
  /* Called for each call that is left out; may be NULL. */
  void (*skipped)(const struct algo *algo, const char *why);
  void (*wrong)(const char *what); /* called for each call with a wrong result; may be NULL */
};

/* Percent; larger errors have a cause. */
enum { COMPARE_EXPLAINED = 15 };

/* One point. */
struct compare_point {
  const struct platform *platform;
  struct algorithm algorithm;
  enum model model;
  unsigned ranks;
  size_t bytes;
  enum call_end end; /* unless CALL_OK, `error` is NaN, and so is `simulated` or the prediction */
  unsigned number;   /* for sorting */
  double simulated;  /* ns */
  struct {
    double low, middle, high;
  } predicted;  /* ns */
  double error; /* percent: 100 (predicted - simulated) / simulated, of the middle of the prediction */
  /* see below; empty: the error is at most COMPARE_EXPLAINED; on hosts also why there is no prediction */
  const char *cause;
};

/* All points of one or several machines. */
struct comparison {
  struct compare_point *points;
  size_t npoints;
  bool interrupted; /* each point is complete, but points may be missing */
};

/* Compare on MACHINE and add the points to COMPARISON, initially zero, in the order of the models. Calls that
 * cannot be served or have no prediction are left out.
 * errors: a profile that the platform does not have; a process that died; the store.
 * owner: the caller, with comparison_fini. */
int compare_run(struct comparison *comparison, struct machine *machine, const struct compare_grid *grid,
                struct err *err);

/* Release the points of COMPARISON. */
void comparison_fini(struct comparison *comparison);

/* Return the points of COMPARISON under MODEL, which are neighbours.
 * owner: COMPARISON. */
struct comparison compare_of_model(const struct comparison *comparison, enum model model);

/* How close predictions are, where there is a simulation. */
struct compare_summary {
  size_t npoints, within_5, within_10, within_15; /* percent */
  /* errors of more than COMPARE_EXPLAINED percent without a cause */
  size_t unexplained;
  double most; /* percent, the largest error of either sign */
};

/* Summarize the points of COMPARISON under MODEL, or only the points on a power of two ranks. */
struct compare_summary compare_summarize(const struct comparison *comparison, enum model model,
                                         bool powers_of_two);

/* Return the correlation coefficient of the times predicted and simulated in PART, points of one model. */
double compare_correlation(const struct comparison *part);

/* Return the largest error of PART, points of one model, over the points with another prediction in
 * PUBLISHED; NaN: there are none. */
double compare_difference(const struct comparison *part, const struct comparison *published);

/* Count the points of COMPARISON under MODEL with an error of more than TOLERANCE percent. */
size_t compare_beyond(const struct comparison *comparison, enum model model, double tolerance);

/* The summary lines of a comparison: the published model on a power of two ranks, and every model on all. */
enum { COMPARE_SUMMARIES = 1 + MODEL_COUNT, COMPARE_SUMMARY_SIZE = 160 };

/* Format the summaries of COMPARISON as `WHAT: N points: X (P %) within 10 %, Y (Q %) within 15 %`; without
 * points a line is empty. */
void compare_summary_lines(const struct comparison *comparison,
                           char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE]);

/* --- why a prediction is far from the simulation: cause.c --- */

/* The terms of a prediction. Rows of cost.def and platform.def name the term of a parameter. */
enum cause_term {
  CAUSE_STEPS,      /* data steps and notifications, as if all were on a chip */
  CAUSE_CROSSINGS,  /* extra cost of crossings */
  CAUSE_SHARING,    /* gaps, and readers with one on-ramp */
  CAUSE_CONGESTION, /* of the link between chips */
  CAUSE_COMBINING,  /* elements */
  CAUSE_SOFTWARE,   /* raising and finding flags, and all other parts of a model */
  CAUSE_TERMS,
  CAUSE_NOTHING = CAUSE_TERMS, /* of a parameter without a contribution */
};

enum { CAUSE_CHANGES_MAX = CAUSE_TERMS + 1 };

/* The cause where there is none. */
#define CAUSE_NONE "unexplained"

/* A replacement. */
struct cause_change {
  const char *name;
  double cycles; /* change of the prediction */
};

/* Split the prediction of MODEL for CALL into TERMS in SPU cycles; the terms add up to the
 * prediction.
 * returns: whether a prediction exists. */
bool cause_split(struct plogp *plogp, enum model model, const struct call *call, double terms[CAUSE_TERMS]);

/* Name the one or two of the N CHANGES that remove at least half of the error of PREDICTED and come closest
 * to SIMULATED (one change if one is enough).
 * returns: NAME or NAME;NAME, a text_brief; otherwise CAUSE_NONE. */
const char *cause_choose(double predicted, double simulated, const struct cause_change *changes, size_t n);

/* The causes of the errors of all models in one evaluation. */
struct causes {
  const struct evaluation *evaluation;
  /* kept by cause_find: the terms of the published and the refined prediction */
  bool split, known; /* split: a split was tried; known: the terms exist */
  double published[CAUSE_TERMS], refined[CAUSE_TERMS];
};

/* Name the cause of the error of MODEL, an error other than 0, in the evaluation of CAUSES; returns: as
 * cause_choose. */
const char *cause_find(struct causes *causes, enum model model);
