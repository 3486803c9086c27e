/* SPDX-License-Identifier: BSD-3-Clause
 * See cause.h. */
#include "validate/model/cause.h"

#include "validate/model/trial.h"

#include <math.h>
#include <stdio.h>

/* What parameters are raised by to see how much they contribute: so little that no maximum changes sides, so much that
 * rounding does not matter. */
static const double raise = 1e-6;

/* An evaluation in which one term is raised. */
struct view {
  struct cost inner; /* where the parameters come from */
  enum cause_term raised;
};

/* Return a parameter as it is, for the call of COST, which an equation may have changed for some of its steps. */
static double
as_it_is(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n)
{
  const struct view *view = cost->source;
  struct cost inner = *cost;
  inner.parameter = view->inner.parameter;
  inner.source = view->inner.source;
  return inner.parameter(&inner, parameter, m, n);
}

/* Return the parameter that is to PARAMETER, of a step across chips, what it would cost on a chip; PARAMETER itself if it is of
 * no such step. */
static enum cost_parameter
on_chip(enum cost_parameter parameter)
{
  return parameter == COST_L2 ? COST_L1 : parameter == COST_STEP2 ? COST_STEP1 : parameter;
}

static enum cause_term
term_of(enum cost_parameter parameter)
{
  switch (parameter) {
  case COST_L:
  case COST_L1:
  case COST_L2:
  case COST_STEP1:
  case COST_STEP2:
  case COST_READ1:
  case COST_READ2:
  case COST_WRITE1:
  case COST_WRITE2:
  case COST_COPY1:
  case COST_COPY2:
  case COST_BLOCKS1:
  case COST_BLOCKS2:
  case COST_PPE_COPY:
  case COST_MAIL:
    return CAUSE_STEPS;
  case COST_G:
  case COST_G1:
  case COST_G2:
  case COST_G_ACK:
  case COST_G1_ACK:
  case COST_G2_ACK:
  case COST_CLASSIC_G1:
  case COST_CLASSIC_G2:
  case COST_SERVE1:
  case COST_SERVE2:
  case COST_DELAY1:
  case COST_DELAY2:
  case COST_BEHIND1:
  case COST_BEHIND2:
  case COST_HEAR:
  case COST_ANSWER:
    return CAUSE_SHARING;
  case COST_C:
    return CAUSE_CONGESTION;
  case COST_GAMMA:
    return CAUSE_COMBINING;
  default:
    return CAUSE_SOFTWARE;
  }
}

/* Return a parameter with its part in the raised term raised. */
static double
raised(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n)
{
  const struct view *view = cost->source;
  double value = as_it_is(cost, parameter, m, n);
  enum cost_parameter near = on_chip(parameter);
  if (near == parameter) {
    return term_of(parameter) == view->raised ? value * (1 + raise) : value;
  }
  double step = as_it_is(cost, near, m, n);
  double part = view->raised == CAUSE_CROSSINGS ? value - step : view->raised == CAUSE_STEPS ? step : 0;
  return value + part * raise;
}

/* Return the call of VIEW as it is seen through it. */
static struct cost
through(struct view *view)
{
  struct cost outer = view->inner;
  outer.parameter = raised;
  outer.source = view;
  return outer;
}

bool
cause_split(struct plogp *plogp, enum model model, const struct rig_spec *spec, double terms[CAUSE_TERMS])
{
  struct view view;
  predict_equation *equation = predict_find(plogp, model, spec, &view.inner);
  double whole = equation ? equation(&view.inner) : NAN;
  struct cost outer = through(&view);
  for (view.raised = 0; !isnan(whole) && view.raised < CAUSE_TERMS; view.raised++) {
    terms[view.raised] = (equation(&outer) - whole) / raise;
  }
  return !isnan(whole);
}

void
cause_choose(double predicted, double simulated, const struct cause_change *changes, size_t n,
             char cause[CAUSE_SIZE])
{
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
static const char *
name_of(enum cause_term term, double cycles, bool data)
{
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

void
cause_find(const struct trial *trial, enum model model, char cause[CAUSE_SIZE])
{
  struct cause_change changes[CAUSE_CHANGES_MAX];
  double published[CAUSE_TERMS], refined[CAUSE_TERMS], predicted = trial->predicted[model].middle;
  bool variant = model == MODEL_NAIVE_GAP || model == MODEL_NAIVE_CONTENTION, data = trial->spec->nbytes > 0;
  size_t n = 0;
  if (variant) {
    changes[n++] = (struct cause_change){
      .name = model == MODEL_NAIVE_GAP ? "gap" : "congestion",
      .cycles = trial->predicted[MODEL_PUBLISHED].middle - predicted,
    };
  }
  if (model != MODEL_REFINED && cause_split(trial->plogp, MODEL_PUBLISHED, trial->spec, published) &&
      cause_split(trial->plogp, MODEL_REFINED, trial->spec, refined)) {
    for (enum cause_term term = 0; term < CAUSE_TERMS; term++) {
      double cycles = refined[term] - published[term];
      changes[n++] = (struct cause_change){.name = name_of(term, cycles, data), .cycles = cycles};
    }
  }
  cause_choose(predicted, trial->cycles, changes, n, cause);
}

void
cause_collect(struct plogp *plogp, const struct rig_spec *spec)
{
  static const enum model models[] = {MODEL_PUBLISHED, MODEL_REFINED}; /* as cause_find */
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    struct view view = {.raised = CAUSE_STEPS};
    predict_equation *equation = predict_find(plogp, models[i], spec, &view.inner);
    if (!equation) {
      return;
    }
    struct cost outer = through(&view);
    equation(&outer);
  }
}
