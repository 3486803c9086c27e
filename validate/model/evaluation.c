/* SPDX-License-Identifier: BSD-3-Clause
 * One round of the ledger asks for the predictions of all calls and for the simulation of each possible
 * call; a call is possible if the machine serves the call and some model has a prediction. */
#include "validate/model/evaluation.h"

#include "algos/catalogue.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/rig/rig.h"

#include <assert.h>
#include <math.h>
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
  RAISE(differ, param->least);
  return MIN(differ, param->most);
}

/* Write the values of PARAM for a choice on NRANKS, or for a comparison if 0, into VALUES: see
 * evaluation_variants.
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

bool evaluation_tries_all(const struct algo *algo, unsigned index, unsigned nranks) {
  const struct coll_param *param = &algo->params[index];
  return !is_number(param) || param->is_asked || (param->of_ranks && largest(param, nranks) <= ALL_NUMBERS);
}

size_t evaluation_variants(const struct algo *algo, unsigned nranks, struct algorithm **calls) {
  size_t n = 1;
  *calls = xcalloc(1, sizeof **calls);
  **calls = catalogue_call(algo);
  for (unsigned p = 0; p < algo_nparams(algo); p++) {
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
  struct evaluation evaluation; /* the known part */
  bool known;
  bool possible; /* the machine can serve the call, and a simulation is wanted */
};

/* Trials under way. */
struct walk {
  struct evaluations *evaluations;
  struct candidate *candidates;
  struct plogp *plogps; /* one for each profile of the platform */
  size_t nplogps;
  char **told; /* complaints so far */
  size_t ntold;
};

/* Ask for the predictions of CALL. The parameters that a prediction needs, and the existence of a prediction,
 * do not depend on the values of parameters. */
static void examine(const struct evaluations *evaluations, struct candidate *candidate) {
  struct evaluation *evaluation = &candidate->evaluation;
  size_t mark = ledger_mark(evaluations->ledger);
  bool wanted = evaluations->all; /* or some model has a prediction, or should have */
  if (candidate->known) {
    return;
  }
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    bool left_out = evaluations->unpredicted || (model == MODEL_REFINED && evaluations->unrefined);
    struct prediction *predicted = &evaluation->predicted[model];
    *predicted = left_out ? predict_none(NULL) : predict_by_model(evaluation->plogp, model, evaluation->call);
    wanted |= !isnan(predicted->middle) || predicted->unmeasured;
  }
  candidate->known = ledger_complete(evaluations->ledger, mark);
  candidate->possible =
    wanted && rig_check(machine_platform(evaluations->machine), evaluation->call, NULL) == 0;
}

/* Ask for the simulation of CALL, if wanted.
 * returns: whether RESULT is known, or not wanted. */
static bool simulate(const struct evaluations *evaluations, const struct candidate *candidate,
                     struct call_result *result) {
  *result = (struct call_result){.refused = ""};
  return evaluations->unsimulated || ledger_call(evaluations->ledger, candidate->point, result);
}

/* Ask for the results that explain the errors of CALL, whose simulation has given RESULT.
 * returns: whether these results are known, or not wanted. */
static bool explain(const struct evaluations *evaluations, struct candidate *candidate,
                    const struct call_result *result) {
  size_t mark = ledger_mark(evaluations->ledger);
  if (candidate->known && evaluations->explain && candidate->evaluation.plogp->lasting &&
      result->end == CALL_OK && !*result->refused) {
    candidate->evaluation.cycles = result->cycles;
    evaluations->explain(&candidate->evaluation);
  }
  return ledger_complete(evaluations->ledger, mark);
}

/* Ask for everything. */
static void ask(void *context) {
  const struct walk *walk = context;
  VEC_EACH(candidate, walk->candidates, walk->evaluations->points->n) {
    struct call_result result;
    examine(walk->evaluations, candidate);
    if (candidate->possible && simulate(walk->evaluations, candidate, &result)) {
      explain(walk->evaluations, candidate, &result);
    }
  }
}

