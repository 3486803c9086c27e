/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements without a benchmark: programs of one rank, streams by the benchmark eib-pattern with an
 * observer of bus requests, an observer of one call, and messages between SPEs or hosts. */
#include "algos/step/call_map.h"
#include "validate/bench/bench.h"

#include "algos/step/step.h"
#include "sim/base/err.h"
#include "sim/net/net.h"
#include "sim/node/machine.h"
#include "sim/spu/spu_time.h"
#include "traces/utilisation.h"
#include "validate/bench/stream.h"
#include "validate/bench/pattern.h"
#include "validate/lab/verify/call_run.h"
#include "validate/model/measured/net_exchange.h"
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

static double measure_arrival(const struct experiment *experiment, struct err *err) {
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

static double measure_pieces(const struct experiment *experiment, struct err *err) {
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

static double measure_copy(const struct experiment *experiment, struct err *err) {
  return memory_copy_time(experiment->machine, experiment->call.profile,
                          &(struct memory_copy){.nbytes = experiment->call.nbytes,
                                                .buffer = experiment->numbers[MEASURE_BUFFER],
                                                .nbuffers = (unsigned)experiment->numbers[MEASURE_COUNT]},
                          err);
}

static double measure_crossing(const struct experiment *experiment, struct err *err) {
  struct plogp plogp;
  bool burst = experiment->numbers[MEASURE_KIND] == MEASURE_BURST;
  (void)err;
  plogp_init(&plogp, experiment->machine, experiment->call.profile);
  double cycles = plogp_crossing_time(&plogp, burst ? COST_BURST_C : COST_C, experiment->call.nbytes,
                                      (unsigned)experiment->numbers[MEASURE_COUNT]);
  plogp_fini(&plogp);
  return cycles;
}

/* --- streams: the benchmark eib-pattern makes the streams; utilisation counts bus requests --- */

/* Bytes of a DMA; bytes of a stream for a rate. One DMA is enough to find the direction of a stream. */
enum { DMA_BYTES = 16384, RATE_BYTES = 1 << 20 };

/* Run the streams of EXPERIMENT for a rate, or for the share of bus requests on clockwise rings. */
static double measure_streams(const struct experiment *experiment, struct err *err) {
  uint64_t measure = experiment->numbers[MEASURE_KIND];
  struct blade *blade = machine_blade(experiment->machine, 0);
  struct pattern pattern = {0};
  struct utilisation utilisation;
  struct result_row row = {.value = NAN}; /* at last that of all streams together */
  struct bench_run run = {.machine = experiment->machine,
                          .profile = experiment->call.profile,
                          .pattern = &pattern,
                          .depth = (unsigned)experiment->numbers[MEASURE_COUNT],
                          .total = measure == MEASURE_DIRECTION ? DMA_BYTES : RATE_BYTES,
                          .err = err};
  utilisation_init(&utilisation, machine_platform(experiment->machine));
  blade_attach(blade, &utilisation.probe);
  bool ran = pattern_parse(experiment->subject, &pattern, err) == 0 &&
             bench_run(bench_find("eib-pattern", err), &run) == 0;
  blade_detach(blade, &utilisation.probe);
  while (ran && result_take(&run.rows, &row)) {
  }
  uint64_t served[2] = {0}; /* on the other rings, on clockwise ones */
  for (unsigned i = 0; i < utilisation.parameters.nrings; i++) {
    served[i < utilisation.platform->eib.rings_clockwise] += utilisation.rings[i].served;
  }
  double share = (double)served[1] / (double)(served[0] + served[1]);
  utilisation_fini(&utilisation);
  pattern_fini(&pattern);
  pack_fini(&run.rows);
  return !ran ? NAN : measure == MEASURE_RATE ? row.value : share;
}

/* --- messages --- */

static double measure_message(const struct experiment *experiment, struct err *err) {
  const struct platform *platform = machine_platform(experiment->machine);
  const struct call *call = &experiment->call;
  double cycles = 0;
  if (!platform_has_spes(platform)) {
    unsigned nrails = (unsigned)experiment->numbers[MEASURE_COUNT];
    struct net *net = nrails ? net_exchange_rails(platform, nrails, err) : net_new(platform, 1, err);
    cycles = net ? (double)net_exchange_one(net, call->nbytes, 0, 1) : NAN;
    net_free(net);
    return cycles;
  }
  struct rig_pair pair = rig_pingpong(PINGPONG_DATA, call->nbytes, call->profile);
  for (pair.spe = 1; pair.spe < call->nranks; pair.spe++) {
    cycles += rig_measure_pair(experiment->machine, &pair) / 2;
  }
  return cycles / (call->nranks - 1);
}

static void add_exchange(const struct experiment *experiment, struct pack *rows, struct err *err) {
  const struct platform *platform = machine_platform(experiment->machine);
  struct net *net = net_new(platform, experiment->numbers[MEASURE_COUNT], err);
  uint64_t ntimeouts = 0;
  struct net_exchange exchange = {.platform = platform,
                                  .ranks = experiment->call.nranks,
                                  .nbytes = experiment->call.nbytes,
                                  .seed = experiment->numbers[MEASURE_COUNT],
                                  .ntimeouts = &ntimeouts};
  result_add_value(rows, "exchange", net ? (double)net_exchange_all(net, &exchange) : NAN, "cycles");
  result_add_value(rows, "timeouts", (double)ntimeouts, "1");
  net_free(net);
}

/* --- all --- */

static const struct {
  const char *name, *unit;
  double (*value)(const struct experiment *experiment, struct err *err); /* of a unit ns: cycles */
  void (*add)(const struct experiment *experiment, struct pack *rows,
              struct err *err); /* in place of `value` */
} measures[] = {[MEASURE_ARRIVAL] = {"arrival", "ns", measure_arrival},
                [MEASURE_PIECES] = {"pieces", "ns", measure_pieces},
                [MEASURE_COPY] = {"copy", "ns", measure_copy},
                [MEASURE_CROSSING] = {"crossing", "ns", measure_crossing},
                [MEASURE_BURST] = {"burst", "ns", measure_crossing},
                [MEASURE_RATE] = {"rate", "GB/s", measure_streams},
                [MEASURE_SHARE] = {"share", "1", measure_streams},
                [MEASURE_DIRECTION] = {"direction", "1", measure_streams},
                [MEASURE_MESSAGE] = {"message", "cycles", measure_message},
                [MEASURE_EXCHANGE] = {"exchange", .add = add_exchange}};

static void run(const struct experiment *experiment, struct pack *rows, struct err *why) {
  enum measure measure = (enum measure)experiment->numbers[MEASURE_KIND];
  if (measures[measure].add) {
    measures[measure].add(experiment, rows, why);
    return;
  }
  double value = measures[measure].value(experiment, why);
  bool is_time = strcmp(measures[measure].unit, "ns") == 0;
  value = is_time ? value / machine_platform(experiment->machine)->clock.spu : value;
  result_add_value(rows, measures[measure].name, value, measures[measure].unit);
}

bool measure_ask(struct ledger *ledger, enum measure measure, struct experiment *experiment,
                 struct result *result) {
  static const struct experiment_kind kind = {.name = "measure", .run = run};
  experiment->kind = &kind;
  experiment->numbers[MEASURE_KIND] = measure;
  experiment->subject = experiment->subject ? experiment->subject : measures[measure].name;
  return ledger_ask(ledger, experiment, result);
}
