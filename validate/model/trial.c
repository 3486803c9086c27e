/* SPDX-License-Identifier: BSD-3-Clause
 * One round of the ledger asks for the predictions of all calls and for the simulation of each possible
 * call; a call is possible if the machine serves the call and some model has a prediction. */
#include "validate/model/trial.h"

#include "algos/catalogue.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/rig/rig.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of ranks up to which all are tried; above, one is tried for each doubling. */
enum { ALL_NUMBERS = 16, DOUBLINGS = 32 };
enum { VALUES_MAX = ALL_NUMBERS + DOUBLINGS };

static bool is_number(const struct coll_param *param) {
  return !param->algorithm && !param->choices[0].word;
}

/* Return the largest number of PARAM, a number of ranks, that differs from smaller ones on NRANKS. */
static unsigned largest(const struct coll_param *param, unsigned nranks) {
  unsigned differ = nranks > param->least ? nranks - 1 : param->least;
  differ = differ < param->least ? param->least : differ;
  return differ < param->most ? differ : param->most;
}

/* Write the values of PARAM for a choice on NRANKS, or for a comparison if 0, into VALUES: see
 * trial_variants.
 * returns: how many. */
static unsigned values_of(const struct coll_param *param, unsigned nranks, unsigned values[VALUES_MAX]) {
  unsigned n = 0;
  for (; n < COLL_CHOICES_MAX && param->choices[n].word; n++) {
    values[n] = n;
  }
  for (unsigned i = 0; nranks == 0 && i < COLL_COMPARED_MAX && param->compared[i]; i++) {
    values[n++] = param->compared[i];
  }
  if (n > 0) {
    return n;
  }
  bool counts = nranks > 0 && is_number(param) && param->of_ranks;
  if (!counts) {
    values[n++] = param->initial;
  }
  if (nranks > 0 && is_number(param) && !counts && !param->is_asked && param->least != param->initial) {
    values[n++] = param->least;
  }
  for (unsigned value = param->least; counts && value <= largest(param, nranks);
       value += value < ALL_NUMBERS ? 1 : value) {
    values[n++] = value;
  }
  return n;
}

bool trial_tries_all(const struct algo *algo, unsigned index, unsigned nranks) {
  const struct coll_param *param = &algo->params[index];
  return !is_number(param) || param->is_asked || (param->of_ranks && largest(param, nranks) <= ALL_NUMBERS);
}

size_t trial_variants(const struct algo *algo, unsigned nranks, struct algorithm **calls) {
  size_t n = 1;
  *calls = xcalloc(1, sizeof **calls);
  **calls = catalogue_call(algo);
  for (unsigned p = 0; p < COLL_PARAMS_MAX && algo->params[p].name; p++) {
    unsigned values[VALUES_MAX], nvalues = values_of(&algo->params[p], nranks, values);
    struct algorithm *next = xcalloc(n * nvalues, sizeof *next);
    for (size_t i = 0; i < n * nvalues; i++) {
      next[i] = (*calls)[i / nvalues];
      next[i].values[p] = values[i % nvalues];
    }
    free(*calls);
    *calls = next;
    n *= nvalues;
  }
  return n;
}

/* A call in progress. */
struct candidate {
  struct point *point;
  struct trial trial; /* the known part */
  bool known;         /* the predictions are known */
  bool possible;      /* the machine can serve the call, and a simulation is wanted */
  bool unpredicted;   /* by any model */
};

/* Trials under way. */
struct walk {
  struct trials *trials;
  struct candidate *candidates;
  struct plogp *plogps; /* one for each profile of the platform */
  size_t nplogps;
  char **told; /* complaints so far */
  size_t ntold;
};

/* Ask for the predictions of CALL. The parameters that a prediction needs, and the existence of a prediction,
 * do not depend on the values of parameters. */
static void examine(const struct trials *trials, struct candidate *candidate) {
  struct trial *trial = &candidate->trial;
  size_t nmissing = trials->ledger->nmissing;
  bool wanted = trials->all; /* or some model has a prediction, or should have */
  if (candidate->known) {
    return;
  }
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    bool left_out = candidate->unpredicted || (model == MODEL_REFINED && trials->unrefined);
    struct prediction *predicted = &trial->predicted[model];
    *predicted = left_out ? predict_none(NULL) : predict_by_model(trial->plogp, model, trial->call);
    wanted |= !isnan(predicted->middle) || predicted->unmeasured;
  }
  candidate->known = trials->ledger->nmissing == nmissing;
  candidate->possible = wanted && rig_check(machine_platform(trials->machine), trial->call, NULL) == 0;
}

/* Ask for the simulation of CALL, if wanted.
 * returns: whether RESULT is known, or not wanted. */
static bool simulate(const struct trials *trials, const struct candidate *candidate,
                     struct call_result *result) {
  *result = (struct call_result){.refused = ""};
  return trials->unsimulated || ledger_call(trials->ledger, candidate->point, result);
}

/* Ask for the results that explain the errors of CALL, whose simulation has given RESULT.
 * returns: whether these results are known, or not wanted. */
