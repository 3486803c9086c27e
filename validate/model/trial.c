/* SPDX-License-Identifier: BSD-3-Clause
 * See trial.h. */
#include "validate/model/trial.h"

#include "algos/catalogue.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/jobs.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/runner.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Trials under way. */
struct walk {
  struct trials *trials;
  struct plogp *plogps; /* one for each profile of the platform */
  size_t nplogps;
  struct err *err;
  size_t done, total; /* pieces of work: before those under way, and all */
};

static void
describe_call(const void *context, size_t index, char *text, size_t size)
{
  const struct rig_spec *spec = &((const struct walk *)context)->trials->specs[index];
  char name[128];
  catalogue_format(&spec->call, name, sizeof name);
  snprintf(text, size, "%s on %u ranks with %zu bytes", name, spec->nranks, spec->nbytes);
}

static void
progress(void *context, size_t done)
{
  const struct walk *walk = context;
  if (walk->trials->progress) {
    walk->trials->progress(walk->done + done, walk->total);
  }
}

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

/* Let all models predict all calls without measuring anything, which notes the parameters that they need. */
static void
collect_parameters(struct walk *walk)
{
  const struct trials *trials = walk->trials;
  for (size_t i = 0; i < walk->nplogps; i++) {
    plogp_collect(&walk->plogps[i], true);
  }
  for (size_t i = 0; i < trials->n; i++) {
    struct plogp *plogp = plogp_of(walk, &trials->specs[i]);
    for (enum model model = 0; model < MODEL_COUNT; model++) {
      predict(plogp, model, &trials->specs[i]);
    }
    if (trials->collect) {
      trials->collect(plogp, &trials->specs[i]);
    }
  }
  for (size_t i = 0; i < walk->nplogps; i++) {
    plogp_collect(&walk->plogps[i], false);
  }
}

/* --- measuring the parameters --- */

/* Return the parameters among which is value *INDEX of all; *INDEX becomes its number there. */
static struct plogp *
plogp_with(const struct walk *walk, size_t *index)
{
  size_t i = 0;
  while (*index >= walk->plogps[i].nvalues) {
    *index -= walk->plogps[i++].nvalues;
  }
  return &walk->plogps[i];
}

static int
measure(void *context, size_t index, struct pack *result)
{
  struct plogp *plogp = plogp_with(context, &index);
  pack_add_real(result, plogp_measure(plogp, index));
  return des_interrupted() ? -1 : 0;
}

static int
learn(void *context, size_t index, struct pack *result)
{
  struct plogp *plogp = plogp_with(context, &index);
  plogp_learn(plogp, index, pack_take_real(result));
  return 0;
}

static void
describe_parameter(const void *context, size_t index, char *text, size_t size)
{
  (void)context;
  snprintf(text, size, "parameter %zu of the models", index);
}

/* --- simulating and predicting the calls --- */

/* Simulate the call of SPEC and pack what is wrong with it (else empty) and the time it took.
 * returns: -1 after an interruption. */
static int
simulate(struct blade *blade, const struct rig_spec *spec, struct pack *result)
{
  struct outcome outcome;
  struct err refused = {""};
  int status = 0;
  runner_run(blade, spec, &outcome, &refused);
  if (outcome.interrupted) {
    status = -1;
  } else {
    pack_add_text(result, outcome.verified ? "" : outcome.detail);
    pack_add_count(result, outcome.stopped);
    pack_add_real(result, outcome.cycles);
  }
  outcome_fini(&outcome);
  return status;
}

/* Let all models predict the call of SPEC and pack what they say.
 * returns: whether one has a prediction. */
static bool
predict_all(const struct walk *walk, const struct rig_spec *spec, struct pack *result)
{
  bool some = false;
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    struct prediction predicted = predict(plogp_of(walk, spec), model, spec);
    pack_add_real(result, predicted.low);
    pack_add_real(result, predicted.middle);
    pack_add_real(result, predicted.high);
    some |= !isnan(predicted.middle);
  }
  return some;
}

