/* SPDX-License-Identifier: BSD-3-Clause
 * Why a prediction is far from the simulation: which of its terms the refined model treats otherwise.
 *
 * An equation is a sum of parameters, each so many times; where it takes a maximum, so is each of its sides.
 * By how much it grows when a parameter does is thus how much that parameter contributes to the result.
 * Parameters of one kind make up a term; what a step across chips costs more than one on a chip is a term of
 * its own, so that a crossing that is one too many can be told from a step that is one too many.
 *
 *   published   4 L(1) + 1 (L2(1) - L(1))                     a barrier on 11 ranks
 *   refined     5 L(1) + 2 (L2(1) - L(1)) + 1 handle          so one step and one crossing more, and some
 *                                                             software
 *
 * In the prediction each term is replaced by that of the refined model, the others staying as they are. The
 * cause is the replacement that comes closest to the simulation, or if none removes half of the error the
 * pair of them that does; both names are then separated by a semicolon. If that is not enough either, the
 * point is unexplained. A variant of the published model has one replacement more: all that it does otherwise
 * than the published one. */
#pragma once

#include "validate/model/predict.h"

#include <stddef.h>

struct trial;

/* The terms of a prediction. Rows of cost.def and platform.def name the term of a parameter. */
enum cause_term {
  CAUSE_STEPS,      /* data steps and notifications, as if all were on a chip */
  CAUSE_CROSSINGS,  /* what crossings cost more */
  CAUSE_SHARING,    /* gaps, and readers that share an on-ramp */
  CAUSE_CONGESTION, /* of the link between chips */
  CAUSE_COMBINING,  /* elements */
  CAUSE_SOFTWARE,   /* raising and finding flags, and whatever else a model counts */
  CAUSE_TERMS,
  CAUSE_NOTHING = CAUSE_TERMS, /* of a parameter: it contributes to none */
};

enum { CAUSE_CHANGES_MAX = CAUSE_TERMS + 1, CAUSE_SIZE = 64 };

/* The cause where there is none. */
#define CAUSE_NONE "unexplained"

/* A replacement. */
struct cause_change {
  const char *name;
  double cycles; /* by which it raises the prediction */
};

/* Split the prediction of MODEL for the call of SPEC, if there is one, into TERMS in SPU cycles, which add up
 * to it.
 * returns: whether there is one. */
bool cause_split(struct plogp *plogp, enum model model, const struct rig_spec *spec,
                 double terms[CAUSE_TERMS]);

/* Name the one or two of the N CHANGES that remove at least half of the error of PREDICTED and come closest
 * to SIMULATED (one, if there is such a one): NAME or NAME;NAME, else CAUSE_NONE. */
void cause_choose(double predicted, double simulated, const struct cause_change *changes, size_t n,
                  char cause[CAUSE_SIZE]);

/* The causes of the errors of all models in one trial. */
struct causes {
  const struct trial *trial;
  /* kept by cause_find: the terms of the published and the refined prediction */
  bool split, known; /* it has been tried; there are such terms */
  double published[CAUSE_TERMS], refined[CAUSE_TERMS];
};

/* Name the cause of the error of MODEL, which is not 0, in the trial of CAUSES. */
void cause_find(struct causes *causes, enum model model, char cause[CAUSE_SIZE]);

/* Ask PLOGP for all parameters that cause_find needs for the call of SPEC. */
void cause_collect(struct plogp *plogp, const struct rig_spec *spec);
