/* SPDX-License-Identifier: BSD-3-Clause
 * See predict.h. */
#include "validate/model/predict.h"

#include "algos/cost/model_cluster.h"
#include "algos/cost/model_machine.h"
#include "platform/platform.h"
#include "validate/lab/ledger.h"
#include "validate/lab/rig_hosts.h"
#include "validate/lab/rigs.h"
#include "validate/model/model_table.h"

#include "algos/catalogue.h"
#include "sim/base/des.h"

#include <math.h>
#include <string.h>

/* The machine of the published equations. */
enum { PUBLISHED_SPES_PER_CHIP = 8, PUBLISHED_CHIPS = 2 };

static const char too_many_nodes[] = "more than 256 nodes";
_Static_assert(MODEL_NODES_MAX == 256, "too_many_nodes tells of so many");

const char *predict_model_name(enum model model) {
  static const char *const names[MODEL_COUNT] = {[MODEL_PUBLISHED] = "published",
                                                 [MODEL_REFINED] = "refined",
                                                 [MODEL_NAIVE_GAP] = "naive-gap",
                                                 [MODEL_NAIVE_CONTENTION] = "naive-contention",
                                                 [MODEL_ANALOGY] = "analogy"};
  return names[model];
}

/* --- where parameters come from --- */

static double measured(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n) {
  return plogp_get(cost->source, parameter, m, n);
}

/* The gap as it is measured on networks: that of messages between two ranks. */
static double measured_classic(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n) {
  switch (parameter) {
  case COST_G:
  case COST_G1:
  case COST_G_ACK:
  case COST_G1_ACK:
    return measured(cost, COST_CLASSIC_G1, m, n);
  case COST_G2:
  case COST_G2_ACK:
    return measured(cost, COST_CLASSIC_G2, m, n);
  default:
    return measured(cost, parameter, m, n);
  }
}

static double measured_without_congestion(const struct cost *cost, enum cost_parameter parameter, size_t m,
                                          unsigned n) {
  return parameter == COST_C ? 0 : measured(cost, parameter, m, n);
}

/* --- the models --- */

/* Tell whether CYCLES may be a time; NaN: an equation knows none. Those of plugins may be anything. */
static bool is_time(double cycles) {
  return isnan(cycles) || (cycles >= 0 && !isinf(cycles));
}

/* Evaluate EQUATION, whose ranges X lie between `low` and `high`. */
static struct prediction evaluate(predict_equation *equation, struct cost cost) {
  struct prediction prediction = {0};
  cost.gap_share = 0;
  prediction.low = equation(&cost);
  cost.gap_share = 0.5;
  prediction.middle = equation(&cost);
  cost.gap_share = 1;
  prediction.high = equation(&cost);
  return is_time(prediction.low) && is_time(prediction.middle) && is_time(prediction.high)
           ? prediction
           : predict_none("its equation gives no time");
}

/* Return the equation of MODEL, not the refined one, for the algorithm of SPEC on the machine of PLOGP; NULL:
 * there is none. Each kind of platform has equations of its own: a blade; nodes of which each is a blade, or
 * blades behind a host. */
static predict_equation *equation_for(const struct plogp *plogp, enum model model,
                                      const struct rig_spec *spec) {
  const struct algo *algo = spec->call.algo;
  bool several = placement_machine_nodes(plogp->blade) > 1;
  if (rig_is_on_hosts(plogp->blade) || blade_spes_per_chip(plogp->blade) != PUBLISHED_SPES_PER_CHIP ||
      strcmp(catalogue_source(&spec->call), algo->source) != 0) {
    return NULL;
  }
  if (algo->on_nodes) {
    bool equation = several && (model == MODEL_PUBLISHED || model == MODEL_ANALOGY);
    return !equation ? NULL : model == MODEL_PUBLISHED ? algo->cost : algo->analogy;
  }
  return model != MODEL_ANALOGY && spec->nranks <= PUBLISHED_SPES_PER_CHIP * PUBLISHED_CHIPS ? algo->cost
                                                                                             : NULL;
}