/* Try call INDEX and pack the predictions, why it is refused (else empty), and the simulation. */
static int
try_call(void *context, size_t index, struct pack *result)
{
  const struct walk *walk = context;
  struct trials *trials = walk->trials;
  const struct rig_spec *spec = &trials->specs[index];
  struct err refused = {""};
  bool predicted = predict_all(walk, spec, result);
  if (rig_check(trials->blade, spec, &refused) == 0 && !predicted && !trials->unpredicted) {
    char name[128];
    catalogue_format(&spec->call, name, sizeof name);
    err_set(&refused, "%s: no prediction for %u ranks of platform %s with %zu bytes", name, spec->nranks,
            blade_platform(trials->blade)->name, spec->nbytes);
  }
  if (des_interrupted()) {
    return -1;
  }
  pack_add_text(result, refused.text);
  return *refused.text ? 0 : simulate(trials->blade, spec, result);
}

/* Hand on what came of call INDEX. */
static int
deliver(void *context, size_t index, struct pack *result)
{
  const struct walk *walk = context;
  struct trials *trials = walk->trials;
  struct trial trial = {.spec = &trials->specs[index], .plogp = plogp_of(walk, &trials->specs[index])};
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    trial.predicted[model].low = pack_take_real(result);
    trial.predicted[model].middle = pack_take_real(result);
    trial.predicted[model].high = pack_take_real(result);
  }
  const char *refused = pack_take_text(result);
  if (*refused) {
    trial.refused = refused;
    trials->take(trials->context, index, &trial);
    return 0;
  }
  const char *wrong = pack_take_text(result);
  trials->stopped = pack_take_count(result);
  if (*wrong) {
    char what[256];
    trials->failed = true;
    describe_call(walk, index, what, sizeof what);
    return err_set(walk->err, "%s: %s", what, wrong);
  }
  trial.cycles = pack_take_real(result);
  trials->take(trials->context, index, &trial);
  return 0;
}

/* Do the pieces of work of JOBS.
 * returns: -1 with err set if one went wrong. */
static int
memory_model_out(struct walk *walk, struct jobs *jobs)
{
  jobs->nworkers = walk->trials->njobs;
  jobs->context = walk;
  jobs->progress = progress;
  jobs->interrupted = des_interrupted;
  int status = jobs_run(jobs, walk->err);
  walk->done += jobs->count;
  walk->trials->failed |= status != 0;
  walk->trials->interrupted |= des_interrupted();
  return status;
}

static int
walk_all(struct walk *walk)
{
  size_t nvalues = 0;
  for (size_t i = 0; i < walk->nplogps; i++) {
    nvalues += walk->plogps[i].nvalues;
  }
  struct jobs measuring = {
    .count = nvalues, .work = measure, .deliver = learn, .describe = describe_parameter};
  struct jobs trying = {
    .count = walk->trials->n, .work = try_call, .deliver = deliver, .describe = describe_call};
  walk->total = measuring.count + trying.count;
  int status = memory_model_out(walk, &measuring);
  if (status == 0 && !walk->trials->interrupted) {
    status = memory_model_out(walk, &trying);
  }
  return status;
}

int
trials_run(struct trials *trials, struct err *err)
{
  const struct platform *platform = blade_platform(trials->blade);
  struct walk walk = {.trials = trials, .err = err, .nplogps = platform->nprofiles};
  walk.plogps = xcalloc(walk.nplogps, sizeof *walk.plogps);
  for (size_t i = 0; i < walk.nplogps; i++) {
    plogp_init(&walk.plogps[i], trials->blade, &platform->profiles[i]);
  }
  collect_parameters(&walk);
  int status = walk_all(&walk);
  for (size_t i = 0; i < walk.nplogps; i++) {
    plogp_fini(&walk.plogps[i]);
  }
  free(walk.plogps);
  return status;
}
