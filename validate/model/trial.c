/* SPDX-License-Identifier: BSD-3-Clause
 * See trial.h. */
#include "validate/model/trial.h"

#include "algos/catalogue.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/ledger_call.h"
#include "validate/lab/rigs.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call on its way. */
struct call {
  struct prediction predicted[MODEL_COUNT];
  const char
    *unmeasured[MODEL_COUNT]; /* why there is none though there should be; NULL: it is as it should be */
  const char *nothing[MODEL_COUNT]; /* as in struct trial */
  const char *foreign;              /* call of its program that no model knows; NULL: none */
  bool known;                       /* the predictions are, and all that `collect` asks for */
  bool possible;                    /* the machine can serve it, and it is to be simulated */
};

/* Trials under way. */
struct walk {
  struct trials *trials;
  struct call *calls;
  struct plogp *plogps; /* one for each profile of the platform */
  size_t nplogps;
  const char **told; /* complaints so far */
  size_t ntold;
};

/* Return the parameters under the software costs of SPEC. */
static struct plogp *
plogp_of(const struct walk *walk, const struct rig_spec *spec)
{
  size_t i = 0;
  while (walk->plogps[i].profile != spec->profile) {
    i++;
    assert(i < walk->nplogps);
  }
  return &walk->plogps[i];
}

/* Let the models that TRIALS wants predict CALL, which is that of SPEC.
 * returns: whether one has a prediction, or should have. */
static bool
predict_all(const struct trials *trials, struct plogp *plogp, const struct rig_spec *spec, struct call *call)
{
  bool some = false;
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    if (model == MODEL_REFINED && trials->unrefined) {
      call->predicted[model] = (struct prediction){NAN, NAN, NAN};
    } else {
      call->predicted[model] = predict(plogp, model, spec);
      call->unmeasured[model] = plogp->unmeasured;
      call->nothing[model] = plogp->nothing;
      some |= !isnan(call->predicted[model].middle) || plogp->unmeasured;
    }
  }
  return some;
}

/* Find out of call INDEX what the models say. Which parameters a prediction needs, and whether there is one, does not depend
 * on their values. */
static struct call *
examine(const struct walk *walk, size_t index)
{
  const struct trials *trials = walk->trials;
  const struct rig_spec *spec = &trials->specs[index];
  struct call *call = &walk->calls[index];
  if (!call->known) {
    struct plogp *plogp = plogp_of(walk, spec);
    size_t nmissing = trials->ledger->nmissing;
    plogp->refused = NULL;
    bool predicted = predict_all(trials, plogp, spec, call);
    if (trials->collect) {
      trials->collect(plogp, spec);
    }
    call->foreign = plogp->refused;
    call->known = trials->ledger->nmissing == nmissing;
    call->possible = (predicted || trials->all) && rigs_check(trials->blade, spec, NULL) == 0;
  }
  return call;
}

/* Ask for the simulation of call INDEX, if it is wanted.
 * returns: whether RESULT is known, or not wanted. */
static bool
simulate(const struct trials *trials, size_t index, struct call_result *result)
{
  *result = (struct call_result){.refused = ""};
  return trials->unsimulated || ledger_call(trials->ledger, trials->blade, &trials->specs[index], 0, result);
}

/* Ask for what explains the errors of call INDEX, which has been simulated.
 * returns: whether that is known, or not wanted. */
static bool
explain(const struct walk *walk, size_t index, const struct call_result *result)
{
  const struct trials *trials = walk->trials;
  const struct call *call = &walk->calls[index];
  const struct rig_spec *spec = &trials->specs[index];
  struct trial trial = {.spec = spec, .plogp = plogp_of(walk, spec), .cycles = result->cycles};
  if (call->known && trials->explain && trial.plogp->lasting && result->end == CALL_OK && !*result->refused) {
    size_t nmissing = trials->ledger->nmissing;
    memcpy(trial.predicted, call->predicted, sizeof trial.predicted);
    trials->explain(&trial);
    return trials->ledger->nmissing == nmissing;
  }
  return true;
}

/* Ask for everything: first for the values of the model machine, so that an interruption later leaves no simulation without its
 * predictions. */
static void
ask(void *context)
{
  const struct walk *walk = context;
  bool known = true;
  for (size_t i = 0; !walk->trials->unrefined && i < walk->nplogps; i++) {
    known &= predict_knows_values(&walk->plogps[i]);
  }
  for (size_t i = 0; known && i < walk->trials->n; i++) {
    struct call_result result;
    if (examine(walk, i)->possible && simulate(walk->trials, i, &result)) {
      explain(walk, i, &result);
    }
  }
}

