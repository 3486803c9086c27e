/* SPDX-License-Identifier: BSD-3-Clause
 * Why a prediction is far from the simulation: the terms that the refined model counts differently.
 *
 * An equation is a sum of products of parameters and numbers (with a maximum, each side is such a sum). The
 * growth of the result when a parameter grows is therefore the parameter's contribution to the result. The
 * contributions of parameters of one kind are a term. The extra cost of a step across chips is a separate
 * term, so that one crossing too many differs from one step too many.
 *
 *   published   4 L(1) + 1 (L2(1) - L(1))                     a barrier on 11 ranks
 *   refined     5 L(1) + 2 (L2(1) - L(1)) + 1 handle          so one step and one crossing more, and some
 *                                                             software
 *
 * In the prediction one term at a time is replaced by the term of the refined model. The cause is the
 * replacement that comes closest to the simulation. If no replacement removes half of the error, the cause is
 * the best pair of replacements, both names separated by a semicolon. If no pair removes half of the error
 * either, the point is unexplained. A variant of the published model has one more replacement: all
 * differences from the published model. */
#pragma once

#include "validate/model/predict.h"

#include <stddef.h>

/* The terms of a prediction. Rows of cost.def and platform.def name the term of a parameter. */
enum cause_term {
  CAUSE_STEPS,      /* data steps and notifications, as if all were on a chip */
  CAUSE_CROSSINGS,  /* extra cost of crossings */
  CAUSE_SHARING,    /* gaps, and readers that share an on-ramp */
  CAUSE_CONGESTION, /* of the link between chips */
  CAUSE_COMBINING,  /* elements */
  CAUSE_SOFTWARE,   /* raising and finding flags, and all other parts of a model */
  CAUSE_TERMS,
  CAUSE_NOTHING = CAUSE_TERMS, /* of a parameter without a contribution */
};

enum { CAUSE_CHANGES_MAX = CAUSE_TERMS + 1, CAUSE_SIZE = 64 };

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
 * to SIMULATED (one change if one is enough): NAME or NAME;NAME, otherwise CAUSE_NONE. */
void cause_choose(double predicted, double simulated, const struct cause_change *changes, size_t n,
                  char cause[CAUSE_SIZE]);

/* The causes of the errors of all models in one evaluation. */
struct causes {
  const struct evaluation *evaluation;
  /* kept by cause_find: the terms of the published and the refined prediction */
  bool split, known; /* split: a split was tried; known: the terms exist */
  double published[CAUSE_TERMS], refined[CAUSE_TERMS];
};

/* Name the cause of the error of MODEL, an error other than 0, in the evaluation of CAUSES. */
void cause_find(struct causes *causes, enum model model, char cause[CAUSE_SIZE]);
