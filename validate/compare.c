/* SPDX-License-Identifier: BSD-3-Clause
 * See compare.h.
 *
 * The grid of the paper: barriers on 2 to 16 ranks; collectives with data on 2, 4, 8 and 16 ranks and 64 bytes to 32 KiB,
 * doubling, all-gathers from blocks of 16 bytes on; the numbers that parameters list for comparisons.
 *
 * First all calls are listed and asked which parameters their predictions need; these are measured; then every call is
 * simulated and predicted. The measurements are known before that work is shared out, so none is made twice. */
#include "validate/compare.h"

#include "algos/catalogue.h"
#include "algos/ranks.h"
#include "sim/base/err.h"
#include "sim/base/jobs.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/runner.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct units_list barrier_ranks = {
  .values = (uint64_t[]){2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, .n = 15};
static const struct units_list data_ranks = {.values = (uint64_t[]){2, 4, 8, 16}, .n = 4};
static const struct units_list data_bytes = {
  .values = (uint64_t[]){64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}, .n = 10};
static const struct units_list block_bytes = {
  .values = (uint64_t[]){16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}, .n = 12};
static const struct units_list no_bytes = {.values = (uint64_t[]){0}, .n = 1};

static const struct units_list *
ranks_for(const struct compare_grid *grid, const struct algo_call *call)
{
  if (grid->ranks.n) {
    return &grid->ranks;
  }
  return call->algo->collective == COLL_BARRIER ? &barrier_ranks : &data_ranks;
}

static const struct units_list *
bytes_for(const struct compare_grid *grid, const struct algo_call *call)
{
  if (call->algo->collective == COLL_BARRIER) {
    return &no_bytes;
  }
  if (grid->bytes.n) {
    return &grid->bytes;
  }
  return call->algo->collective == COLL_ALLGATHER ? &block_bytes : &data_bytes;
}

static void
add_point(struct comparison *comparison, const struct compare_point *point)
{
  if (comparison->npoints == comparison->capacity) {
    comparison->capacity = comparison->capacity ? 2 * comparison->capacity : 256;
    comparison->points = xrealloc(comparison->points, comparison->capacity, sizeof *comparison->points);
  }
  comparison->points[comparison->npoints++] = *point;
}

/* Calls of a grid on one machine. */
struct walk {
  const struct compare_grid *grid;
  struct comparison *comparison;
  struct blade *blade;
  struct plogp *plogps; /* one for each profile of the platform */
  size_t nplogps;
  struct rig_spec *specs;
  size_t nspecs;
  struct err *err;
  size_t done, total; /* pieces of work: before those under way, and all */
};

static void
leave_out(const struct compare_grid *grid, const char *why)
{
  if (grid->skipped) {
    grid->skipped(why);
  }
}

static void
describe_call(const void *context, size_t index, char *text, size_t size)
{
  const struct rig_spec *spec = &((const struct walk *)context)->specs[index];
  char name[128];
  catalogue_format(&spec->call, name, sizeof name);
  snprintf(text, size, "%s on %u ranks with %zu bytes", name, spec->nranks, spec->nbytes);
}

static void
progress(void *context, size_t done)
{
  const struct walk *walk = context;
  if (walk->grid->progress) {
    walk->grid->progress(walk->done + done, walk->total);
  }
}

/* --- listing --- */

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

/* List CALL with all ranks and sizes.
 * errors: the platform does not have its profile. */
static int
list_call(struct walk *walk, const struct algo_call *call, struct err *err)
{
  const struct units_list *ranks = ranks_for(walk->grid, call), *bytes = bytes_for(walk->grid, call);
  const struct profile *profile = rig_profile(walk->blade->platform, NULL, catalogue_source(call), err);
  if (!profile) {
    return -1;
  }
  walk->specs = xrealloc(walk->specs, walk->nspecs + ranks->n * bytes->n, sizeof *walk->specs);
  for (size_t i = 0; i < ranks->n; i++) {
    for (size_t j = 0; j < bytes->n; j++) {
      walk->specs[walk->nspecs++] = (struct rig_spec){.call = *call,
                                                      .nranks = (unsigned)ranks->values[i],
                                                      .root = walk->grid->root,
                                                      .nbytes = bytes->values[j],
                                                      .nrepeats = 1,
                                                      .seed = walk->grid->seed,
                                                      .profile = profile};
    }
  }
  return 0;
}

