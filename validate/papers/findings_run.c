/* SPDX-License-Identifier: BSD-3-Clause
 * See findings_run.h. */
#include "validate/papers/findings_run.h"

#include "algos/catalogue.h"
#include "algos/step/call_map.h"
#include "algos/step/step.h"
#include "sim/base/err.h"
#include "sim/node/machine.h"
#include "sim/hw/probe.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "validate/bench/stream.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/verify/runner.h"
#include "validate/model/compare.h"
#include "validate/model/measured/plogp.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Calls of a loop; the first call does not count. Loops with much data have fewer calls, because much data
 * evens out irregularities. */
enum { CALLS = 11, CALLS_OF_MUCH = 3, MUCH = 4096, CALLS_OF_VERY_MUCH = 2, VERY_MUCH = 1 << 20 };

/* Indices of an experiment's numbers. */
enum { KIND, COUNT, BUFFER };

/* --- collectives --- */

/* An observer: notes the cycle in which rank `spe` has received all `nbytes`. */
struct arrival {
  struct probe probe; /* first: the machine's view */
  unsigned spe, nbytes;
  uint64_t cycle; /* 0: not yet */
};

static void see_arrival(struct probe *probe, const struct probe_event *event) {
  struct arrival *arrival = (struct arrival *)probe;
  const struct probe_dma *dma = &event->complete.dma;
  if (event->kind == PROBE_COMPLETE && dma->spe == arrival->spe && dma->nbytes == arrival->nbytes &&
      arrival->cycle == 0) {
    arrival->cycle = event->cycle;
  }
}

static unsigned calls_of(const struct finding_run *run) {
  if (run->kind != FINDING_LOOP || run->count) {
    return run->kind == FINDING_LOOP ? run->count : 1;
  }
  return run->bytes >= VERY_MUCH ? CALLS_OF_VERY_MUCH : run->bytes >= MUCH ? CALLS_OF_MUCH : CALLS;
}

static double value_of_call(const struct finding_run *run, struct rig_spec spec,
                            const struct finding_source *source) {
  struct call_result result;
  spec.repeat = calls_of(run);
  if (!ledger_call(source->ledger, &(struct call_point){.machine = source->machine, .spec = spec}, &result)) {
    return NAN;
  }
  if (*result.refused) {
    err_set(source->err, "%s", result.refused);
  } else if (result.end != CALL_OK) {
    err_set(source->err, "%s: %s", run->algorithm, result.wrong);
  }
  return result.end != CALL_OK          ? NAN
         : run->kind == FINDING_CROSSED ? (double)result.bif_bytes
                                        : result.cycles / result.ghz;
}

static double measure_arrival(const struct experiment *experiment, struct err *err) {
  struct rig_spec spec = experiment->spec;
  struct machine *machine = experiment->machine;
  struct arrival arrival = {
    .probe.see = see_arrival, .spe = spec.nranks / 2, .nbytes = (unsigned)spec.nbytes};
  struct observer observer = {.probe = &arrival.probe};
  struct outcome outcome;
  spec.repeat = 1;
  spec.observers = &observer;
  if (runner_run(machine, &spec, &outcome, err) != 0) {
    return NAN;
  }
  bool verified = outcome.end == CALL_OK;
  if (!verified) {
    err_set(err, "%s", outcome.detail ? outcome.detail : "interrupted");
  }
  outcome_fini(&outcome);
  assert(!verified || arrival.cycle > 0); /* a verified call has brought the data there by one DMA */
  return verified ? (double)arrival.cycle / machine_platform(machine)->clock.spu : NAN;
}

/* --- programs of one rank --- */

static void get_pieces(struct rig_rank *rank) {
  struct coll *c = rank->c;
  uint64_t ea = spu_ls_ea(rank->peer, call_map_buffer(c->group));
  size_t piece = rank->nbytes / rank->rounds;
  for (unsigned i = 0; i < rank->rounds; i++) {
    step_start_get(
      c, &(struct step_transfer){.ls = c->buffer + i * piece, .ea = ea + i * piece, .nbytes = piece});
  }
  step_finish(c, 0);
}

static double measure_pieces(const struct experiment *experiment, struct err *err) {
  struct rig rig;
  struct rig_spec spec = experiment->spec;
  double cycles = NAN;
  spec.nranks = 2;
  spec.repeat = 1;
  if (rig_init(&rig, experiment->machine, &spec, err) == 0) {
    rig.ranks[0].peer = rig.group.spe_of[1];
    rig.ranks[0].nbytes = spec.nbytes;
    rig.ranks[0].rounds = (unsigned)experiment->numbers[COUNT];
    rig_set(&rig, 0, get_pieces);
    rig_run_sound(&rig);
    cycles = rig.ranks[0].cycles;
  }
  rig_fini(&rig);
  return cycles / machine_platform(experiment->machine)->clock.spu;
}

static double measure_copy(const struct experiment *experiment, struct err *err) {
  double cycles = memory_copy_time(experiment->machine, experiment->spec.profile,
                                   &(struct memory_copy){.nbytes = experiment->spec.nbytes,
                                                         .buffer = experiment->numbers[BUFFER],
                                                         .nbuffers = (unsigned)experiment->numbers[COUNT]},
                                   err);
  return cycles / machine_platform(experiment->machine)->clock.spu;
}

