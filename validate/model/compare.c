/* SPDX-License-Identifier: BSD-3-Clause
 * The grid of the paper: barriers on 2 to 16 ranks; collectives with data on 2, 4, 8 and 16 ranks and 64
 * bytes to 32 KiB, doubling, all-gathers from blocks of 16 bytes on; for parameters of algorithms all words,
 * and the numbers listed for comparisons. The numbers of ranks follow the number of SPEs of the machine;
 * calls on several nodes have all ranks of 2, 3 and 4 nodes. */
#include "validate/model/compare.h"

#include "algos/catalogue.h"
#include "algos/step/needs.h"
#include "algos/step/ranks.h"
#include "platform/platform.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/call/placement.h"
#include "validate/lab/call/usual_ranks.h"
#include "validate/model/evaluation.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct units_list block_bytes = {
  .values = (uint64_t[]){16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}, .n = 12};

/* Calls of a grid on one machine. */
struct walk {
  const struct compare_grid *grid;
  struct comparison *comparison;
  struct machine *machine;
  const struct platform *platform; /* of the machine */
  struct points points;
  struct err *err;
};

/* --- listing --- */

/* Return the numbers of ranks for ALGORITHM: the numbers of the grid, otherwise usual numbers, stored in
 * OWN. */
static struct units_list ranks_for(const struct walk *walk, const struct algorithm *algorithm,
                                   uint64_t own[USUAL_RANKS_MAX]) {
  bool every = algorithm->algo->collective == COLL_BARRIER;
  unsigned nspes = usual_ranks_most(walk->platform), nodes = placement_machine_nodes(walk->platform);
  if (walk->grid->ranks.n) {
    return walk->grid->ranks;
  }
  if (algorithm->algo->ranks) {
    own[0] = algorithm->algo->ranks;
    return (struct units_list){.values = own, .n = 1};
  }
  size_t n =
    algorithm->algo->spans_nodes ? usual_ranks_of_nodes(nspes, nodes, own) : usual_ranks(nspes, every, own);
  return (struct units_list){.values = own, .n = n};
}

/* List ALGORITHM with all ranks and sizes.
 * errors: the platform does not have the profile of ALGORITHM. */
static int list_call(struct walk *walk, const struct algorithm *algorithm, struct err *err) {
  uint64_t own[USUAL_RANKS_MAX];
  struct units_list ranks = ranks_for(walk, algorithm, own);
  enum collective collective = algorithm->algo->collective;
  const struct units_list *bytes =
    usual_sizes(collective, &walk->grid->bytes, collective == COLL_ALLGATHER ? &block_bytes : &usual_bytes);
  const struct profile *profile = rig_profile(walk->platform, NULL, catalogue_source(algorithm), err);
  if (!profile) {
    return -1;
  }
  const struct point point = {.machine = walk->machine,
                              .call = {.algorithm = *algorithm,
                                       .root = usual_root(collective, walk->grid->root),
                                       .repeat = 1,
                                       .seed = walk->grid->seed,
                                       .skew_seed = walk->grid->seed,
                                       .profile = profile}};
  points_add_grid(&walk->points, &point, &ranks, bytes);
  return 0;
}

/* List the calls named in the grid; otherwise the variants of all algorithms that run on the machine's kind
 * of ranks (SPEs or hosts) and number of nodes. A variant without a profile is left out. */
static int list_all(struct walk *walk) {
  const struct compare_grid *grid = walk->grid;
  enum coll_need others = platform_has_spes(walk->platform) ? NEED_HOSTS : NEED_SPES;
  bool several = placement_machine_nodes(walk->platform) > 1;
  for (size_t i = 0; i < grid->ncalls; i++) {
    if (list_call(walk, &grid->calls[i], walk->err) != 0) {
      return -1;
    }
  }
  for (size_t i = 0; i < catalogue_size && !grid->calls; i++) {
    if (!(needs_of_algo(catalogue[i]) & others) && (several || !catalogue[i]->spans_nodes)) {
      SCOPED struct algorithm *calls = NULL;
      size_t n = evaluation_variants(catalogue[i], 0, &calls);
      VEC_EACH(call, calls, n) {
        list_call(walk, call, NULL);
      }
    }
  }
  return 0;
}

/* --- results --- */

/* Return the error of MODEL in TRIAL in percent; 0 if prediction and simulation are equal (both may be 0);
 * NaN: no prediction. */
static double error_of(const struct evaluation *evaluation, enum model model) {
  double difference = evaluation->predicted[model].middle - evaluation->cycles;
  return difference == 0 ? 0 : 100 * difference / evaluation->cycles;
}

/* Ask for the parameters that name the causes of the errors in TRIAL. */
static void explain(const struct evaluation *evaluation) {
  struct causes causes = {.evaluation = evaluation};
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    if (fabs(error_of(evaluation, model)) > COMPARE_EXPLAINED) {
      cause_find(&causes, model);
    }
  }
}

/* Add a point for each model with a prediction of TRIAL, or with a reason for no prediction; there is room
 * for a point of every model. */
static void add_points(const struct walk *walk, const struct evaluation *evaluation) {
  const struct call *call = evaluation->call;
  struct causes causes = {.evaluation = evaluation};
  double ghz = walk->platform->clock.spu;
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    const struct prediction *p = &evaluation->predicted[model];
    bool unpredicted = p->unmeasured || p->nothing;
    if (!isnan(p->middle) || unpredicted) {
      struct compare_point point = {.platform = walk->platform,
                                    .algorithm = call->algorithm,
                                    .model = model,
                                    .ranks = call->nranks,
                                    .bytes = call->nbytes,
                                    .end = unpredicted && evaluation->end == CALL_OK ? CALL_UNPREDICTED
                                                                                     : evaluation->end,
                                    .simulated = evaluation->cycles / ghz,
                                    .predicted = {p->low / ghz, p->middle / ghz, p->high / ghz},
                                    .error = error_of(evaluation, model),
                                    .cause = ""};
      if (p->nothing) {
        point.cause = text_keep(p->nothing);
      } else if (fabs(point.error) > COMPARE_EXPLAINED && !walk->grid->unrefined) {
        point.cause = text_keep(cause_find(&causes, model));
      }
      walk->comparison->points[walk->comparison->npoints++] = point;
    }
  }
}