/* Say in WHY why CALL, that of SPEC, was not simulated: its program has called what no model knows, or there is no model on its hosts. */
static void
refuse(const struct trials *trials, const struct rig_spec *spec, const struct call *call, struct err *why)
{
  const char *foreign = call->foreign, *nothing = call->nothing[MODEL_REFINED];
  if (rigs_check(trials->blade, spec, why) == 0) {
    char name[128];
    catalogue_format(&spec->call, name, sizeof name);
    err_set(why, "%s: no prediction for %u ranks of platform %s with %zu bytes%s%s%s", name, spec->nranks,
            blade_platform(trials->blade)->name, spec->nbytes,
            foreign   ? ": its program calls "
            : nothing ? ": "
                      : "",
            foreign   ? foreign
            : nothing ? nothing
                      : "",
            foreign ? ", which no model knows; those of algos/step/step.h are known" : "");
  }
}

/* Say in WHY what was wrong with the call of SPEC. */
static void
complain(const struct rig_spec *spec, const struct call_result *result, struct err *why)
{
  char name[128];
  catalogue_format(&spec->call, name, sizeof name);
  err_set(why, "%s on %u ranks with %zu bytes: %s", name, spec->nranks, spec->nbytes, result->wrong);
}

/* Tell of WHAT, which has stopped under a prediction, unless it has been told already. */
static void
tell_once(struct walk *walk, const char *what)
{
  size_t i = 0;
  while (i < walk->ntold && walk->told[i] != what) {
    i++;
  }
  if (i == walk->ntold && walk->trials->complain) {
    walk->told = xrealloc(walk->told, walk->ntold + 1, sizeof *walk->told);
    walk->told[walk->ntold++] = what;
    walk->trials->complain(what);
  }
}

/* Hand on what is known of call INDEX. */
static void
deliver(struct walk *walk, size_t index)
{
  const struct trials *trials = walk->trials;
  const struct rig_spec *spec = &trials->specs[index];
  const struct call *call =
    examine(walk, index); /* again: an interruption may have kept it from being asked */
  struct trial trial = {.spec = spec, .plogp = plogp_of(walk, spec), .cycles = NAN};
  struct call_result result = {.refused = ""};
  struct err why = {""};
  if (!call->known ||
      (call->possible && !(simulate(trials, index, &result) && explain(walk, index, &result)))) {
    return;
  }
  if (!call->possible) {
    refuse(trials, spec, call, &why);
    trial.refused = why.text;
  } else if (*result.refused) {
    trial.refused = result.refused;
  } else if (result.end != CALL_OK) {
    complain(spec, &result, &why);
    trial.end = result.end;
    trial.wrong = why.text;
  } else {
    trial.cycles = result.cycles;
  }
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    trial.predicted[model] = call->predicted[model];
    trial.unpredicted[model] = call->unmeasured[model];
    trial.nothing[model] = call->nothing[model];
    if (call->unmeasured[model]) {
      tell_once(walk, call->unmeasured[model]);
    }
  }
  trials->take(trials->context, index, &trial);
}

int
trials_run(struct trials *trials, struct err *err)
{
  const struct platform *platform = blade_platform(trials->blade);
  struct walk walk = {.trials = trials, .nplogps = platform->nprofiles};
  walk.calls = xcalloc(trials->n, sizeof *walk.calls);
  walk.plogps = xcalloc(walk.nplogps, sizeof *walk.plogps);
  for (size_t i = 0; i < walk.nplogps; i++) {
    plogp_init(&walk.plogps[i], trials->blade, &platform->profiles[i]);
    walk.plogps[i].ledger = trials->ledger;
    walk.plogps[i].lasting = !trials->ledger->asking; /* within another round that one goes on longer */
  }
  int status = ledger_settle(trials->ledger, &(struct ledger_round){ask, &walk}, err);
  trials->interrupted |= des_interrupted();
  for (size_t i = 0; i < trials->n && status == 0; i++) {
    deliver(&walk, i);
  }
  for (size_t i = 0; i < walk.nplogps; i++) {
    plogp_fini(&walk.plogps[i]);
  }
  free(walk.told);
  free(walk.plogps);
  free(walk.calls);
  return status;
}