static double measure_crossing(const struct experiment *experiment) {
  struct plogp plogp;
  plogp_init(&plogp, experiment->machine, experiment->spec.profile);
  double cycles =
    plogp_crossing_time(&plogp, experiment->numbers[KIND] == FINDING_BURST ? COST_BURST_C : COST_C,
                        experiment->spec.nbytes, (unsigned)experiment->numbers[COUNT]);
  plogp_fini(&plogp);
  return cycles / machine_platform(experiment->machine)->clock.spu;
}

static double measure(const struct experiment *experiment, struct err *err) {
  switch ((enum finding_kind)experiment->numbers[KIND]) {
  case FINDING_ARRIVAL:
    return measure_arrival(experiment, err);
  case FINDING_PIECES:
    return measure_pieces(experiment, err);
  case FINDING_COPY:
    return measure_copy(experiment, err);
  default:
    return measure_crossing(experiment);
  }
}

double finding_experiment_value(const struct experiment *experiment, const struct finding_source *source) {
  struct ledger_value value;
  if (!ledger_value(source->ledger, experiment, &value)) {
    return NAN;
  }
  if (isnan(value.number)) {
    err_set(source->err, "%s", value.why);
  }
  return value.number;
}

static double value_of_measurement(const struct finding_run *run, struct rig_spec spec,
                                   const struct finding_source *source) {
  static const struct experiment_kind kind = {.name = "figure", .measure = measure};
  const struct experiment experiment = {
    .kind = &kind,
    .machine = source->machine,
    .spec = spec,
    .numbers = {[KIND] = run->kind, [COUNT] = run->count, [BUFFER] = run->buffer}};
  return finding_experiment_value(&experiment, source);
}

/* --- parameters and models --- */

static double value_across(const struct finding_run *run, struct rig_spec spec,
                           const struct finding_source *source) {
  const struct platform *platform = machine_platform(source->machine);
  if (platform->blade.chips < 2) {
    err_set(source->err, "platform %s has one chip", platform->name);
    return NAN;
  }
  size_t nbytes = run->kind == FINDING_LATENCY ? MFC_MIN_DMA_SIZE : run->bytes;
  if (rig_check_room(platform, platform->nspes, nbytes, source->err) != 0) {
    return NAN;
  }
  if (run->kind != FINDING_LATENCY) {
    if (run->count > 2 * platform->spes_per_chip) {
      err_set(source->err, "platform %s has fewer than %u SPEs on two chips", platform->name, run->count);
      return NAN;
    }
    return value_of_measurement(run, spec, source);
  }
  struct plogp plogp;
  plogp_init(&plogp, source->machine, spec.profile);
  plogp.ledger = source->ledger;
  double cycles = plogp_get(&plogp, COST_L2, COST_ACK, 0);
  if (plogp.unmeasured) {
    err_set(source->err, "%s", plogp.unmeasured);
    cycles = NAN;
  }
  plogp_fini(&plogp);
  return cycles / platform->clock.spu;
}

/* Return the point of PUBLISHED for the call of POINT; NULL: no published equation covers the call. */
static const struct compare_point *find_published(const struct comparison *published,
                                                  const struct compare_point *point) {
  for (size_t i = 0; i < published->npoints; i++) {
    const struct compare_point *other = &published->points[i];
    if (other->call.algo == point->call.algo && other->ranks == point->ranks &&
        other->bytes == point->bytes) {
      return other;
    }
  }
  return NULL;
}

/* Return the largest error of MODEL over the points where MODEL and the published model differ. */
static double largest_error(const struct comparison *comparison, enum model model) {
  struct comparison naive = compare_of_model(comparison, model);
  struct comparison published = compare_of_model(comparison, MODEL_PUBLISHED);
  double most = NAN;
  for (size_t i = 0; i < naive.npoints; i++) {
    const struct compare_point *point = &naive.points[i], *other = find_published(&published, point);
    if (other && point->predicted.middle != other->predicted.middle) {
      most = fmax(most, fabs(point->error));
    }
  }
  return most;
}

static double value_of_error(const struct finding_run *run, const struct finding_source *source) {
  struct comparison comparison = {0};
  struct compare_grid grid = {.ledger = source->ledger, .unrefined = true, .seed = 1};
  double most = NAN;
  if (compare_run(&comparison, source->machine, &grid, source->err) == 0) {
    most = largest_error(&comparison, run->count);
    if (isnan(most)) {
      err_set(source->err, "model %s differs nowhere from the published one on platform %s",
              predict_model_name(run->count), machine_platform(source->machine)->name);
    }
  }
  comparison_fini(&comparison);
  return most;
}

double finding_run_value(const struct finding_run *run, const struct finding_source *source) {
  struct rig_spec spec = {
    .nranks = run->ranks, .nbytes = run->bytes, .type = run->type, .seed = 1, .skew_seed = 1};
  spec.profile = rig_profile(machine_platform(source->machine), run->profile, NULL, source->err);
  if (!spec.profile || (run->algorithm && catalogue_find(run->algorithm, &spec.call, source->err) != 0)) {
    return NAN;
  }
  switch (run->kind) {
  case FINDING_CALL:
  case FINDING_LOOP:
  case FINDING_CROSSED:
    return value_of_call(run, spec, source);
  case FINDING_LATENCY:
  case FINDING_CROSSING:
  case FINDING_BURST:
    return value_across(run, spec, source);
  case FINDING_ARRIVAL:
  case FINDING_PIECES:
  case FINDING_COPY:
    return value_of_measurement(run, spec, source);
  case FINDING_ERROR:
    return value_of_error(run, source);
  }
  return NAN;
}
