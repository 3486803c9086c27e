/* SPDX-License-Identifier: BSD-3-Clause
 * See compare.h: the terms that the refined model counts differently.
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
#include "validate/model/compare.h"

#include "algos/step/collective.h"
#include "platform/platform.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/model/evaluation.h"

#include <math.h>
#include <string.h>

/* Relative increase of a parameter in an equation, to measure the parameter's contribution: too small for a
 * maximum to change sides, large enough for rounding not to matter. */
static const double raise = 1e-6;

/* The part of the time missing in the terms of the refined model, at most: the beats of bus requests, no
 * parameter (16 of the 276 cycles of a notification on qs20), and roundings. */
static const double SPLIT_TOLERANCE = 0.1;

/* An equation evaluated with one term raised. */
struct view {
  struct cost inner; /* where the parameters come from */
  enum cause_term raised;
};

/* Return the unchanged parameter for the call of COST; an equation may have changed the call for some of the
 * steps. */
static double as_it_is(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n) {
  const struct view *view = cost->source;
  struct cost inner = *cost;
  inner.parameter = view->inner.parameter;
  inner.source = view->inner.source;
  return inner.parameter(&inner, parameter, m, n);
}

/* The term of each parameter, and for a parameter across chips the same parameter on a chip. */
static const struct {
  enum cause_term term;
  enum cost_parameter twin;
} kinds[COST_PARAMETERS] = {
#define COST_PARAMETER(id, name, machine, term, twin) [COST_##id] = {CAUSE_##term, COST_##twin},
#include "algos/cost/cost.def"
};

/* Return the parameter with the part that belongs to the raised term raised. */
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

static bool split_equation(struct plogp *plogp, enum model model, const struct call *call,
                           double terms[CAUSE_TERMS]) {
  struct view view;
  predict_equation *equation = predict_find(plogp, model, call, &view.inner);
  double whole = equation ? equation(&view.inner) : NAN;
  struct cost outer = view.inner; /* the call with the raised parameters */
  outer.parameter = raised;
  outer.source = &view;
  for (view.raised = 0; !isnan(whole) && view.raised < CAUSE_TERMS; view.raised++) {
    terms[view.raised] = (equation(&outer) - whole) / raise;
  }
  return !isnan(whole);
}

/* --- the refined model: the call on changed machines --- */

/* A changed machine counts in SCALE parts of a cycle. A term is raised by a multiple of 1 / SCALE. */
enum { SCALE = 16 };

/* The term of each required parameter, in the order of platform_params. */
static const enum cause_term terms_of_params[] = {
#define PLATFORM_PARAM(group, field, key, kind, unit, min, max, doc, term) CAUSE_##term,
#include "platform/platform.def"
};

/* Return how many times as long something of the term OWN takes on a machine with TERM raised by BY parts. */
static double raised_by(enum cause_term own, enum cause_term term, int by) {
  return own == term ? 1 + by / (double)SCALE : 1;
}

/* Let PLATFORM count in parts of a cycle, and raise the parameters of TERM by BY / SCALE of each value. */
static void change(struct platform *platform, enum cause_term term, int by) {
  for (size_t i = 0; i < VEC_LENGTH(terms_of_params); i++) {
    const struct platform_param *param = &platform_params[i];
    double *value = (double *)(void *)((char *)platform + param->offset);
    double longer = raised_by(terms_of_params[i], term, by);
    if (strcmp(param->unit, "SPU cycles") == 0) {
      *value *= SCALE * longer;
    } else if (strcmp(param->unit, "bus cycles") == 0) {
      *value *= longer;
    } else if (strcmp(param->unit, "GB/s") == 0) {
      *value /= longer;
    }
  }
  platform->clock.spu *= SCALE;
  platform->clock.bus_divider *= SCALE;
  for (size_t i = 0; i < platform->nprofiles; i++) {
    struct profile *profile = &platform->profiles[i];
#define PROFILE_FIELD(field, unit, min, max, doc, own) \
  profile->field *= SCALE * raised_by(CAUSE_##own, term, by);
#include "platform/platform.def"
  }
}

/* Return the machine of PLOGP with TERM raised by BY parts. */
static struct machine *changed_machine(struct plogp *plogp, enum cause_term term, int by) {
  struct machine **changed = &plogp->changed[by ? 2 * term + (by > 0) : 2 * CAUSE_TERMS];
  _Static_assert(2 * CAUSE_TERMS + 1 == PLOGP_CHANGED, "as it is, and each term lowered and raised");
  if (!*changed) {
    struct platform *platform = platform_copy(plogp->platform);
    change(platform, term, by);
    *changed = machine_for_times(platform);
  }
  return *changed;
}

/* Return the time of CALL, in parts of a cycle, with TERM raised by BY parts; 1: not yet
 * known. */
static double changed_time(struct plogp *plogp, const struct call *call, enum cause_term term, int by) {
  struct machine *changed = changed_machine(plogp, term, by);
  const struct profile *profile = platform_profile(machine_platform(changed), plogp->profile->name);
  return predict_call(plogp, changed, profile, call).middle;
}

/* Tell whether TERM can contribute to the time of CALL. */
static bool contributes(const struct call *call, enum cause_term term) {
  return term != CAUSE_COMBINING || collective_combines(call->algorithm.algo->collective);
}

/* Split the prediction of the refined model. The time is proportional to all parameters together, so that the
 * terms add up to the time (without the beats of bus requests, which are no parameter). Each term is raised.
 * If the terms then add up to more, two terms decide equally, and each counts half: each term is lowered as
 * well.
 * returns: whether the terms are known. */
static bool split_run(struct plogp *plogp, const struct call *call, double terms[CAUSE_TERMS]) {
  size_t mark = ledger_mark(plogp->ledger);
  if (call->algorithm.algo->spans_nodes || !predict_runs(plogp, call)) {
    return false; /* the terms of a network are not known */
  }
  double whole = changed_time(plogp, call, CAUSE_STEPS, 0), sum = 0;
  for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
    terms[term] = contributes(call, term) ? changed_time(plogp, call, term, 1) - whole : 0;
    sum += terms[term];
  }
  bool known = ledger_complete(plogp->ledger, mark);
  bool tied = known && fabs(sum - whole / SCALE) > SPLIT_TOLERANCE * whole / SCALE;
  for (enum cause_term term = 0; tied && term < CAUSE_TERMS; term++) {
    if (contributes(call, term)) {
      terms[term] = (terms[term] + whole - changed_time(plogp, call, term, -1)) / 2;
    }
  }
  return ledger_complete(plogp->ledger, mark) && !isnan(sum);
}

