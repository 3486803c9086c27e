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
  struct plogp *plogp;
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

static void
list_call(struct walk *walk, const struct algo_call *call)
{
  const struct units_list *ranks = ranks_for(walk->grid, call), *bytes = bytes_for(walk->grid, call);
  walk->specs = xrealloc(walk->specs, walk->nspecs + ranks->n * bytes->n, sizeof *walk->specs);
  for (size_t i = 0; i < ranks->n; i++) {
    for (size_t j = 0; j < bytes->n; j++) {
      walk->specs[walk->nspecs++] = (struct rig_spec){.call = *call,
                                                      .nranks = (unsigned)ranks->values[i],
                                                      .root = walk->grid->root,
                                                      .nbytes = bytes->values[j],
                                                      .nrepeats = 1,
                                                      .seed = walk->grid->seed,
                                                      .profile = walk->plogp->profile};
    }
  }
}

/* List CALL with all numbers that comparisons try for its parameters from P on. */
static void
list_numbers(struct walk *walk, struct algo_call *call, unsigned p)
{
  const struct coll_param *param = &call->algo->params[p];
  if (p == COLL_PARAMS_MAX || !param->name) {
    list_call(walk, call);
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

/* List all calls, and the parameters that their predictions need. */
static void
list_all(struct walk *walk)
{
  const struct compare_grid *grid = walk->grid;
  struct err refused = {""};
  for (size_t i = 0; i < grid->ncalls; i++) {
    list_call(walk, &grid->calls[i]);
  }
  for (size_t i = 0; i < catalogue_size && !grid->calls; i++) {
    struct algo_call call = catalogue_call(catalogue[i]);
    list_numbers(walk, &call, 0);
  }
  plogp_collect(walk->plogp, true);
  for (size_t i = 0; i < walk->nspecs; i++) {
    const struct rig_spec *spec = &walk->specs[i];
    if (rig_check(walk->plogp->blade, spec, &refused) == 0) {
      predict_published(walk->plogp, &spec->call, spec->nranks, spec->nbytes);
    }
  }
  plogp_collect(walk->plogp, false);
}

/* --- measuring the parameters --- */

static int
measure(void *context, size_t index, struct pack *result)
{
  const struct walk *walk = context;
  pack_add_real(result, plogp_measure(walk->plogp, index));
  return des_interrupted() ? -1 : 0;
}

static int
learn(void *context, size_t index, struct pack *result)
{
  const struct walk *walk = context;
  plogp_learn(walk->plogp, index, pack_take_real(result));
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

/* Compare call INDEX and pack why it is left out (else empty), and the point. */
static int
compare_call(void *context, size_t index, struct pack *result)
{
  const struct walk *walk = context;
  const struct rig_spec *spec = &walk->specs[index];
  struct blade *blade = walk->plogp->blade;
  struct prediction predicted = {NAN, NAN, NAN};
  struct err refused = {""};
  if (rig_check(blade, spec, &refused) == 0) {
    predicted = predict_published(walk->plogp, &spec->call, spec->nranks, spec->nbytes);
    if (isnan(predicted.middle)) {
      char name[128];
      catalogue_format(&spec->call, name, sizeof name);
      err_set(&refused, "%s: no published prediction for %u ranks of platform %s", name, spec->nranks,
              blade->platform->name);
    }
  }
  if (des_interrupted()) {
    return -1;
  }
  pack_add_text(result, refused.text);
  pack_add_real(result, predicted.low);
  pack_add_real(result, predicted.middle);
  pack_add_real(result, predicted.high);
  return *refused.text ? 0 : simulate(blade, spec, result);
}

/* Add the point of call INDEX, if there is a prediction and the call can be served. */
static int
add_call(void *context, size_t index, struct pack *result)
{
  const struct walk *walk = context;
  const struct rig_spec *spec = &walk->specs[index];
  double ghz = walk->plogp->blade->figures.ghz;
  char what[256];
  struct compare_point point = {.platform = walk->plogp->blade->platform,
                                .call = spec->call,
                                .ranks = spec->nranks,
                                .bytes = spec->nbytes};
  const char *refused = pack_take_text(result);
  if (*refused) {
    leave_out(walk->grid, refused);
    return 0;
  }
  double low = pack_take_real(result), middle = pack_take_real(result), high = pack_take_real(result);
  const char *wrong = pack_take_text(result);
  walk->comparison->stopped = pack_take_count(result);
  if (*wrong) {
    walk->comparison->failed = true;
    describe_call(walk, index, what, sizeof what);
    return err_set(walk->err, "%s: %s", what, wrong);
  }
  double cycles = pack_take_real(result);
  point.simulated = cycles / ghz;
  point.predicted = (struct prediction){low / ghz, middle / ghz, high / ghz};
  point.error = 100 * (middle - cycles) / cycles;
  add_point(walk->comparison, &point);
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
  struct jobs measuring = {
    .count = walk->plogp->nvalues, .work = measure, .deliver = learn, .describe = describe_parameter};
  struct jobs comparing = {
    .count = walk->nspecs, .work = compare_call, .deliver = add_call, .describe = describe_call};
  walk->total = measuring.count + comparing.count;
  int status = share_out(walk, &measuring);
  if (status == 0 && !walk->comparison->interrupted) {
    status = share_out(walk, &comparing);
  }
  return status;
}

int
compare_run(struct comparison *comparison, struct blade *blade, const struct compare_grid *grid,
            struct err *err)
{
  struct plogp plogp;
  struct walk walk = {.grid = grid, .comparison = comparison, .plogp = &plogp, .err = err};
  const struct profile *profile = rig_profile(blade->platform, NULL, "ali2010", err);
  if (!profile) {
    return -1;
  }
  plogp_init(&plogp, blade, profile);
  list_all(&walk);
  int status = walk_all(&walk);
  free(walk.specs);
  plogp_fini(&plogp);
  return status;
}

void
comparison_fini(struct comparison *comparison)
{
  free(comparison->points);
}

struct compare_summary
compare_summarize(const struct comparison *comparison, bool powers_of_two)
{
  struct compare_summary summary = {0};
  for (size_t i = 0; i < comparison->npoints; i++) {
    const struct compare_point *point = &comparison->points[i];
    if (!powers_of_two || ranks_is_power(point->ranks)) {
      summary.npoints++;
      summary.within_10 += fabs(point->error) <= 10;
      summary.within_15 += fabs(point->error) <= 15;
    }
  }
  return summary;
}

static void
format_summary(const struct compare_summary *summary, const char *what, char line[COMPARE_SUMMARY_SIZE])
{
  double n = summary->npoints ? (double)summary->npoints : 1;
  snprintf(line, COMPARE_SUMMARY_SIZE,
           "%s: %zu points: %zu (%.1f %%) within 10 %%, %zu (%.1f %%) within 15 %%", what, summary->npoints,
           summary->within_10, 100 * (double)summary->within_10 / n, summary->within_15,
           100 * (double)summary->within_15 / n);
}

void
compare_summary_lines(const struct comparison *comparison,
                      char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE])
{
  struct compare_summary powers = compare_summarize(comparison, true);
  struct compare_summary all = compare_summarize(comparison, false);
  format_summary(&powers, "on a power of two ranks", lines[0]);
  format_summary(&all, "published", lines[1]);
}
