/* SPDX-License-Identifier: BSD-3-Clause
 * See curves.h. Points of the comparison and published ones come first; all others are listed, then
 * simulated. */
#include "validate/report/curves.h"

#include "algos/catalogue.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/ledger_call.h"
#include "validate/lab/usual_ranks.h"
#include "validate/model/compare.h"
#include "validate/papers/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BYTES = 64, MOST_BYTES = 32768, MOST_IN_MEMORY = 1048576 };

/* A point to be simulated. */
struct task {
  size_t curve;
  unsigned ranks;
  size_t bytes;
};

/* Curves on their way. */
struct walk {
  struct curves *curves;
  struct blade *blade;
  const struct curves_from *from;
  struct task *tasks;
  size_t ntasks;
};

/* --- curves and points --- */

static bool same_call(const struct algo_call *a, const struct algo_call *b) {
  return a->algo == b->algo && memcmp(a->values, b->values, sizeof a->values) == 0;
}

/* Return the profile that CALL runs with by itself; NULL: none. */
static const struct profile *usual_profile(const struct walk *walk, const struct algo_call *call) {
  struct err without = {""};
  return rig_profile(blade_platform(walk->blade), NULL, catalogue_source(call), &without);
}

/* Return the number of the curve of CALL under PROFILE, which is made if there is none. */
static size_t curve_of(struct walk *walk, const struct algo_call *call, const struct profile *profile) {
  struct curves *curves = walk->curves;
  for (size_t i = 0; i < curves->n; i++) {
    if (curves->items[i].profile == profile && same_call(&curves->items[i].call, call)) {
      return i;
    }
  }
  curves->items = xrealloc(curves->items, curves->n + 1, sizeof *curves->items);
  struct curve *curve = &curves->items[curves->n];
  *curve = (struct curve){.call = *call, .profile = profile, .usual = profile == usual_profile(walk, call)};
  catalogue_format(call, curve->name, sizeof curve->name);
  while (catalogue[curve->rank] != call->algo) {
    curve->rank++;
  }
  return curves->n++;
}

/* Return the point of CURVE for RANKS and BYTES, which is made if there is none. */
static struct curve_point *point_of(struct curve *curve, unsigned ranks, size_t bytes) {
  for (size_t i = 0; i < curve->npoints; i++) {
    if (curve->points[i].ranks == ranks && curve->points[i].bytes == bytes) {
      return &curve->points[i];
    }
  }
  curve->points = xrealloc(curve->points, curve->npoints + 1, sizeof *curve->points);
  struct curve_point *point = &curve->points[curve->npoints++];
  *point =
    (struct curve_point){.ranks = ranks, .bytes = bytes, .simulated = NAN, .measured = NAN, .looped = NAN};
  for (enum model model = 0; model < MODEL_COUNT; model++) {
    point->predicted[model] = predict_none(NULL);
  }
  return point;
}

/* --- what is there --- */

static void take_comparison(struct walk *walk) {
  const struct comparison *comparison = walk->from->comparison;
  for (size_t i = 0; i < comparison->npoints; i++) {
    const struct compare_point *from = &comparison->points[i];
    size_t curve = curve_of(walk, &from->call, usual_profile(walk, &from->call));
    struct curve_point *point = point_of(&walk->curves->items[curve], from->ranks, from->bytes);
    point->simulated = from->simulated;
    point->predicted[from->model] = from->predicted;
  }
}

static void take_published(struct walk *walk) {
  for (size_t i = 0; i < walk->from->npublished; i++) {
    const struct published_row *row = &walk->from->published[i];
    struct err none = {""};
    struct algo_call call;
    if (row->algorithm && catalogue_find(row->algorithm, &call, &none) == 0) {
      const struct profile *profile = rig_profile(blade_platform(walk->blade), row->profile, NULL, &none);
      size_t curve = curve_of(walk, &call, profile);
      struct curve_point *point = point_of(&walk->curves->items[curve], row->ranks, row->bytes);
      point->measured = row->published_ns;
      point->looped = row->simulated_ns;
    }
  }
}

/* --- what is missing --- */

static struct rig_spec spec_of(const struct walk *walk, const struct task *task) {
  const struct curve *curve = &walk->curves->items[task->curve];
  return (struct rig_spec){.call = curve->call,
                           .nranks = task->ranks,
                           .nbytes = task->bytes,
                           .root = usual_root(curve->call.algo->collective, walk->from->root),
                           .nrepeats = 1,
                           .seed = walk->from->seed,
                           .skew_seed = walk->from->seed,
                           .profile = curve->profile};
}

/* List a point, if the machine can serve it. */
static void list_point(struct walk *walk, const struct task *task) {
  struct rig_spec spec = spec_of(walk, task);
  if (rig_check(walk->blade, &spec, NULL) == 0) {
    walk->tasks = xrealloc(walk->tasks, walk->ntasks + 1, sizeof *walk->tasks);
    walk->tasks[walk->ntasks++] = *task;
  }
}

