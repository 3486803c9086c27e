/* SPDX-License-Identifier: BSD-3-Clause
 * Many calls, each simulated and predicted by all models, on several processors.
 *
 * First all calls are asked which parameters their predictions need; these are measured; then every call is simulated and
 * predicted. The measurements are known before that work is shared out, so none is made twice. */
#pragma once

#include "validate/model/predict.h"

#include <stdbool.h>
#include <stddef.h>

struct blade;
struct err;

/* What came of one call. */
struct trial {
  const struct rig_spec *spec;
  struct plogp *plogp;                      /* the parameters of its predictions, all known */
  struct prediction predicted[MODEL_COUNT]; /* SPU cycles */
  const char *refused;                      /* why it was not simulated; NULL: it was */
  double cycles;
};

/* What to try, and what came of all of it. */
struct trials {
  struct blade *blade;
  const struct rig_spec *specs; /* each with a profile of the blade's platform */
  size_t n;
  bool unpredicted; /* simulate also calls that no model predicts; otherwise they are refused */
  unsigned njobs;   /* processes to work in; 0: one for each processor */

  /* Note what else than predictions will be asked for of PLOGP, by asking for it; NULL: nothing. See plogp_collect. */
  void (*collect)(struct plogp *plogp, const struct rig_spec *spec);

  /* Take what came of call INDEX; in ascending order. */
  void (*take)(void *context, size_t index, const struct trial *trial);
  void *context;                               /* of take */
  void (*progress)(size_t done, size_t total); /* called now and then; may be NULL */

  bool interrupted; /* calls so far are complete, but others between them may be missing */
  bool failed, stopped;
};

/* Do what TRIALS says.
 * errors: an algorithm that did not do its work (`failed` is then set, and `stopped` if a fault or a deadlock is why); a
 *   process that died (`failed`). */
int trials_run(struct trials *trials, struct err *err);