predict_equation *predict_find(struct plogp *plogp, enum model model, const struct rig_spec *spec,
                               struct cost *cost) {
  double (*const parameters[MODEL_COUNT])(const struct cost *, enum cost_parameter, size_t,
                                          unsigned) = {[MODEL_PUBLISHED] = measured,
                                                       [MODEL_NAIVE_GAP] = measured_classic,
                                                       [MODEL_NAIVE_CONTENTION] = measured_without_congestion,
                                                       [MODEL_ANALOGY] = measured};
  const struct algo *algo = spec->call.algo;
  unsigned nspes = blade_nspes(plogp->blade),
           least = algo->on_nodes ? nspes + 1 : 2; /* ranks: of two nodes */
  *cost = (struct cost){.p = algo->on_nodes ? nspes : spec->nranks,
                        .m = spec->nbytes,
                        .values = spec->call.values,
                        .spes_per_chip = blade_spes_per_chip(plogp->blade),
                        .gap_share = 0.5,
                        .parameter = parameters[model],
                        .source = plogp};
  bool nothing =
    collective_has_data(algo->collective) && spec->nbytes == 0; /* no model says what no data costs */
  predict_equation *equation = model == MODEL_REFINED ? NULL : equation_for(plogp, model, spec);
  if (!equation || nothing || spec->nranks < least || rigs_check(plogp->blade, spec, NULL) != 0) {
    return NULL;
  }
  if (algo->on_nodes) {
    cost->nodes = (spec->nranks + nspes - 1) / nspes;
    cost->blades_per_host = platform_blades_per_host(blade_platform(plogp->blade));
  }
  cost->two_chips = cost->p > cost->spes_per_chip;
  return equation;
}

/* Tell whether the call of SPEC is on more nodes than the model machine can have. */
static bool has_too_many_nodes(const struct plogp *plogp, const struct rig_spec *spec) {
  return spec->call.algo->on_nodes &&
         placement_nodes(&spec->placement, plogp->blade, spec->nranks) > MODEL_NODES_MAX;
}

/* Tell whether the model machine can run the call of SPEC. */
static bool can_run(const struct plogp *plogp, const struct rig_spec *spec) {
  bool nothing = collective_has_data(spec->call.algo->collective) && spec->nbytes == 0;
  return !nothing && !rig_is_on_hosts(plogp->blade) && !model_table_lacks(plogp->blade) &&
         rigs_check(plogp->blade, spec, NULL) == 0 && !has_too_many_nodes(plogp, spec);
}

bool predict_knows_values(struct plogp *plogp) {
  if (rig_is_on_hosts(plogp->blade) || model_table_lacks(plogp->blade)) {
    return true;
  }
  plogp->table = plogp->table ? plogp->table : model_table_new(plogp->blade);
  bool known = model_table_machine(plogp->table, plogp->ledger) != NULL;
  const char *why = model_table_unmeasured(plogp->table);
  plogp->unmeasured = why ? why : plogp->unmeasured;
  return known || why;
}

struct model_machine *predict_machine(struct plogp *plogp, const struct rig_spec *spec) {
  if (!can_run(plogp, spec)) {
    return NULL;
  }
  return predict_knows_values(plogp) ? model_table_machine(plogp->table, plogp->ledger) : NULL;
}

struct coll_group predict_group(const struct plogp *plogp, const struct rig_spec *spec) {
  struct rig_spec with_costs = *spec;
  with_costs.profile = plogp->profile;
  return rig_group(plogp->blade, &with_costs);
}

/* Run the call of SPEC on MACHINE; STOP: what has kept it from its end. */
static double run_on(struct model_machine *machine, struct plogp *plogp, const struct rig_spec *spec,
                     struct model_stop *stop) {
  if (spec->call.algo->on_nodes) {
    return predict_nodes(machine, plogp, spec, stop);
  }
  struct coll_group group = predict_group(plogp, spec);
  double cycles = model_machine_run(machine, &group, stop);
  placement_fini(&group);
  return cycles;
}