/* List the points of curve number INDEX. */
static void list_curve(struct walk *walk, size_t index) {
  const struct blade *blade = walk->blade;
  const unsigned chip = blade_spes_per_chip(blade), all = blade_nspes(blade);
  const struct algo *algo = walk->curves->items[index].call.algo;
  bool rooted = algo->collective == COLL_BCAST || algo->collective == COLL_REDUCE;
  size_t most = algo->in_memory && rooted ? MOST_IN_MEMORY : MOST_BYTES;
  if (algo->collective == COLL_BARRIER) {
    uint64_t ranks[USUAL_RANKS_MAX];
    size_t n = usual_ranks(all, true, ranks);
    for (size_t i = 0; i < n; i++) {
      list_point(walk, &(struct task){index, (unsigned)ranks[i], 0});
    }
    return;
  }
  for (unsigned ranks = chip; ranks != 0; ranks = ranks < all ? all : 0) {
    for (size_t bytes = LEAST_BYTES; bytes <= most; bytes *= 2) {
      list_point(walk, &(struct task){index, ranks, bytes});
    }
  }
}

/* List the points of curve number INDEX that so far have only been measured. */
static void list_measured(struct walk *walk, size_t index) {
  const struct curve *curve = &walk->curves->items[index];
  for (size_t i = 0; i < curve->npoints; i++) {
    if (isnan(curve->points[i].simulated)) {
      list_point(walk, &(struct task){index, curve->points[i].ranks, curve->points[i].bytes});
    }
  }
}

/* List what the comparison has not simulated: algorithms without a model, and points of published
 * measurements. */
static void list_missing(struct walk *walk) {
  for (size_t i = 0; i < catalogue_size; i++) {
    struct algo_call call = catalogue_call(catalogue[i]);
    const struct profile *profile = usual_profile(walk, &call);
    if (profile) {
      curve_of(walk, &call, profile);
    }
  }
  for (size_t i = 0; i < walk->curves->n; i++) {
    const struct curve *curve = &walk->curves->items[i];
    if (curve->npoints == 0 || isnan(curve->points->simulated)) {
      list_curve(walk, i);
    } else {
      list_measured(walk, i);
    }
  }
}

static void ask(void *context) {
  const struct walk *walk = context;
  for (size_t i = 0; i < walk->ntasks; i++) {
    struct rig_spec spec = spec_of(walk, &walk->tasks[i]);
    struct call_result result;
    ledger_call(walk->from->ledger, &(struct call_point){.blade = walk->blade, .spec = spec}, &result);
  }
}

/* Add TASK to its curve, if it was finished and did its work. */
static void take(struct walk *walk, const struct task *task) {
  struct rig_spec spec = spec_of(walk, task);
  struct curve *curve = &walk->curves->items[task->curve];
  struct call_result result;
  if (!ledger_call(walk->from->ledger, &(struct call_point){.blade = walk->blade, .spec = spec}, &result)) {
    return;
  }
  if (result.end == CALL_OK) {
    point_of(curve, task->ranks, task->bytes)->simulated = result.cycles / result.ghz;
  }
}

/* --- all of it --- */

/* Order curves by collective, profile, algorithm and parameters. */
static int compare_curves(const void *a, const void *b) {
  const struct curve *x = a, *y = b;
  if (x->call.algo->collective != y->call.algo->collective) {
    return x->call.algo->collective < y->call.algo->collective ? -1 : 1;
  }
  if (x->profile != y->profile) {
    return strcmp(x->profile->name, y->profile->name);
  }
  if (x->rank != y->rank) {
    return x->rank < y->rank ? -1 : 1;
  }
  return memcmp(x->call.values, y->call.values, sizeof x->call.values);
}

static int compare_points(const void *a, const void *b) {
  const struct curve_point *x = a, *y = b;
  if (x->ranks != y->ranks) {
    return x->ranks < y->ranks ? -1 : 1;
  }
  return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static void sort(struct curves *curves) {
  qsort(curves->items, curves->n, sizeof *curves->items, compare_curves);
  for (size_t i = 0; i < curves->n; i++) {
    if (curves->items[i].npoints) {
      qsort(curves->items[i].points, curves->items[i].npoints, sizeof *curves->items[i].points,
            compare_points);
    }
  }
}

int curves_run(struct curves *curves, struct blade *blade, const struct curves_from *from, struct err *err) {
  struct walk walk = {.curves = curves, .blade = blade, .from = from};
  take_comparison(&walk);
  take_published(&walk);
  list_missing(&walk);
  int status = ledger_settle(from->ledger, &(struct ledger_round){ask, &walk}, err);
  for (size_t i = 0; i < walk.ntasks && status == 0; i++) {
    take(&walk, &walk.tasks[i]);
  }
  free(walk.tasks);
  sort(curves);
  return status;
}

void curves_fini(struct curves *curves) {
  for (size_t i = 0; i < curves->n; i++) {
    free(curves->items[i].points);
  }
  free(curves->items);
}
