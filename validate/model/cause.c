/* SPDX-License-Identifier: BSD-3-Clause
 * See cause.h. */
#include "validate/model/cause.h"

#include "algos/cost/model_machine.h"
#include "algos/step/collective.h"
#include "sim/base/des.h"
#include "validate/lab/ledger.h"
#include "validate/model/trial.h"

#include <math.h>
#include <stdio.h>

/* What parameters are raised by to see how much they contribute: so little that no maximum changes sides, so
 * much that rounding does not matter. */
static const double raise = 1e-6;

/* By which part of the time terms may miss it because times are whole numbers. */
static const double SPLIT_TOLERANCE = 0.01;

/* An evaluation in which one term is raised. */
struct view {
  struct cost inner; /* where the parameters come from */
  enum cause_term raised;
};

/* Return a parameter as it is, for the call of COST, which an equation may have changed for some of its
 * steps. */
static double as_it_is(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n) {
  const struct view *view = cost->source;
  struct cost inner = *cost;
  inner.parameter = view->inner.parameter;
  inner.source = view->inner.source;
  return inner.parameter(&inner, parameter, m, n);
}

/* The term to which each parameter contributes, and what a step across chips costs on a chip. */
static const struct {
  enum cause_term term;
  enum cost_parameter twin;
} kinds[COST_PARAMETERS] = {
#define COST_PARAMETER(id, name, machine, term, twin) [COST_##id] = {CAUSE_##term, COST_##twin},
#include "algos/cost/cost.def"
};

/* Return a parameter with its part in the raised term raised. */
static double raised(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n) {
  const struct view *view = cost->source;
  double value = as_it_is(cost, parameter, m, n);
  enum cause_term term = kinds[parameter].term;
  if (term != CAUSE_CROSSINGS) {
    return term == view->raised ? value * (1 + raise) : value;
  }
  double step = as_it_is(cost, kinds[parameter].twin, m, n);
  double part = view->raised == CAUSE_CROSSINGS ? value - step : view->raised == CAUSE_STEPS ? step : 0;
  return value + part * raise;
}

/* Return the call of VIEW as it is seen through it. */
static struct cost through(struct view *view) {
  struct cost outer = view->inner;
  outer.parameter = raised;
  outer.source = view;
  return outer;
}

static bool split_equation(struct plogp *plogp, enum model model, const struct rig_spec *spec,
                           double terms[CAUSE_TERMS]) {
  struct view view;
  predict_equation *equation = predict_find(plogp, model, spec, &view.inner);
  double whole = equation ? equation(&view.inner) : NAN;
  struct cost outer = through(&view);
  for (view.raised = 0; !isnan(whole) && view.raised < CAUSE_TERMS; view.raised++) {
    terms[view.raised] = (equation(&outer) - whole) / raise;
  }
  return !isnan(whole);
}

/* Return COSTS in the unit of a changed machine, with what contributes to TERM raised by BY parts. What a
 * program spends around a notification or a transfer belongs to the step, as in the L of the equations. */
static struct step_costs change_costs(struct step_costs costs, enum cause_term term, int by) {
  uint64_t step = (uint64_t)(MODEL_TABLE_SCALE + (term == CAUSE_STEPS ? by : 0));
  uint64_t combining = (uint64_t)(MODEL_TABLE_SCALE + (term == CAUSE_COMBINING ? by : 0));
  costs.send *= step;
  costs.receive *= step;
  costs.dma *= step;
  costs.tag *= step;
  costs.combine *= combining;
  costs.quadword *= (double)combining;
  costs.step *= (uint64_t)(MODEL_TABLE_SCALE + (term == CAUSE_SOFTWARE ? by : 0));
  return costs;
}

/* Return the time of GROUP, in parts of a cycle, with what contributes to TERM raised by BY parts. */
static double changed_time(const struct plogp *plogp, struct coll_group group, enum cause_term term, int by) {
  group.costs = change_costs(group.costs, term, by);
  return model_machine_run(model_table_changed(plogp->table, term, by), &group, NULL);
}

/* Tell whether TERM can contribute to the time of GROUP. */
static bool contributes(const struct coll_group *group, enum cause_term term) {
  return term != CAUSE_COMBINING || collective_combines(group->call.algo->collective);
}

/* Split the prediction of the model machine, whose time grows with all values together as they do: the terms
 * add up to the time. Each term is raised. Where that adds up to more, two of them decide equally, and each
 * counts half: it is lowered as well. */
static void split_known_run(struct plogp *plogp, const struct rig_spec *spec, double terms[CAUSE_TERMS]) {
  struct coll_group group = predict_group(plogp, spec);
  double whole = changed_time(plogp, group, CAUSE_STEPS, 0), sum = 0;
  for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
    terms[term] = contributes(&group, term) ? changed_time(plogp, group, term, 1) - whole : 0;
    sum += terms[term];
  }
  bool tied = fabs(sum - whole / MODEL_TABLE_SCALE) > SPLIT_TOLERANCE * whole / MODEL_TABLE_SCALE;
  for (enum cause_term term = 0; tied && term < CAUSE_TERMS; term++) {
    if (contributes(&group, term)) {
      terms[term] = (terms[term] + whole - changed_time(plogp, group, term, -1)) / 2;
    }
  }
  placement_fini(&group);
}