/* Add the points of call INDEX, if the call was simulated. */
static void take(void *context, size_t index, const struct evaluation *evaluation) {
  const struct walk *walk = context;
  (void)index;
  if (!evaluation->refused) {
    add_points(walk, evaluation);
  } else if (walk->grid->skipped) {
    walk->grid->skipped(evaluation->call->algorithm.algo, evaluation->refused);
  }
  if (evaluation->wrong && walk->grid->wrong) {
    walk->grid->wrong(evaluation->wrong);
  }
}

/* --- the comparison --- */

static int by_model(const void *a, const void *b) {
  const struct compare_point *left = a, *right = b;
  return left->model != right->model ? (int)left->model - (int)right->model
                                     : (left->number > right->number) - (left->number < right->number);
}

int compare_run(struct comparison *comparison, struct machine *machine, const struct compare_grid *grid,
                struct err *err) {
  struct walk walk = {.grid = grid,
                      .comparison = comparison,
                      .machine = machine,
                      .platform = machine_platform(machine),
                      .err = err};
  int status = list_all(&walk);
  if (status == 0) {
    size_t most = comparison->npoints + walk.points.n * MODEL_COUNT;
    comparison->points = xrealloc(comparison->points, most, sizeof *comparison->points);
    struct evaluations evaluations = {.ledger = grid->ledger,
                                      .machine = machine,
                                      .points = &walk.points,
                                      .unrefined = grid->unrefined,
                                      .explain = grid->unrefined ? NULL : explain,
                                      .take = take,
                                      .complain = grid->wrong,
                                      .context = &walk};
    status = evaluations_run(&evaluations, err);
    comparison->interrupted |= evaluations.interrupted;
  }
  free(walk.points.items);
  for (unsigned i = 0; i < comparison->npoints; i++) {
    comparison->points[i].number = i; /* within a model the order stays */
  }
  qsort(comparison->points, comparison->npoints, sizeof *comparison->points, by_model);
  return status;
}

void comparison_fini(struct comparison *comparison) {
  free(comparison->points);
}

struct comparison compare_of_model(const struct comparison *comparison, enum model model) {
  size_t first = VEC_INDEX(comparison->points, comparison->npoints, item->model == model);
  struct compare_point *points = comparison->points + first;
  return (struct comparison){.points = points,
                             .npoints = VEC_INDEX(points, comparison->npoints - first, item->model != model)};
}

struct compare_summary compare_summarize(const struct comparison *comparison, enum model model,
                                         bool powers_of_two) {
  struct compare_summary summary = {0};
  VEC_EACH(point, comparison->points, comparison->npoints) {
    if (point->model == model && point->end == CALL_OK && (!powers_of_two || ranks_is_power(point->ranks))) {
      summary.npoints++;
      summary.within_5 += fabs(point->error) <= 5;
      summary.within_10 += fabs(point->error) <= 10;
      summary.within_15 += fabs(point->error) <= 15;
      summary.unexplained += strcmp(point->cause, CAUSE_NONE) == 0;
      summary.most = fmax(summary.most, fabs(point->error));
    }
  }
  return summary;
}

double compare_correlation(const struct comparison *part) {
  enum { STRIDE = sizeof *part->points / sizeof(double) };
  return part->npoints ? gsl_stats_correlation(&part->points->predicted.middle, STRIDE,
                                               &part->points->simulated, STRIDE, part->npoints)
                       : NAN;
}

double compare_difference(const struct comparison *part, const struct comparison *published) {
  double most = NAN;
  VEC_EACH(point, part->points, part->npoints) {
    const struct compare_point *other =
      VEC_FIND(published->points, published->npoints,
               item->algorithm.algo == point->algorithm.algo && item->ranks == point->ranks &&
                 item->bytes == point->bytes);
    if (other && point->predicted.middle != other->predicted.middle) {
      most = fmax(most, fabs(point->error));
    }
  }
  return most;
}

size_t compare_beyond(const struct comparison *comparison, enum model model, double tolerance) {
  size_t n = 0;
  VEC_EACH(point, comparison->points, comparison->npoints) {
    n += point->model == model && fabs(point->error) > tolerance;
  }
  return n;
}

static void format_summary(const struct compare_summary *summary, const char *what,
                           char line[COMPARE_SUMMARY_SIZE]) {
  double n = (double)summary->npoints;
  line[0] = '\0';
  if (summary->npoints) {
    snprintf(line, COMPARE_SUMMARY_SIZE,
             "%s: %zu point%s: %zu (%.1f %%) within 10 %%, %zu (%.1f %%) within 15 %%", what,
             summary->npoints, text_plural(summary->npoints), summary->within_10,
             100 * (double)summary->within_10 / n, summary->within_15, 100 * (double)summary->within_15 / n);
  }
}

void compare_summary_lines(const struct comparison *comparison,
                           char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE]) {
  struct compare_summary powers = compare_summarize(comparison, MODEL_PUBLISHED, true);
  format_summary(&powers, "on a power of two ranks", lines[0]);
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    struct compare_summary all = compare_summarize(comparison, model, false);
    format_summary(&all, predict_model_name(model), lines[1 + model]);
  }
}
