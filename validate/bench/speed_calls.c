/* SPDX-License-Identifier: BSD-3-Clause
 * See speed_calls.h. */
#include "validate/bench/speed_calls.h"

#include "algos/catalogue.h"
#include "algos/step/collective.h"
#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/seconds.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/bench/bench.h"
#include "validate/lab/check.h"
#include "validate/lab/rig.h"
#include "validate/lab/runner.h"
#include "validate/model/predict.h"

#include <assert.h>
#include <stdlib.h>

/* Least processor time for repetitions, in seconds. */
static const double long_enough = 0.2;

enum { MOST_RANKS = 16, BYTES = 1024 };

void speed_measure(struct bench_run *run, const struct speed *speed) {
  double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID), times = 0, seconds;
  do {
    times += speed->work(speed->context);
    seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
  } while (seconds < long_enough && !des_interrupted());
  bench_report(run, (struct bench_row){.parameter = speed->parameter,
                                       .ranks = speed->ranks,
                                       .bytes = (size_t)speed->nbytes,
                                       .value = times / seconds,
                                       .unit = speed->unit});
}

/* --- calls, points and predictions --- */

/* One call of each algorithm with data in local stores. */
struct calls {
  struct blade *blade;
  struct rig_spec *specs;
  size_t n;
  unsigned nranks; /* ranks of each call */
  struct check check;
  struct plogp plogp;
};

/* Add a call of ALGO, an algorithm of the catalogue, to CALLS if the machine can serve the call with data in
 * local stores. */
static void add_call(struct calls *calls, const struct algo *algo) {
  struct err ignored = {""};
  struct rig_spec spec = {
    .call = catalogue_call(algo), .nranks = calls->nranks, .nbytes = BYTES, .nrepeats = 1, .seed = 1};
  spec.profile = rig_profile(blade_platform(calls->blade), NULL, catalogue_source(&spec.call), &ignored);
  if (spec.profile && collective_has_data(algo->collective) && !algo->in_memory &&
      rig_check(calls->blade, &spec, NULL) == 0) {
    calls->specs[calls->n++] = spec;
  }
}

static double make_calls(void *context) {
  const struct calls *calls = context;
  for (size_t i = 0; i < calls->n; i++) {
    struct outcome outcome;
    struct err err = {""};
    int status = runner_run(calls->blade, &calls->specs[i], &outcome, &err);
    assert(status == 0 && (outcome.end == CALL_OK || outcome.interrupted));
    (void)status;
    outcome_fini(&outcome);
  }
  return (double)calls->n;
}

static double check_points(void *context) {
  struct calls *calls = context;
  for (size_t i = 0; i < calls->n; i++) {
    struct check_result result = check_run(&calls->check, &calls->specs[i]);
    assert(result.verdict == CHECK_PASS || result.verdict == CHECK_NOT_FINISHED);
    check_result_fini(&result);
  }
  return (double)calls->n;
}

static double make_predictions(void *context) {
  struct calls *calls = context;
  for (size_t i = 0; i < calls->n; i++) {
    predict_spec(&calls->plogp, MODEL_REFINED, &calls->specs[i]);
  }
  return (double)calls->n;
}

void speed_of_calls(struct bench_run *run) {
  unsigned nspes = blade_nspes(run->blade);
  struct calls calls = {.blade = run->blade, .nranks = nspes < MOST_RANKS ? nspes : MOST_RANKS};
  struct speed speed = {.ranks = calls.nranks, .nbytes = BYTES, .context = &calls};
  calls.specs = xcalloc(catalogue_size, sizeof *calls.specs);
  for (size_t i = 0; i < catalogue_size; i++) {
    add_call(&calls, catalogue[i]);
  }
  speed.parameter = "collectives", speed.unit = "calls/s", speed.work = make_calls;
  speed_measure(run, &speed);
  check_open(&calls.check, run->blade);
  speed.parameter = "checks", speed.unit = "points/s", speed.work = check_points;
  speed_measure(run, &speed);
  check_close(&calls.check);
  plogp_init(&calls.plogp, run->blade, run->profile);
  make_predictions(&calls); /* the values of the model are measured once */
  speed.parameter = "predictions", speed.unit = "predictions/s", speed.work = make_predictions;
  speed_measure(run, &speed);
  plogp_fini(&calls.plogp);
  free(calls.specs);
}

/* --- barriers on large machines --- */

/* A machine derived from a built-in one, and a barrier on all its SPEs. */
struct large {
  const char *parameter, *platform, *algorithm;
  unsigned nranks;
  struct platform_setting settings[4];
  size_t nsettings;
};

/* Barriers back to back on a large machine. */
struct barriers {
  struct machine *machine;
  struct rig_spec spec;
};

enum { BARRIERS = 10 };

static double make_barriers(void *context) {
  struct barriers *barriers = context;
  struct rig rig;
  struct err err = {""};
  int status = rig_init_on(&rig, barriers->machine, &barriers->spec, &err);
  assert(status == 0);
  (void)status;
  rig_set_calls(&rig);
  struct blade_result result = rig_run(&rig);
  assert(!result.faults && !result.stuck);
  blade_result_fini(&result);
  rig_fini(&rig);
  return BARRIERS;
}

/* Measure barriers on LARGE.
 * errors: the machine cannot be made. */
static int measure_large(struct bench_run *run, const struct large *large) {
  struct platform *platform = platform_read(large->platform, run->err);
  struct barriers barriers = {.spec = {.nranks = large->nranks, .nrepeats = BARRIERS, .seed = 1}};
  int status = platform ? platform_set_all(platform, large->settings, large->nsettings, run->err) : -1;
  struct blade *blade = status == 0 ? blade_new(platform, run->err) : NULL;
  struct rig_spec *spec = &barriers.spec;
  status = blade ? catalogue_find(large->algorithm, &spec->call, run->err) : -1;
  spec->profile = status == 0 ? rig_profile(platform, NULL, catalogue_source(&spec->call), run->err) : NULL;
  barriers.machine = spec->profile ? rig_machine(blade, spec, run->err) : NULL;
  if (barriers.machine) {
    speed_measure(run, &(struct speed){.parameter = large->parameter,
                                       .ranks = large->nranks,
                                       .unit = "barriers/s",
                                       .work = make_barriers,
                                       .context = &barriers});
    machine_free(barriers.machine);
  }
  blade_free(blade);
  platform_free(platform);
  return barriers.machine ? 0 : -1;
}

int speed_of_barriers(struct bench_run *run) {
  static const char spes_16[] = "PPE SPE1 SPE3 SPE5 SPE7 SPE9 SPE11 SPE13 SPE15 IOIF1 IOIF0 SPE14 SPE12 "
                                "SPE10 SPE8 SPE6 SPE4 SPE2 SPE0 MIC";
  const struct large machines[] = {
    {"barrier-32-chips", "qs20", "barrier:recursive-doubling", 256, {{"blade.chips", "32"}}, 1},
    {"barrier-64-chips",
     "qs20",
     "barrier:recursive-doubling",
     1024,
     {{"chip.units", spes_16}, {"eib.max-hops", "10"}, {"blade.chips", "64"}},
     3},
    {"barrier-64-blades", "blades", "barrier:hierarchical", 1024, {{"node.count", "64"}}, 1}};
  int status = 0;
  for (size_t i = 0; i < sizeof machines / sizeof *machines && status == 0 && !des_interrupted(); i++) {
    status = measure_large(run, &machines[i]);
  }
  return status;
}