static bool explain(const struct trials *trials, struct candidate *candidate,
                    const struct call_result *result) {
  size_t nmissing = trials->ledger->nmissing;
  if (candidate->known && trials->explain && candidate->trial.plogp->lasting && result->end == CALL_OK &&
      !*result->refused) {
    candidate->trial.cycles = result->cycles;
    trials->explain(&candidate->trial);
  }
  return trials->ledger->nmissing == nmissing;
}

/* Ask for everything. */
static void ask(void *context) {
  const struct walk *walk = context;
  for (size_t i = 0; i < walk->trials->points->n; i++) {
    struct candidate *candidate = &walk->candidates[i];
    struct call_result result;
    examine(walk->trials, candidate);
    if (candidate->possible && simulate(walk->trials, candidate, &result)) {
      explain(walk->trials, candidate, &result);
    }
  }
}

/* Store in WHY the reason why CANDIDATE was not simulated: the machine cannot serve the call, or no model has
 * a prediction. */
static void refuse(const struct trials *trials, const struct candidate *candidate, struct err *why) {
  const struct call *call = candidate->trial.call;
  const char *nothing = candidate->trial.predicted[MODEL_REFINED].nothing;
  if (rig_check(machine_platform(trials->machine), call, why) == 0) {
    char name[CATALOGUE_NAME_SIZE];
    catalogue_format(&call->algorithm, name, sizeof name);
    char text[256] = "";
    if (nothing) {
      snprintf(text, sizeof text, ": %s", nothing);
    }
    err_set(why, "%s: no prediction for %u ranks of platform %s with %zu bytes%s", name, call->nranks,
            machine_platform(trials->machine)->name, call->nbytes, text);
  }
}

/* Store in WHY the defect of CALL. */
static void complain(const struct call *call, const struct call_result *result, struct err *why) {
  char name[CALL_TEXT_SIZE];
  call_describe(call, name, sizeof name);
  err_set(why, "%s: %s", name, result->wrong);
}

/* Report the defect WHAT of predictions, once. */
static void tell_once(struct walk *walk, const char *what) {
  if (walk->trials->complain && !VEC_FIND(walk->told, walk->ntold, strcmp(*item, what) == 0)) {
    VEC_ADD(walk->told, walk->ntold) = xstrdup(what);
    walk->trials->complain(what);
  }
}

/* Deliver the result of candidate INDEX, if known. */
static void deliver(struct walk *walk, size_t index) {
  const struct trials *trials = walk->trials;
  struct candidate *candidate = &walk->candidates[index];
  struct trial *trial = &candidate->trial;
  struct call_result result = {.refused = ""};
  struct err why = {""};
  examine(trials, candidate); /* again: an interruption may have prevented an earlier examination */
  if (!candidate->known || (candidate->possible &&
                            !(simulate(trials, candidate, &result) && explain(trials, candidate, &result)))) {
    return;
  }
  if (!candidate->possible) {
    refuse(trials, candidate, &why);
    trial->refused = why.text;
  } else if (*result.refused) {
    trial->refused = result.refused;
  } else if (result.end != CALL_OK) {
    complain(trial->call, &result, &why);
    trial->end = result.end;
    trial->wrong = why.text;
  } else {
    trial->cycles = result.cycles;
    trial->calls = result.calls;
  }
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    if (trial->predicted[model].unmeasured) {
      tell_once(walk, trial->predicted[model].unmeasured);
    }
  }
  trials->take(trials->context, index, trial);
}

int trials_run(struct trials *trials, struct err *err) {
  size_t n = trials->points->n;
  const struct platform *platform = machine_platform(trials->machine);
  struct walk walk = {.trials = trials, .nplogps = platform->nprofiles};
  walk.candidates = xcalloc(n, sizeof *walk.candidates);
  walk.plogps = xcalloc(walk.nplogps, sizeof *walk.plogps);
  for (size_t i = 0; i < walk.nplogps; i++) {
    plogp_init(&walk.plogps[i], trials->machine, &platform->profiles[i]);
    walk.plogps[i].ledger = trials->ledger;
    /* within another round of the ledger, that round goes on longer */
    walk.plogps[i].lasting = !trials->ledger->asking;
  }
  for (size_t i = 0; i < n; i++) {
    const struct call *call = &trials->points->items[i].call;
    ptrdiff_t profile = call->profile - platform->profiles;
    assert(profile >= 0 && (size_t)profile < walk.nplogps);
    walk.candidates[i].point = &trials->points->items[i];
    walk.candidates[i].trial = (struct trial){.call = call, .plogp = &walk.plogps[profile], .cycles = NAN};
    walk.candidates[i].unpredicted = trials->unpredicted && trials->unpredicted[i];
  }
  int status = ledger_settle(trials->ledger, ask, &walk, err);
  trials->interrupted |= des_interrupted();
  for (size_t i = 0; i < n && status == 0; i++) {
    deliver(&walk, i);
  }
  for (size_t i = 0; i < walk.nplogps; i++) {
    plogp_fini(&walk.plogps[i]);
  }
  xfree_all(walk.told, walk.ntold);
  free(walk.plogps);
  free(walk.candidates);
  return status;
}
