/* SPDX-License-Identifier: BSD-3-Clause
 * Predictions of analytic models, on parameters measured on the simulated machine. */
#pragma once

#include "validate/lab/rig.h"
#include "validate/model/plogp.h"

struct experiment_kind;
struct experiment;
struct model_machine;
struct model_stop;
struct pack;

enum model {
  /* the equations as printed; source: Ali, Midkiff, Pai 2010, tables 1 to 5, sections 6.1 and 6.2 */
  MODEL_PUBLISHED,
  MODEL_REFINED,   /* ours: the same program on the model machine, algos/cost/model_machine.h */
  MODEL_NAIVE_GAP, /* the published equations with the gap of the classic benchmark; source: section 7.2 */
  MODEL_NAIVE_CONTENTION, /* the published equations without congestion of the BIF; source: section 7.2 */
  MODEL_ANALOGY, /* ours: equations of several nodes by analogy with the barrier's, section 6.1, predict_hosts.c */
  MODEL_COUNT,
};

/* Return the name of MODEL as printed. */
const char *predict_model_name(enum model model);

/* A prediction in SPU cycles. Where the paper gives a part as a range, `middle` counts half of it; the
 * refined model has no ranges. */
struct prediction {
  double low, middle, high; /* NaN: there is none */
  const char *unmeasured;   /* what it rests on has stopped, and why; NULL: it has not */
  /* why there is none, on hosts, on too many nodes or on chips that are too small; NULL: there is one, or no
   * model has it */
  const char *nothing;
};

/* Return a prediction of CYCLES without a range; none, and WHY. */
static inline struct prediction predict_exactly(double cycles) {
  return (struct prediction){.low = cycles, .middle = cycles, .high = cycles};
}

static inline struct prediction predict_none(const char *why) {
  return (struct prediction){.low = NAN, .middle = NAN, .high = NAN, .nothing = why};
}

/* Predict the call of SPEC under MODEL. All are NaN when there is no prediction (for the algorithm, for the
 * number of ranks, or because the published equations are written for 8 SPEs per chip and at most two chips,
 * or the refined model for at most MODEL_NODES_MAX nodes), when the call cannot be served,
 * when what the prediction rests on has stopped, and after an interruption. */
struct prediction predict(struct plogp *plogp, enum model model, const struct rig_spec *spec);

/* Ask for the values of the model machine.
 * returns: whether they are known, or there are none, or cannot be. */
bool predict_knows_values(struct plogp *plogp);

/* Return the model machine for the call of SPEC; NULL: the call cannot be served, or moves no data, or not
 * all values are known yet and the ledger of PLOGP has counted them, or one cannot be measured and
 * `unmeasured` of PLOGP tells why. */
struct model_machine *predict_machine(struct plogp *plogp, const struct rig_spec *spec);

/* Ask the ledger of PLOGP for the RESULT of an experiment of KIND with the call of SPEC on the model machine,
 * whose context is PLOGP.
 * returns: whether it is known. */
bool predict_ask(struct plogp *plogp, const struct experiment_kind *kind, const struct rig_spec *spec,
                 struct pack *result);

/* Return the call of SPEC under the software costs of PLOGP.
 * owner: the caller, with placement_fini. */
struct coll_group predict_group(const struct plogp *plogp, const struct rig_spec *spec);

/* A published equation: a function of this type. */
typedef double predict_equation(const struct cost *cost);

/* Find the equation of MODEL, which is not MODEL_REFINED, for the call of SPEC and what it is to be evaluated
 * on, with half of every range counted.
 * returns: NULL when there is no prediction, as for predict. */
predict_equation *predict_find(struct plogp *plogp, enum model model, const struct rig_spec *spec,
                               struct cost *cost);

/* As `stopped` of experiments whose results are a real number and a text: pack NaN, no text, and that
 * EXPERIMENT has stopped, HOW. */
void predict_pack_stop(const struct experiment *experiment, const char *how, struct pack *result);

/* Take the end of RESULT of such an experiment.
 * returns: how it has stopped; NULL: it has not. */
const char *predict_take_stop(struct pack *result);

/* The refined model of calls on several nodes: run the call of SPEC, which the machine of PLOGP can serve, on
 * machines like MACHINE, with measured latencies and gaps between them. Those of the messages that its
 * programs send are measured at once, where this runs.
 * returns: SPU cycles; NaN as model_machine_run, with STOP, and where the network cannot be measured. */
double predict_nodes(struct model_machine *machine, const struct plogp *plogp, const struct rig_spec *spec,
                     struct model_stop *stop);

/* Predict the call of SPEC on the hosts of PLOGP under MODEL, as predict; predict_hosts.c says what each
 * model is there. */
struct prediction predict_on_hosts(struct plogp *plogp, enum model model, const struct rig_spec *spec);