static int run_prediction(const struct experiment *experiment, struct pack *result) {
  struct plogp plogp = *(const struct plogp *)experiment->context; /* with all values */
  struct model_stop stop = {NULL, ""};
  double cycles = run_on(predict_machine(&plogp, &experiment->spec), &plogp, &experiment->spec, &stop);
  pack_add_real(result, cycles);
  pack_add_text(result, stop.refused ? stop.refused : "");
  if (*stop.how) {
    rig_note_stop(stop.how);
  }
  return des_interrupted() ? -1 : 0;
}

void predict_pack_stop(const struct experiment *experiment, const char *how, struct pack *result) {
  pack_add_real(result, NAN);
  pack_add_text(result, ""); /* no other reason */
  experiment_has_no_value(experiment, how, result);
}

const char *predict_take_stop(struct pack *result) {
  if (result->taken == result->nbytes) {
    return NULL;
  }
  pack_take_real(result);
  return pack_take_text(result);
}

bool predict_ask(struct plogp *plogp, const struct experiment_kind *kind, const struct rig_spec *spec,
                 struct pack *result) {
  struct experiment experiment = {.kind = kind, .blade = plogp->blade, .spec = *spec, .context = plogp};
  experiment.spec.profile = plogp->profile;
  experiment.spec.seed = 0; /* nothing is drawn on the model machine */
  experiment.spec.skew = experiment.spec.skew_seed = 0;
  return ledger_ask(plogp->ledger, &experiment, result);
}

/* Let the ledger of PLOGP run the call of SPEC: in another process, which the program of a plugin may end.
 * returns: 1 as long as it is not known. */
static double ask_for_run(struct plogp *plogp, const struct rig_spec *spec) {
  static const struct experiment_kind kind = {
    .name = "prediction", .run = run_prediction, .stopped = predict_pack_stop};
  struct pack result;
  if (!predict_ask(plogp, &kind, spec, &result)) {
    return 1;
  }
  double cycles = pack_take_real(&result);
  const char *refused = pack_take_text(&result);
  plogp->refused = *refused ? refused : NULL;
  const char *stopped = predict_take_stop(&result);
  plogp->unmeasured = stopped ? stopped : plogp->unmeasured;
  return cycles;
}

/* Run the call of SPEC on the model machine.
 * returns: 1 as long as values are missing, as for parameters. */
static double run_on_model(struct plogp *plogp, const struct rig_spec *spec) {
  struct model_machine *machine = predict_machine(plogp, spec);
  if (!machine) {
    return can_run(plogp, spec) ? 1 : NAN;
  }
  if (plogp->lasting) {
    return ask_for_run(plogp, spec);
  }
  struct model_stop stop = {NULL, ""};
  double cycles = run_on(machine, plogp, spec, &stop);
  plogp->refused = stop.refused;
  return cycles;
}

struct prediction predict(struct plogp *plogp, enum model model, const struct rig_spec *spec) {
  struct cost cost;
  plogp->unmeasured = NULL;
  if (rig_is_on_hosts(plogp->blade)) {
    return predict_on_hosts(plogp, model, spec);
  }
  struct prediction prediction = predict_none(NULL);
  predict_equation *equation = predict_find(plogp, model, spec, &cost);
  if (equation) {
    prediction = evaluate(equation, cost);
  } else if (model == MODEL_REFINED) {
    prediction = predict_exactly(run_on_model(plogp, spec));
    prediction.nothing = has_too_many_nodes(plogp, spec) ? too_many_nodes : model_table_lacks(plogp->blade);
  }
  if (plogp->unmeasured) {
    prediction = predict_none(NULL);
  }
  prediction.unmeasured = plogp->unmeasured;
  return prediction;
}
