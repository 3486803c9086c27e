/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements without a benchmark: programs of one rank, streams by the benchmark eib-pattern, whose bus
 * requests an observer counts, and an observer of one call. */
#include "validate/bench/measure.h"

#include "algos/step/call_map.h"
#include "algos/step/step.h"
#include "sim/base/err.h"
#include "sim/node/machine.h"
#include "sim/spu/spu_mfcio.h"
#include "sim/spu/spu_time.h"
#include "traces/utilisation.h"
#include "validate/bench/bench.h"
#include "validate/bench/stream.h"
#include "validate/bench/pattern.h"
#include "validate/lab/verify/call_run.h"
#include "validate/model/measured/plogp.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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

double measure_arrival(const struct experiment *experiment, struct err *err) {
  struct call call = experiment->call;
  struct arrival arrival = {
    .probe.see = see_arrival, .spe = call.nranks / 2, .nbytes = (unsigned)call.nbytes};
  struct observer observer = {.probe = &arrival.probe};
  struct outcome outcome;
  call.repeat = 1;
  call.observers = &observer;
  if (call_run(experiment->machine, &call, &outcome, err) != 0) {
    return NAN;
  }
  bool verified = outcome.end == CALL_OK;
  if (!verified) {
    err_set(err, "%s", outcome.detail ? outcome.detail : "interrupted");
  }
  outcome_fini(&outcome);
  assert(!verified || arrival.cycle > 0); /* a verified call has brought the data there by one DMA */
  return verified ? (double)arrival.cycle : NAN;
}

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

double measure_pieces(const struct experiment *experiment, struct err *err) {
  struct rig rig;
  struct call call = experiment->call;
  double cycles = NAN;
  call.nranks = 2;
  call.repeat = 1;
  if (rig_init(&rig, experiment->machine, &call, err) == 0) {
    rig.ranks[0].peer = rig.group.spe_of[1];
    rig.ranks[0].nbytes = call.nbytes;
    rig.ranks[0].rounds = (unsigned)experiment->numbers[MEASURE_COUNT];
    rig_set(&rig, 0, get_pieces);
    rig_run_sound(&rig);
    cycles = rig.ranks[0].cycles;
  }
  rig_fini(&rig);
  return cycles;
}

double measure_copy(const struct experiment *experiment, struct err *err) {
  return memory_copy_time(experiment->machine, experiment->call.profile,
                          &(struct memory_copy){.nbytes = experiment->call.nbytes,
                                                .buffer = experiment->numbers[MEASURE_BUFFER],
                                                .nbuffers = (unsigned)experiment->numbers[MEASURE_COUNT]},
                          err);
}

/* Return the time of a get, the parameter PARAMETER of models, while messages of EXPERIMENT cross. */
static double crossing_time(const struct experiment *experiment, enum cost_parameter parameter) {
  struct plogp plogp;
  plogp_init(&plogp, experiment->machine, experiment->call.profile);
  double cycles = plogp_crossing_time(&plogp, parameter, experiment->call.nbytes,
                                      (unsigned)experiment->numbers[MEASURE_COUNT]);
  plogp_fini(&plogp);
  return cycles;
}

double measure_crossing(const struct experiment *experiment, struct err *err) {
  (void)err;
  return crossing_time(experiment, COST_C);
}

double measure_burst(const struct experiment *experiment, struct err *err) {
  (void)err;
  return crossing_time(experiment, COST_BURST_C);
}

/* --- streams: the benchmark eib-pattern makes the streams; utilisation counts bus requests --- */

/* Bytes of a DMA; bytes of a stream for a rate. One DMA is enough to find the direction of a stream. */
enum { DMA_BYTES = 16384, RATE_BYTES = 1 << 20 };

/* A running benchmark. */
struct total {
  struct bench_run run; /* first: the benchmark's view */
  double rate;          /* bandwidth of all streams together */
};

static void take_total(struct bench_run *run, const struct bench_row *row) {
  if (strcmp(row->parameter, "total") == 0) {
    ((struct total *)run)->rate = row->value;
  }
}

/* Return the share of bus requests on clockwise rings. */
static double clockwise_part(const struct utilisation *utilisation) {
  uint64_t served[2] = {0};
  for (unsigned i = 0; i < utilisation->parameters.nrings; i++) {
    served[i < utilisation->platform->eib.rings_clockwise] += utilisation->rings[i].served;
  }
  return (double)served[1] / (double)(served[0] + served[1]);
}

/* The results of streams. */
struct streams {
  double rate;      /* GB/s of all together */
  double clockwise; /* share of all bus requests */
};

/* Run the streams of EXPERIMENT, of NBYTES bytes each.
 * returns: NaN after an error. */
static struct streams run_streams(const struct experiment *experiment, uint64_t nbytes, struct err *err) {
  struct blade *blade = machine_blade(experiment->machine, 0);
  struct pattern pattern = {0};
  struct utilisation utilisation;
  struct total total = {.run = {.machine = experiment->machine,
                                .profile = experiment->call.profile,
                                .pattern = &pattern,
                                .depth = (unsigned)experiment->numbers[MEASURE_COUNT],
                                .total = nbytes,
                                .row = take_total,
                                .err = err},
                        .rate = NAN};
  utilisation_init(&utilisation, machine_platform(experiment->machine));
  blade_attach(blade, &utilisation.probe);
  bool ran = pattern_parse(experiment->subject, &pattern, err) == 0 &&
             bench_run(bench_find("eib-pattern", err), &total.run) == 0;
  blade_detach(blade, &utilisation.probe);
  struct streams streams = {ran ? total.rate : NAN, ran ? clockwise_part(&utilisation) : NAN};
  utilisation_fini(&utilisation);
  pattern_fini(&pattern);
  return streams;
}

double measure_rate(const struct experiment *experiment, struct err *err) {
  return run_streams(experiment, RATE_BYTES, err).rate;
}

double measure_share(const struct experiment *experiment, struct err *err) {
  return run_streams(experiment, RATE_BYTES, err).clockwise;
}

double measure_direction(const struct experiment *experiment, struct err *err) {
  return run_streams(experiment, DMA_BYTES, err).clockwise;
}
