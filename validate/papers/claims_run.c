/* SPDX-License-Identifier: BSD-3-Clause
 * See claims_run.h. */
#include "validate/papers/claims_run.h"

#include "algos/catalogue.h"
#include "algos/step/call_map.h"
#include "algos/step/step.h"
#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "sim/spu/spu_time.h"
#include "validate/lab/runner.h"
#include "validate/model/compare.h"
#include "validate/model/plogp.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Calls of a loop, the first of which does not count: fewer for much data, which evens out what is irregular. */
enum { CALLS = 11, CALLS_OF_MUCH = 3, MUCH = 4096, CALLS_OF_VERY_MUCH = 2, VERY_MUCH = 1 << 20 };

static bool
same_text(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

bool
claim_run_equal(const struct claim_run *a, const struct claim_run *b)
{
  return a->kind == b->kind && same_text(a->algorithm, b->algorithm) && same_text(a->profile, b->profile) &&
         a->type == b->type && a->ranks == b->ranks && a->bytes == b->bytes && a->count == b->count &&
         a->buffer == b->buffer;
}

/* --- collectives --- */

/* An observer that notes when rank `spe` has got all `nbytes`. */
struct arrival {
  struct probe probe; /* first: the machine's view */
  unsigned spe, nbytes;
  uint64_t cycle; /* 0: not yet */
};

static void
see_arrival(struct probe *probe, const struct probe_event *event)
{
  struct arrival *arrival = (struct arrival *)probe;
  const struct probe_dma *dma = &event->complete.dma;
  if (event->kind == PROBE_COMPLETE && dma->spe == arrival->spe && dma->nbytes == arrival->nbytes &&
      arrival->cycle == 0) {
    arrival->cycle = event->cycle;
  }
}

static unsigned
calls_of(const struct claim_run *run)
{
  if (run->kind != CLAIM_LOOP) {
    return 1;
  }
  return run->bytes >= VERY_MUCH ? CALLS_OF_VERY_MUCH : run->bytes >= MUCH ? CALLS_OF_MUCH : CALLS;
}

static double
measure_call(const struct claim_run *run, const struct rig_spec *base, struct blade *blade, struct err *err)
{
  struct rig_spec spec = *base;
  struct arrival arrival = {.probe.see = see_arrival, .spe = run->ranks / 2, .nbytes = (unsigned)run->bytes};
  struct outcome outcome;
  spec.nrepeats = calls_of(run);
  if (run->kind == CLAIM_ARRIVAL) {
    spec.observers[0] = &arrival.probe;
  }
  if (catalogue_find(run->algorithm, &spec.call, err) != 0 || runner_run(blade, &spec, &outcome, err) != 0) {
    return NAN;
  }
  double ns = outcome.cycles / blade_ghz(blade), crossed = (double)outcome.counters.bif_bytes;
  bool verified = outcome.verified;
  if (!verified) {
    err_set(err, "%s: %s", run->algorithm, outcome.detail ? outcome.detail : "interrupted");
  }
  outcome_fini(&outcome);
  if (!verified) {
    return NAN;
  }
  if (run->kind == CLAIM_ARRIVAL) {
    assert(arrival.cycle > 0); /* a call that was verified has brought the data there by one DMA */
    return (double)arrival.cycle / blade_ghz(blade);
  }
  return run->kind == CLAIM_CROSSED ? crossed : ns;
}

/* --- programs of one rank --- */

static void
get_pieces(struct rig_rank *rank)
{
  struct coll *c = rank->c;
  uint64_t ea = spu_ls_ea(rank->peer, call_map_buffer(c->group));
  size_t piece = rank->nbytes / rank->rounds;
  for (unsigned i = 0; i < rank->rounds; i++) {
    step_start_get(
      c, &(struct step_transfer){.ls = c->buffer + i * piece, .ea = ea + i * piece, .nbytes = piece});
  }
  step_finish(c, 0);
}

/* What copy_memory needs. */
struct copy_job {
  uint64_t from, to;
  size_t nbytes, buffer;
  unsigned nbuffers;
};

/* Read a piece into each buffer in turn as soon as what it held has been written, and write it once it has arrived and
 * the next one has been asked for. */
static void
copy_memory(struct rig_rank *rank)
{
  struct coll *c = rank->c;
  const struct copy_job *job = rank->job;
  size_t size = job->buffer, count = job->nbytes / size, ahead = job->nbuffers - 1;
  for (size_t i = 0; i < count + ahead; i++) {
    struct step_transfer in = {
      .ea = job->from + i * size, .nbytes = size, .slot = (unsigned)(i % job->nbuffers)};
    in.ls = c->buffer + in.slot * size;
    if (i < count) {
      step_finish(c, in.slot);
      step_start_get(c, &in);
    }
    if (i >= ahead) {
      struct step_transfer out = {.ea = job->to + (i - ahead) * size, .nbytes = size};
      out.slot = (unsigned)((i - ahead) % job->nbuffers);
      out.ls = c->buffer + out.slot * size;
      step_finish(c, out.slot);
      step_start_put(c, &out);
    }
  }
  for (unsigned slot = 0; slot < job->nbuffers; slot++) {
    step_finish(c, slot);
  }
}

static double
measure_pieces(const struct claim_run *run, struct rig_spec spec, struct blade *blade, struct err *err)
{
  struct rig rig;
  double cycles = NAN;
  spec.nranks = 2;
  spec.nrepeats = 1;
  if (rig_init(&rig, blade, &spec, err) == 0) {
    rig.ranks[0].peer = rig.group.spe_of[1];
    rig.ranks[0].nbytes = run->bytes;
    rig.ranks[0].rounds = run->count;
    rig_set(&rig, 0, get_pieces);
    rig_run_sound(&rig);
    cycles = rig.ranks[0].cycles;
  }
  rig_fini(&rig);
  return cycles / blade_ghz(blade);
}

static double
measure_copy(const struct claim_run *run, struct rig_spec spec, struct blade *blade, struct err *err)
{
  struct rig rig;
  double cycles = NAN;
  struct copy_job job = {.nbytes = run->bytes, .buffer = run->buffer, .nbuffers = run->count};
  spec.nranks = 1;
  spec.nrepeats = 1;
  spec.nbytes = run->count * run->buffer;
  if (rig_init(&rig, blade, &spec, err) == 0) {
    job.from = blade_allocate(blade, 0, run->bytes);
    job.to = blade_allocate(blade, 0, run->bytes);
    rig.ranks[0].job = &job;
    rig_set(&rig, 0, copy_memory);
    if (job.from && job.to) {
      rig_run_sound(&rig);
      cycles = rig.ranks[0].cycles;
    } else {
      err_set(err, "no room for two times %zu bytes in main memory", run->bytes);
    }
  }
  rig_fini(&rig);
  return cycles / blade_ghz(blade);
}

/* --- parameters and models --- */

static double
measure_across(const struct claim_run *run, const struct rig_spec *spec, struct blade *blade, struct err *err)
{
  if (blade_nchips(blade) < 2) {
    err_set(err, "platform %s has one chip", blade_platform(blade)->name);
    return NAN;
  }
  struct plogp plogp;
  plogp_init(&plogp, blade, spec->profile);
  bool crossing = run->kind == CLAIM_CROSSING;
  double cycles = NAN;
  if (crossing && run->count > 2 * blade_spes_per_chip(blade)) {
    err_set(err, "platform %s has fewer than %u SPEs on two chips", blade_platform(blade)->name, run->count);
  } else {
    cycles = crossing ? plogp_crossing_time(&plogp, run->bytes, run->count)
                      : plogp_get(&plogp, COST_L2, COST_ACK, 0);
  }
  plogp_fini(&plogp);
  return cycles / blade_ghz(blade);
}

/* Return the largest error of MODEL where it says something else than the published one. */
static double
largest_error(const struct comparison *comparison, enum model model)
{
  struct comparison naive = compare_of_model(comparison, model);
  struct comparison published = compare_of_model(comparison, MODEL_PUBLISHED);
  double most = NAN;
  for (size_t i = 0; i < naive.npoints && i < published.npoints; i++) {
    const struct compare_point *point = &naive.points[i];
    assert(point->ranks == published.points[i].ranks && point->bytes == published.points[i].bytes);
    if (point->predicted.middle != published.points[i].predicted.middle) {
      most = fmax(most, fabs(point->error));
    }
  }
  return most;
}

static double
measure_error(const struct claim_run *run, struct blade *blade, struct err *err)
{
  struct comparison comparison = {0};
  struct compare_grid grid = {.njobs = 1};
  double most = NAN;
  if (compare_run(&comparison, blade, &grid, err) == 0) {
    most = largest_error(&comparison, run->count);
    if (isnan(most)) {
      err_set(err, "model %s differs nowhere from the published one on platform %s",
              predict_model_name(run->count), blade_platform(blade)->name);
    }
  }
  comparison_fini(&comparison);
  return most;
}

double
claim_run_measure(const struct claim_run *run, struct blade *blade, struct err *err)
{
  struct rig_spec spec = {.nranks = run->ranks, .nbytes = run->bytes, .type = run->type, .seed = 1};
  spec.profile = rig_profile(blade_platform(blade), run->profile, NULL, err);
  if (!spec.profile) {
    return NAN;
  }
  switch (run->kind) {
  case CLAIM_CALL:
  case CLAIM_LOOP:
  case CLAIM_CROSSED:
  case CLAIM_ARRIVAL:
    return measure_call(run, &spec, blade, err);
  case CLAIM_LATENCY:
  case CLAIM_CROSSING:
    return measure_across(run, &spec, blade, err);
  case CLAIM_PIECES:
    return measure_pieces(run, spec, blade, err);
  case CLAIM_COPY:
    return measure_copy(run, spec, blade, err);
  case CLAIM_ERROR:
    return measure_error(run, blade, err);
  }
  return NAN;
}