static int run_split(const struct experiment *experiment, struct pack *result) {
  struct plogp *plogp = (struct plogp *)experiment->context; /* with all values */
  double terms[CAUSE_TERMS];
  split_known_run(plogp, &experiment->spec, terms);
  for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
    pack_add_real(result, terms[term]);
  }
  return des_interrupted() ? -1 : 0;
}

static void pack_stopped_split(const struct experiment *experiment, const char *how, struct pack *result) {
  (void)experiment, (void)how;
  for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
    pack_add_real(result, NAN);
  }
}

/* Split the prediction of the model machine, or let the ledger of PLOGP do it.
 * returns: whether the terms are known. */
static bool split_run(struct plogp *plogp, const struct rig_spec *spec, double terms[CAUSE_TERMS]) {
  static const struct experiment_kind kind = {
    .name = "terms", .run = run_split, .stopped = pack_stopped_split};
  struct pack result;
  if (spec->call.algo->on_nodes || !predict_machine(plogp, spec)) {
    return false; /* the terms of a network are not known */
  }
  if (!plogp->lasting) {
    split_known_run(plogp, spec, terms);
  } else if (predict_ask(plogp, &kind, spec, &result)) {
    for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
      terms[term] = pack_take_real(&result);
    }
  } else {
    return false;
  }
  double sum = 0;
  for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
    sum += terms[term];
  }
  return !isnan(sum);
}

bool cause_split(struct plogp *plogp, enum model model, const struct rig_spec *spec,
                 double terms[CAUSE_TERMS]) {
  return model == MODEL_REFINED ? split_run(plogp, spec, terms) : split_equation(plogp, model, spec, terms);
}

void cause_choose(double predicted, double simulated, const struct cause_change *changes, size_t n,
                  char cause[CAUSE_SIZE]) {
  double alone = INFINITY, least = INFINITY, half = fabs(predicted - simulated) / 2;
  char pair[CAUSE_SIZE] = "";
  for (size_t i = 0; i < n; i++) {
    double left = predicted + changes[i].cycles - simulated;
    if (fabs(left) < alone) {
      alone = fabs(left);
      snprintf(cause, CAUSE_SIZE, "%s", changes[i].name);
    }
    for (size_t j = i + 1; j < n; j++) {
      if (fabs(left + changes[j].cycles) < least) {
        least = fabs(left + changes[j].cycles);
        snprintf(pair, CAUSE_SIZE, "%s;%s", changes[i].name, changes[j].name);
      }
    }
  }
  if (alone > half) {
    snprintf(cause, CAUSE_SIZE, "%s", least <= half ? pair : CAUSE_NONE);
  }
}

/* Return the name of a change of TERM by CYCLES in a call that moves data or does not. */
static const char *name_of(enum cause_term term, double cycles, bool data) {
  switch (term) {
  case CAUSE_STEPS:
    return data         ? cycles < 0 ? "overlapping-steps" : "acknowledged-steps"
           : cycles < 0 ? "overlapping-notifications"
                        : "more-notifications";
  case CAUSE_CROSSINGS:
    return cycles < 0 ? "fewer-crossings" : "more-crossings";
  case CAUSE_SHARING:
    return cycles < 0 ? "overlapping-fan-out" : "shared-on-ramp";
  case CAUSE_CONGESTION:
    return "congestion";
  case CAUSE_COMBINING:
    return "combining";
  default:
    return "software";
  }
}

/* Split the predictions of CAUSES, once.
 * returns: whether there are both. */
static bool split_both(struct causes *causes) {
  const struct trial *trial = causes->trial;
  if (!causes->split) {
    causes->split = true;
    causes->known = cause_split(trial->plogp, MODEL_PUBLISHED, trial->spec, causes->published) &&
                    cause_split(trial->plogp, MODEL_REFINED, trial->spec, causes->refined);
  }
  return causes->known;
}

void cause_find(struct causes *causes, enum model model, char cause[CAUSE_SIZE]) {
  const struct trial *trial = causes->trial;
  struct cause_change changes[CAUSE_CHANGES_MAX];
  double predicted = trial->predicted[model].middle;
  bool variant = model == MODEL_NAIVE_GAP || model == MODEL_NAIVE_CONTENTION, data = trial->spec->nbytes > 0;
  size_t n = 0;
  if (variant) {
    changes[n++] = (struct cause_change){
      .name = model == MODEL_NAIVE_GAP ? "gap" : "congestion",
      .cycles = trial->predicted[MODEL_PUBLISHED].middle - predicted,
    };
  }
  if (model != MODEL_REFINED && split_both(causes)) {
    for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
      double cycles = causes->refined[term] - causes->published[term];
      changes[n++] = (struct cause_change){.name = name_of(term, cycles, data), .cycles = cycles};
    }
  }
  cause_choose(predicted, trial->cycles, changes, n, cause);
}

void cause_collect(struct plogp *plogp, const struct rig_spec *spec) {
  struct view view = {.raised = CAUSE_STEPS};
  predict_equation *equation = predict_find(plogp, MODEL_PUBLISHED, spec, &view.inner);
  if (equation) {
    struct cost outer = through(&view);
    equation(&outer);
  }
  predict_machine(plogp, spec);
}
