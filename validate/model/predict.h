/* SPDX-License-Identifier: BSD-3-Clause
 * Predictions of analytic models, on parameters measured on the simulated machine. */
#pragma once

#include "validate/lab/rig/rig.h"
#include "validate/model/measured/plogp.h"

enum model {
  /* the equations as printed; source: Ali, Midkiff, Pai 2010, tables 1 to 5, sections 6.1 and 6.2 */
  MODEL_PUBLISHED,
  MODEL_REFINED,   /* ours: the same program on the bus of rates */
  MODEL_NAIVE_GAP, /* the published equations with the gap of the classic benchmark; source: section 7.2 */
  MODEL_NAIVE_CONTENTION, /* the published equations without congestion of the BIF; source: section 7.2 */
  /* ours: the published equations with the congestion of messages that start in one cycle, not measured in
   * the paper */
  MODEL_NAIVE_BURST,
  /* ours: equations of several nodes by analogy with the barrier's, section 6.1, predict.c */
  MODEL_ANALOGY,
  MODEL_COUNT,
};

/* Return the name of MODEL as printed. */
const char *predict_model_name(enum model model);

/* A prediction in SPU cycles. Where the paper gives a part as a range, `middle` counts half of the range; the
 * refined model has no ranges. */
struct prediction {
  double low, middle, high; /* NaN: there is none */
  const char *unmeasured;   /* reason why a run under the prediction stopped; NULL: none stopped */
  /* reason for no prediction on hosts, on too many nodes or on too small chips; NULL: a prediction, or no
   * model of the call */
  const char *nothing;
};

/* Return a prediction of CYCLES without a range; none, and WHY. */
static inline struct prediction predict_exactly(double cycles) {
  return (struct prediction){.low = cycles, .middle = cycles, .high = cycles};
}

static inline struct prediction predict_none(const char *why) {
  return (struct prediction){.low = NAN, .middle = NAN, .high = NAN, .nothing = why};
}

/* Predict CALL under MODEL. All values are NaN when there is no prediction (for the algorithm,
 * for the number of ranks, or because the published equations are written for 8 SPEs per chip and at most two
 * chips), when the call cannot be served, when a run under the prediction stopped, and after an
 * interruption. */
struct prediction predict_by_model(struct plogp *plogp, enum model model, const struct call *call);

/* Tell whether models can predict CALL: the machine can serve the call, and a call of a
 * collective with data moves data. */
bool predict_runs(const struct plogp *plogp, const struct call *call);

/* Predict CALL by a run on MACHINE for the time alone, under the software costs of PROFILE;
 * nothing is verified. On hosts the run is on the model of MACHINE's network, see predict.c. The
 * ledger of PLOGP keeps the time; `unmeasured` of PLOGP becomes the reason of a stop.
 * returns: 1 as long as the ledger does not know. */
struct prediction predict_call(struct plogp *plogp, struct machine *machine, const struct profile *profile,
                               const struct call *call);

/* A published equation: a function of this type. */
typedef double predict_equation(const struct cost *cost);

/* Find the equation of MODEL, other than MODEL_REFINED, for CALL; COST becomes the equation's
 * argument, with half of every range counted.
 * returns: NULL when there is no prediction, as for predict_by_model. */
predict_equation *predict_find(struct plogp *plogp, enum model model, const struct call *call,
                               struct cost *cost);