bool cause_split(struct plogp *plogp, enum model model, const struct call *call, double terms[CAUSE_TERMS]) {
  return model == MODEL_REFINED ? split_run(plogp, call, terms) : split_equation(plogp, model, call, terms);
}

const char *cause_choose(double predicted, double simulated, const struct cause_change *changes, size_t n) {
  double alone = INFINITY, least = INFINITY, half = fabs(predicted - simulated) / 2;
  const char *cause = CAUSE_NONE, *pair = CAUSE_NONE;
  for (size_t i = 0; i < n; i++) {
    double left = predicted + changes[i].cycles - simulated;
    if (fabs(left) < alone) {
      alone = fabs(left);
      cause = changes[i].name;
    }
    for (size_t j = i + 1; j < n; j++) {
      if (fabs(left + changes[j].cycles) < least) {
        least = fabs(left + changes[j].cycles);
        pair = text_brief("%s;%s", changes[i].name, changes[j].name);
      }
    }
  }
  return alone <= half ? cause : least <= half ? pair : CAUSE_NONE;
}

/* Return the name of a change of TERM by CYCLES in a call with or without data. */
static const char *name_of(enum cause_term term, double cycles, bool data) {
  static const char *const steps[2][2] = {{"more-notifications", "overlapping-notifications"},
                                          {"acknowledged-steps", "overlapping-steps"}};
  static const char *const others[CAUSE_TERMS][2] = {
    [CAUSE_CROSSINGS] = {"more-crossings", "fewer-crossings"},
    [CAUSE_SHARING] = {"shared-on-ramp", "overlapping-fan-out"},
    [CAUSE_CONGESTION] = {"congestion", "congestion"},
    [CAUSE_COMBINING] = {"combining", "combining"},
    [CAUSE_SOFTWARE] = {"software", "software"}};
  return (term == CAUSE_STEPS ? steps[data] : others[term])[cycles < 0];
}

/* Split the predictions of CAUSES, once.
 * returns: whether there are both. */
static bool split_both(struct causes *causes) {
  const struct evaluation *evaluation = causes->evaluation;
  if (!causes->split) {
    causes->split = true;
    causes->known = cause_split(evaluation->plogp, MODEL_PUBLISHED, evaluation->call, causes->published) &&
                    cause_split(evaluation->plogp, MODEL_REFINED, evaluation->call, causes->refined);
  }
  return causes->known;
}

const char *cause_find(struct causes *causes, enum model model) {
  const struct evaluation *evaluation = causes->evaluation;
  struct cause_change changes[CAUSE_CHANGES_MAX];
  double predicted = evaluation->predicted[model].middle;
  bool variant = model == MODEL_NAIVE_GAP || model == MODEL_NAIVE_CONTENTION || model == MODEL_NAIVE_BURST;
  bool data = evaluation->call->nbytes > 0;
  size_t n = 0;
  if (variant) {
    changes[n++] = (struct cause_change){
      .name = model == MODEL_NAIVE_GAP ? "gap" : "congestion",
      .cycles = evaluation->predicted[MODEL_PUBLISHED].middle - predicted,
    };
  }
  if (model != MODEL_REFINED && split_both(causes)) {
    for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
      double cycles = causes->refined[term] - causes->published[term];
      changes[n++] = (struct cause_change){.name = name_of(term, cycles, data), .cycles = cycles};
    }
  }
  return cause_choose(predicted, evaluation->cycles, changes, n);
}