/* Store in WHY the reason why CANDIDATE was not simulated: the machine cannot serve the call, or no model has
 * a prediction. */
static void refuse(const struct evaluations *evaluations, const struct candidate *candidate,
                   struct err *why) {
  const struct call *call = candidate->evaluation.call;
  const char *nothing = candidate->evaluation.predicted[MODEL_REFINED].nothing;
  if (rig_check(machine_platform(evaluations->machine), call, why) == 0) {
    err_set(why, "%s: no prediction for %u ranks of platform %s with %zu bytes%s%s",
            catalogue_name(&call->algorithm), call->nranks, machine_platform(evaluations->machine)->name,
            call->nbytes, nothing ? ": " : "", nothing ? nothing : "");
  }
}

/* Deliver the result of candidate INDEX, if known. */
static void deliver(struct walk *walk, size_t index) {
  const struct evaluations *evaluations = walk->evaluations;
  struct candidate *candidate = &walk->candidates[index];
  struct evaluation *evaluation = &candidate->evaluation;
  struct call_result result = {.refused = ""};
  struct err why = {""};
  examine(evaluations, candidate); /* again: an interruption may have prevented an earlier examination */
  if (!candidate->known || (candidate->possible && !(simulate(evaluations, candidate, &result) &&
                                                     explain(evaluations, candidate, &result)))) {
    return;
  }
  if (!candidate->possible) {
    refuse(evaluations, candidate, &why);
    evaluation->refused = why.text;
  } else if (*result.refused) {
    evaluation->refused = result.refused;
  } else if (result.end != CALL_OK) {
    err_set(&why, "%s: %s", call_words(evaluation->call), result.wrong);
    evaluation->end = result.end;
    evaluation->wrong = why.text;
  } else {
    evaluation->cycles = result.cycles;
    evaluation->calls = result.calls;
  }
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    const char *what = evaluation->predicted[model].unmeasured;
    if (what && evaluations->complain && !VEC_FIND(walk->told, walk->ntold, strcmp(*item, what) == 0)) {
      VEC_ADD(walk->told, walk->ntold) = xstrdup(what); /* once */
      evaluations->complain(what);
    }
  }
  evaluations->take(evaluations->context, index, evaluation);
}

int evaluations_run(struct evaluations *evaluations, struct err *err) {
  size_t n = evaluations->points->n;
  const struct platform *platform = machine_platform(evaluations->machine);
  struct walk walk = {.evaluations = evaluations, .nplogps = platform->nprofiles};
  walk.candidates = xcalloc(n, sizeof *walk.candidates);
  walk.plogps = xcalloc(walk.nplogps, sizeof *walk.plogps);
  for (size_t i = 0; i < walk.nplogps; i++) {
    plogp_init(&walk.plogps[i], evaluations->machine, &platform->profiles[i]);
    walk.plogps[i].ledger = evaluations->ledger;
    /* within another round of the ledger, that round goes on longer */
    walk.plogps[i].lasting = !evaluations->ledger->asking;
  }
  for (size_t i = 0; i < n; i++) {
    const struct call *call = &evaluations->points->items[i].call;
    ptrdiff_t profile = call->profile - platform->profiles;
    assert(profile >= 0 && (size_t)profile < walk.nplogps);
    walk.candidates[i].point = &evaluations->points->items[i];
    walk.candidates[i].evaluation =
      (struct evaluation){.call = call, .plogp = &walk.plogps[profile], .cycles = NAN};
  }
  int status = ledger_settle(evaluations->ledger, ask, &walk, err);
  evaluations->interrupted |= des_interrupted();
  for (size_t i = 0; i < n && status == 0; i++) {
    deliver(&walk, i);
  }
  VEC_EACH(plogp, walk.plogps, walk.nplogps) {
    plogp_fini(plogp);
  }
  xfree_all(walk.told, walk.ntold);
  free(walk.plogps);
  free(walk.candidates);
  return status;
}
