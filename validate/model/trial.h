/* SPDX-License-Identifier: BSD-3-Clause
 * Many calls, each simulated and predicted by all models. The ledger is asked for the calls and for the
 * parameters that their predictions need. */
#pragma once

#include "validate/lab/ledger_call.h"
#include "validate/model/predict.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

/* What came of one call. */
struct trial {
  const struct rig_spec *spec;
  struct plogp *plogp;                      /* the parameters of its predictions, all known */
  struct prediction predicted[MODEL_COUNT]; /* SPU cycles */
  const char *refused;                      /* why it was not simulated; NULL: it was */
  enum call_end end;
  const char *wrong; /* what is, with the name of the call; NULL: nothing, and only then it has */
  double cycles;
};

/* What to try, and what came of all of it. */
struct trials {
  struct ledger *ledger;
  struct blade *blade;
  struct call_points *points; /* on `blade`, each with a profile of the blade's platform */
  const bool *unpredicted;    /* per call: without predictions of models; NULL: no call is */
  bool all;                   /* simulate also calls that no model predicts; otherwise they are refused */
  bool unsimulated;           /* only predict; cycles then mean nothing */
  bool unrefined;             /* the refined model predicts nothing */

  /* Note what else than predictions will be asked for of PLOGP, by asking for it; NULL: nothing. */
  void (*collect)(struct plogp *plogp, const struct rig_spec *spec);
  /* asks for what explains the errors of a trial, once they are known; NULL: nothing */
  void (*explain)(const struct trial *trial);

  /* Take what came of call INDEX; in ascending order. */
  void (*take)(void *context, size_t index, const struct trial *trial);
  void *context; /* of take */

  /* Say what has stopped under predictions, once for each; NULL: not wanted. */
  void (*complain)(const char *what);

  bool interrupted; /* calls so far are complete, but others between them may be missing */
};

/* Do what TRIALS says; within a round of the ledger: ask for it, and take what is known.
 * errors: a process that died; the store. */
int trials_run(struct trials *trials, struct err *err);
