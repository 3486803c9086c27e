/* SPDX-License-Identifier: BSD-3-Clause
 * See compare.h.
 *
 * The grid of the paper: barriers on 2 to 16 ranks; collectives with data on 2, 4, 8 and 16 ranks and 64 bytes to 32 KiB,
 * doubling. */
#include "validate/compare.h"

#include "algos/catalogue.h"
#include "algos/ranks.h"
#include "sim/base/err.h"
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
  return grid->bytes.n ? &grid->bytes : &data_bytes;
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

/* Calls of a grid, one after the other. */
struct walk {
  const struct compare_grid *grid;
  struct plogp *plogp;
  size_t done, total;
};

static void
leave_out(const struct compare_grid *grid, const char *why)
{
  if (grid->skipped) {
    grid->skipped(why);
  }
}

/* Simulate and predict one call and add the point, if there is a prediction and the call can be served. */
static int
compare_one(struct comparison *comparison, const struct walk *walk, struct rig_spec *spec, struct err *err)
{
  const struct compare_grid *grid = walk->grid;
  struct plogp *plogp = walk->plogp;
  struct outcome outcome;
  struct err refused = {""};
  char name[128];
  catalogue_format(&spec->call, name, sizeof name);
  if (rig_check(plogp->blade, spec, &refused) != 0) {
    leave_out(grid, refused.text);
    return 0;
  }
  struct prediction predicted = predict_published(plogp, &spec->call, spec->nranks, spec->nbytes);
  if (isnan(predicted.middle) && !des_interrupted()) {
    err_set(&refused, "%s: no published prediction for %u ranks of platform %s", name, spec->nranks,
            plogp->blade->platform->name);
    leave_out(grid, refused.text);
    return 0;
  }
  runner_run(plogp->blade, spec, &outcome, &refused);
  if (outcome.interrupted) {
    comparison->interrupted = true;
    outcome_fini(&outcome);
    return 0;
  }
  if (!outcome.verified) {
    comparison->failed = true;
    comparison->stopped = outcome.stopped;
    err_set(err, "%s on %u ranks with %zu bytes: %s", name, spec->nranks, spec->nbytes, outcome.detail);
    outcome_fini(&outcome);
    return -1;
  }
  double ghz = plogp->blade->figures.ghz;
  struct compare_point point = {
    .platform = plogp->blade->platform,
    .call = spec->call,
    .ranks = spec->nranks,
    .bytes = spec->nbytes,
    .simulated = outcome.cycles / ghz,
    .predicted = {predicted.low / ghz, predicted.middle / ghz, predicted.high / ghz},
    .error = 100 * (predicted.middle - outcome.cycles) / outcome.cycles,
  };
  add_point(comparison, &point);
  outcome_fini(&outcome);
  return 0;
}

static int
compare_call(struct comparison *comparison, struct walk *walk, const struct algo_call *call, struct err *err)
{
  const struct units_list *ranks = ranks_for(walk->grid, call), *bytes = bytes_for(walk->grid, call);
  for (size_t i = 0; i < ranks->n; i++) {
    for (size_t j = 0; j < bytes->n && !comparison->interrupted; j++) {
      struct rig_spec spec = {.call = *call,
                              .nranks = (unsigned)ranks->values[i],
                              .root = walk->grid->root,
                              .nbytes = bytes->values[j],
                              .nrepeats = 1,
                              .seed = walk->grid->seed,
                              .profile = walk->plogp->profile};
      if (compare_one(comparison, walk, &spec, err) != 0) {
        return -1;
      }
      walk->done++;
      if (walk->grid->progress) {
        walk->grid->progress(walk->done, walk->total);
      }
    }
  }
  return 0;
}

int
compare_run(struct comparison *comparison, struct blade *blade, const struct compare_grid *grid,
            struct err *err)
{
  struct plogp plogp;
  struct walk walk = {.grid = grid, .plogp = &plogp};
  const struct profile *profile = rig_profile(blade->platform, NULL, "ali2010", err);
  size_t ncalls = grid->calls ? grid->ncalls : catalogue_size;
  int status = profile ? 0 : -1;
  plogp_init(&plogp, blade, profile);
  for (size_t i = 0; i < ncalls; i++) {
    struct algo_call call = grid->calls ? grid->calls[i] : catalogue_call(catalogue[i]);
    walk.total += ranks_for(grid, &call)->n * bytes_for(grid, &call)->n;
  }
  for (size_t i = 0; i < ncalls && status == 0 && !comparison->interrupted; i++) {
    struct algo_call call = grid->calls ? grid->calls[i] : catalogue_call(catalogue[i]);
    status = compare_call(comparison, &walk, &call, err);
  }
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
