/* SPDX-License-Identifier: BSD-3-Clause
 * Many calls, each simulated and predicted by all models. The ledger is asked for the calls and for the
 * parameters of the predictions. */
#pragma once

#include "validate/lab/ledger/ledger_call.h"
#include "validate/model/predict.h"

#include <stdbool.h>
#include <stddef.h>

/* The result of one call. */
struct evaluation {
  const struct call *call;
  struct plogp *plogp;                      /* the parameters of the predictions, all known */
  struct prediction predicted[MODEL_COUNT]; /* SPU cycles */
  const char *refused;                      /* why the call was not simulated; NULL: simulated */
  enum call_end end;
  /* the defect of the result, with the name of the call; NULL: no defect, and `cycles` is valid */
  const char *wrong;
  double cycles;
  uint64_t calls; /* with `cycles`: see struct machine_traffic */
};

/* The calls to try, and the receivers of the results. */
struct evaluations {
  struct ledger *ledger;
  struct machine *machine;
  struct points *points; /* on `machine`, each with a profile of the platform */
  bool all;              /* simulate also calls without a prediction; otherwise such calls are refused */
  bool unpredicted;      /* no model predicts anything */
  bool unsimulated;      /* only predict; cycles then mean nothing */
  bool unrefined;        /* the refined model predicts nothing */

  /* Asks for results that explain the errors of an evaluation with known errors; NULL: none */
  void (*explain)(const struct evaluation *evaluation);

  /* Receive the result of call INDEX; in ascending order. */
  void (*take)(void *context, size_t index, const struct evaluation *evaluation);
  void *context; /* of take */

  /* Report a run under the predictions that has stopped, once for each; NULL: not wanted. */
  void (*complain)(const char *what);

  bool interrupted; /* each result is complete, but results may be missing */
};

/* List the variants of ALGO, with all words of the parameters. For a choice on NRANKS: with all different
 * numbers of ranks (up to 16, then one for each doubling), and of other numbers the default and the least.
 * For a comparison, NRANKS 0: with the numbers to compare, else the default. A parameter for an algorithm
 * keeps the default.
 * returns: the number of CALLS.
 * owner: the caller frees *CALLS. */
size_t evaluation_variants(const struct algo *algo, unsigned nranks, struct algorithm **calls);

/* Tell whether a choice on NRANKS tries all values of parameter INDEX of ALGO. */
bool evaluation_tries_all(const struct algo *algo, unsigned index, unsigned nranks);

/* Run EVALUATIONS. Within a round of the ledger: ask for everything, and deliver the known results.
 * errors: a process that died; the store. */
int evaluations_run(struct evaluations *evaluations, struct err *err);