/* List CALL with all numbers that comparisons try for its parameters from P on, if it has a model and a profile. */
static void
list_numbers(struct walk *walk, struct algo_call *call, unsigned p)
{
  const struct coll_param *param = &call->algo->params[p];
  if (p == COLL_PARAMS_MAX || !param->name) {
    struct err without_profile = {""};
    if (predict_is_modelled(call)) {
      list_call(walk, call, &without_profile);
    }
    return;
  }
  if (!param->compared[0]) {
    list_numbers(walk, call, p + 1);
  }
  for (unsigned i = 0; i < COLL_COMPARED_MAX && param->compared[i]; i++) {
    call->values[p] = param->compared[i];
    list_numbers(walk, call, p + 1);
  }
}

/* Let all models predict all calls without measuring anything, which notes the parameters that they need. */
static void
collect_parameters(struct walk *walk)
{
  for (size_t i = 0; i < walk->nplogps; i++) {
    plogp_collect(&walk->plogps[i], true);
  }
  for (size_t i = 0; i < walk->nspecs; i++) {
    for (enum model model = 0; model < MODEL_COUNT; model++) {
      predict(plogp_of(walk, &walk->specs[i]), model, &walk->specs[i]);
    }
  }
  for (size_t i = 0; i < walk->nplogps; i++) {
    plogp_collect(&walk->plogps[i], false);
  }
}

/* List all calls. */
static int
list_all(struct walk *walk)
{
  const struct compare_grid *grid = walk->grid;
  for (size_t i = 0; i < grid->ncalls; i++) {
    if (list_call(walk, &grid->calls[i], walk->err) != 0) {
      return -1;
    }
  }
  for (size_t i = 0; i < catalogue_size && !grid->calls; i++) {
    struct algo_call call = catalogue_call(catalogue[i]);
    list_numbers(walk, &call, 0);
  }
  return 0;
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

/* Compare call INDEX and pack the predictions, why it is left out (else empty), and the simulation. */
static int
compare_call(void *context, size_t index, struct pack *result)
{
  const struct walk *walk = context;
  const struct rig_spec *spec = &walk->specs[index];
  struct err refused = {""};
  bool predicted = predict_all(walk, spec, result);
  if (rig_check(walk->blade, spec, &refused) == 0 && !predicted) {
    char name[128];
    catalogue_format(&spec->call, name, sizeof name);
    err_set(&refused, "%s: no prediction for %u ranks of platform %s with %zu bytes", name, spec->nranks,
            walk->blade->platform->name, spec->nbytes);
  }
  if (des_interrupted()) {
    return -1;
  }
  pack_add_text(result, refused.text);
  return *refused.text ? 0 : simulate(walk->blade, spec, result);
}

/* Add a point for each of the models that have predicted call INDEX, which took CYCLES. */
static void
add_points(const struct walk *walk, size_t index, const struct prediction predicted[MODEL_COUNT],
           double cycles)
{
  const struct rig_spec *spec = &walk->specs[index];
  double ghz = walk->blade->figures.ghz;
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    const struct prediction *p = &predicted[model];
    if (!isnan(p->middle)) {
      add_point(walk->comparison,
                &(struct compare_point){.platform = walk->blade->platform,
                                        .call = spec->call,
                                        .model = model,
                                        .ranks = spec->nranks,
                                        .bytes = spec->nbytes,
                                        .simulated = cycles / ghz,
                                        .predicted = {p->low / ghz, p->middle / ghz, p->high / ghz},
                                        .error = 100 * (p->middle - cycles) / cycles});
    }
  }
}

/* Add the points of call INDEX, if there is a prediction and the call can be served. */
static int
add_call(void *context, size_t index, struct pack *result)
{
  const struct walk *walk = context;
  struct prediction predicted[MODEL_COUNT];
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    predicted[model].low = pack_take_real(result);
    predicted[model].middle = pack_take_real(result);
    predicted[model].high = pack_take_real(result);
  }
  const char *refused = pack_take_text(result);
  if (*refused) {
    leave_out(walk->grid, refused);
    return 0;
  }
  const char *wrong = pack_take_text(result);
  walk->comparison->stopped = pack_take_count(result);
  if (*wrong) {
    char what[256];
    walk->comparison->failed = true;
    describe_call(walk, index, what, sizeof what);
    return err_set(walk->err, "%s: %s", what, wrong);
  }
  add_points(walk, index, predicted, pack_take_real(result));
  return 0;
}

/* --- all of it --- */

/* Do the pieces of work of JOBS.
 * returns: -1 with err set if one went wrong. */
static int
share_out(struct walk *walk, struct jobs *jobs)
{
  jobs->nworkers = walk->grid->njobs;
  jobs->context = walk;
  jobs->progress = progress;
  jobs->interrupted = des_interrupted;
  int status = jobs_run(jobs, walk->err);
  walk->done += jobs->count;
  walk->comparison->failed |= status != 0;
  walk->comparison->interrupted |= des_interrupted();
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
  struct jobs comparing = {
    .count = walk->nspecs, .work = compare_call, .deliver = add_call, .describe = describe_call};
  walk->total = measuring.count + comparing.count;
  int status = share_out(walk, &measuring);
  if (status == 0 && !walk->comparison->interrupted) {
    status = share_out(walk, &comparing);
  }
  return status;
}

/* Bring the points of each model together, without changing their order otherwise. */
static void
sort_by_model(struct comparison *comparison)
{
  struct compare_point *sorted = xcalloc(comparison->capacity, sizeof *sorted);
  size_t n = 0;
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    for (size_t i = 0; i < comparison->npoints; i++) {
      if (comparison->points[i].model == model) {
        sorted[n++] = comparison->points[i];
      }
    }
  }
  free(comparison->points);
  comparison->points = sorted;
}

int
compare_run(struct comparison *comparison, struct blade *blade, const struct compare_grid *grid,
            struct err *err)
{
  const struct platform *platform = blade->platform;
  struct walk walk = {.grid = grid, .comparison = comparison, .blade = blade, .err = err};
  walk.nplogps = platform->nprofiles;
  walk.plogps = xcalloc(walk.nplogps, sizeof *walk.plogps);
  for (size_t i = 0; i < walk.nplogps; i++) {
    plogp_init(&walk.plogps[i], blade, &platform->profiles[i]);
  }
  int status = list_all(&walk);
  if (status == 0) {
    collect_parameters(&walk);
    status = walk_all(&walk);
  }
  for (size_t i = 0; i < walk.nplogps; i++) {
    plogp_fini(&walk.plogps[i]);
  }
  free(walk.plogps);
  free(walk.specs);
  sort_by_model(comparison);
  return status;
}

void
comparison_fini(struct comparison *comparison)
{
  free(comparison->points);
}

struct comparison
compare_of_model(const struct comparison *comparison, enum model model)
{
  struct comparison part = {.points = comparison->points};
  const struct compare_point *end = comparison->points + comparison->npoints;
  while (part.points < end && part.points->model != model) {
    part.points++;
  }
  while (part.points + part.npoints < end && part.points[part.npoints].model == model) {
    part.npoints++;
  }
  return part;
}

struct compare_summary
compare_summarize(const struct comparison *comparison, enum model model, bool powers_of_two)
{
  struct compare_summary summary = {0};
  for (size_t i = 0; i < comparison->npoints; i++) {
    const struct compare_point *point = &comparison->points[i];
    if (point->model == model && (!powers_of_two || ranks_is_power(point->ranks))) {
      summary.npoints++;
      summary.within_5 += fabs(point->error) <= 5;
      summary.within_10 += fabs(point->error) <= 10;
      summary.within_15 += fabs(point->error) <= 15;
      summary.most = fmax(summary.most, fabs(point->error));
    }
  }
  return summary;
}

static void
format_summary(const struct compare_summary *summary, const char *what, char line[COMPARE_SUMMARY_SIZE])
{
  double n = (double)summary->npoints;
  line[0] = '\0';
  if (summary->npoints) {
    snprintf(line, COMPARE_SUMMARY_SIZE,
             "%s: %zu points: %zu (%.1f %%) within 10 %%, %zu (%.1f %%) within 15 %%", what, summary->npoints,
             summary->within_10, 100 * (double)summary->within_10 / n, summary->within_15,
             100 * (double)summary->within_15 / n);
  }
}

void
compare_summary_lines(const struct comparison *comparison,
                      char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE])
{
  struct compare_summary powers = compare_summarize(comparison, MODEL_PUBLISHED, true);
  format_summary(&powers, "on a power of two ranks", lines[0]);
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    struct compare_summary all = compare_summarize(comparison, model, false);
    format_summary(&all, predict_model_name(model), lines[1 + model]);
  }
}
