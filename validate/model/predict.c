/* SPDX-License-Identifier: BSD-3-Clause
 * The models: one published equation, evaluated with parameters measured in several ways, and the refined
 * model, which runs the program on the bus of rates. */
#include "validate/model/predict.h"

#include "algos/catalogue.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/rig/rig.h"
#include "validate/lab/verify/call_run.h"
#include "validate/model/measured/network_values.h"
#include "validate/model/measured/ports.h"

#include <math.h>
#include <string.h>

/* The machine of the published equations. */
enum { PUBLISHED_SPES_PER_CHIP = 8, PUBLISHED_CHIPS = 2 };

const char *predict_model_name(enum model model) {
  static const char *const names[MODEL_COUNT] = {
    [MODEL_PUBLISHED] = "published",     [MODEL_REFINED] = "refined",
    [MODEL_NAIVE_GAP] = "naive-gap",     [MODEL_NAIVE_CONTENTION] = "naive-contention",
    [MODEL_NAIVE_BURST] = "naive-burst", [MODEL_ANALOGY] = "analogy"};
  return names[model];
}

/* --- where parameters come from --- */

static double measured(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n) {
  return plogp_get(cost->source, parameter, m, n);
}

/* As measured, but a gap is that of the classic benchmark: of messages between two ranks. */
static double measured_classic(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n) {
  switch (parameter) {
  case COST_G:
  case COST_G1:
  case COST_G_ACK:
  case COST_G1_ACK:
    return measured(cost, COST_CLASSIC_G1, m, n);
  case COST_G2:
  case COST_G2_ACK:
    return measured(cost, COST_CLASSIC_G2, m, n);
  default:
    return measured(cost, parameter, m, n);
  }
}

static double measured_without_congestion(const struct cost *cost, enum cost_parameter parameter, size_t m,
                                          unsigned n) {
  return parameter == COST_C ? 0 : measured(cost, parameter, m, n);
}

static double measured_in_a_burst(const struct cost *cost, enum cost_parameter parameter, size_t m,
                                  unsigned n) {
  return measured(cost, parameter == COST_C ? COST_BURST_C : parameter, m, n);
}

/* --- the models --- */

/* Tell whether CYCLES may be a time, or NaN, no prediction. An equation of a plugin may return any number. */
static bool is_time(double cycles) {
  return isnan(cycles) || (cycles >= 0 && !isinf(cycles));
}

/* Evaluate EQUATION; of a gap given as a range `low` counts nothing, `middle` half, `high` all. */
static struct prediction evaluate(predict_equation *equation, struct cost cost) {
  struct prediction prediction = {0};
  cost.gap_share = 0;
  prediction.low = equation(&cost);
  cost.gap_share = 0.5;
  prediction.middle = equation(&cost);
  cost.gap_share = 1;
  prediction.high = equation(&cost);
  return is_time(prediction.low) && is_time(prediction.middle) && is_time(prediction.high)
           ? prediction
           : predict_none("its equation gives no time");
}

/* Return the equation of MODEL, other than MODEL_REFINED, for the algorithm of CALL on the machine of PLOGP;
 * NULL: no equation. An equation of several nodes tells blades from nodes behind a host. */
static predict_equation *equation_for(const struct plogp *plogp, enum model model, const struct call *call) {
  const struct algo *algo = call->algorithm.algo;
  bool several = placement_machine_nodes(plogp->platform) > 1;
  if (!platform_has_spes(plogp->platform) || plogp->platform->spes_per_chip != PUBLISHED_SPES_PER_CHIP ||
      strcmp(catalogue_source(&call->algorithm), algo->source) != 0) {
    return NULL;
  }
  if (algo->spans_nodes) {
    bool equation = several && (model == MODEL_PUBLISHED || model == MODEL_ANALOGY);
    return !equation ? NULL : model == MODEL_PUBLISHED ? algo->cost : algo->analogy;
  }
  return model != MODEL_ANALOGY && call->nranks <= PUBLISHED_SPES_PER_CHIP * PUBLISHED_CHIPS ? algo->cost
                                                                                             : NULL;
}

predict_equation *predict_find(struct plogp *plogp, enum model model, const struct call *call,
                               struct cost *cost) {
  double (*const parameters[MODEL_COUNT])(const struct cost *, enum cost_parameter, size_t,
                                          unsigned) = {[MODEL_PUBLISHED] = measured,
                                                       [MODEL_NAIVE_GAP] = measured_classic,
                                                       [MODEL_NAIVE_CONTENTION] = measured_without_congestion,
                                                       [MODEL_NAIVE_BURST] = measured_in_a_burst,
                                                       [MODEL_ANALOGY] = measured};
  const struct algo *algo = call->algorithm.algo;
  unsigned nspes = plogp->platform->nspes,
           least = algo->spans_nodes ? nspes + 1 : 2; /* ranks, on two nodes or on one */
  *cost = (struct cost){.p = algo->spans_nodes ? nspes : call->nranks,
                        .m = call->nbytes,
                        .values = call->algorithm.values,
                        .spes_per_chip = plogp->platform->spes_per_chip,
                        .gap_share = 0.5,
                        .parameter = parameters[model],
                        .source = plogp};
  predict_equation *equation = model == MODEL_REFINED ? NULL : equation_for(plogp, model, call);
  if (!equation || call->nranks < least || !predict_runs(plogp, call)) {
    return NULL;
  }
  if (algo->spans_nodes) {
    cost->nodes = (call->nranks + nspes - 1) / nspes;
    cost->blades_per_host = platform_blades_per_host(plogp->platform);
  }
  cost->two_chips = cost->p > cost->spes_per_chip;
  return equation;
}

bool predict_runs(const struct plogp *plogp, const struct call *call) {
  bool nothing = collective_has_data(call->algorithm.algo->collective) && call->nbytes == 0;
  return !nothing && rig_check(plogp->platform, call, NULL) == 0;
}

/* --- calls on hosts ---
 *
 *   published          of a scatter, a gather or a direct all-to-all for k ports: Qian, Afsahi 2006,
 *                      equations 1 and 2; of a direct all-to-all with all messages at once: Steffenel,
 *                      Martinasso, Trystram 2007, equation 5, on the signature of the network; of
 *                      alltoall:grid on hosts of two clusters: equation 6 of the same
 *   analogy            of alltoall:grid there: equation 6 with the n1 blocks that a message carries, in place
 *                      of n1 + n2
 *   naive-contention   of all-to-alls: the bound without contention, equation 1 of the same
 *   refined            ours: the program on the same hosts and NICs with a simple network: one switch without
 *                      losses and without sharing inside the switch. Known of the network: the time of a
 *                      short message alone, of each further byte, and the way of sending (packets, TCP
 *                      windows, or held whole) */
static const char no_equation[] = "no equation is printed", no_bound[] = "the bound is one of all-to-alls",
                  one_cluster[] = "all ranks are in one cluster",
                  no_time[] = "the signature gives no time above 0";

/* Equations 1 and 2 of Qian and Afsahi; 5 and 6 of Steffenel et al., and the bound, equation 1. */
enum equation { NONE, PORTS_TREE, PORTS_DIRECT, EXCHANGE, CLUSTERS, BOUND };

static const struct {
  enum collective collective;
  const char *name;
  enum equation equation;
} equations[] = {{COLL_SCATTER, "binomial", PORTS_TREE},
                 {COLL_GATHER, "binomial", PORTS_TREE},
                 {COLL_SCATTER, "sequential", PORTS_DIRECT},
                 {COLL_ALLTOALL, "direct", EXCHANGE},
                 {COLL_ALLTOALL, "grid", CLUSTERS}};

/* Return the published equation for CALL. The equation of exchanges holds where all messages of a
 * rank are in transit at once. */
static enum equation published(const struct call *call) {
  const struct algo *algo = call->algorithm.algo;
  size_t i = VEC_INDEX(equations, VEC_LENGTH(equations),
                       item->collective == algo->collective && strcmp(item->name, algo->name) == 0);
  enum equation equation = i < VEC_LENGTH(equations) ? equations[i].equation : NONE;
  return equation == EXCHANGE && call->algorithm.values[0] + 1 < call->nranks ? PORTS_DIRECT : equation;
}

static double evaluate_on_hosts(enum equation equation, const struct call *call,
                                const struct signature *values) {
  struct ports ports = {values->alpha, values->beta, call->algorithm.values[0], call->algorithm.values[0]};
  struct signature bound = {.alpha = values->alpha, .beta = values->beta, .gamma = 1};
  unsigned n = call->nranks;
  switch (equation) {
  case PORTS_TREE:
    return ports_tree(&ports, n, call->nbytes);
  case PORTS_DIRECT:
    return ports_direct(&ports, n, call->nbytes);
  case EXCHANGE:
    return signature_predict(values, n, call->nbytes);
  default:
    return signature_predict(&bound, n, call->nbytes);
  }
}

/* Return the prediction of equation 6 for CALL, as printed or, under MODEL_ANALOGY, with the
 * number of blocks in a message; 1 as long as values are missing. */
static struct prediction predict_clusters(struct plogp *plogp, enum model model, const struct call *call) {
  struct signature_area area;
  const char *why;
  unsigned ranks[2] = {0, 0}, processes = plogp->platform->node.processes;
  if (!network_values_ask(plogp->ledger, plogp->machine, 2, &area, &why)) {
    return predict_exactly(1);
  }
  for (unsigned r = 0; r < call->nranks && !why; r++) {
    ranks[rig_place(plogp->platform, call, r) / processes >= area.hosts]++;
  }
  unsigned fewer = MIN(ranks[0], ranks[1]);
  if (fewer == 0) {
    return predict_none(model != MODEL_PUBLISHED ? NULL : why ? why : one_cluster); /* told once */
  }
  return predict_exactly(
    signature_area_predict(&area, ranks, model == MODEL_PUBLISHED ? call->nranks : fewer, call->nbytes));
}

/* Return the prediction of MODEL's equation for CALL; 1 as long as values are missing. */
static struct prediction predict_by_equation(struct plogp *plogp, enum model model, const struct call *call) {
  struct signature_area area;
  const char *why;
  bool alltoall = call->algorithm.algo->collective == COLL_ALLTOALL;
  enum equation equation = model == MODEL_PUBLISHED ? published(call) : alltoall ? BOUND : NONE;
  if (equation == CLUSTERS) {
    return predict_clusters(plogp, model, call);
  }
  if (equation == NONE) {
    return predict_none(model == MODEL_PUBLISHED ? no_equation : no_bound);
  }
  if (!network_values_ask(plogp->ledger, plogp->machine, 1, &area, &why)) {
    return predict_exactly(1);
  }
  double cycles = why ? NAN : evaluate_on_hosts(equation, call, &area.clusters[0]);
  return why ? predict_none(why) : cycles <= 0 ? predict_none(no_time) : predict_exactly(cycles);
}

/* Return PLATFORM with one switch between the hosts: a message passes two links, US microseconds in all, RATE
 * bytes per microsecond. Messages are sent as on PLATFORM (with TCP's windows, held whole, or in packets);
 * buffers are unlimited.
 * errors: a value that no platform can have.
 * owner: the caller, with platform_free. */
static struct platform *make_platform(const struct platform *platform, double us, double rate,
                                      struct err *err) {
  const char *transport = platform->network.transport;
  bool tcp = strcmp(transport, "tcp") == 0, wormhole = strcmp(transport, "wormhole") == 0;
  struct platform_setting settings[] = {{"network.topology", "switch"},
                                        {"network.latency", text_brief("%.9g", fmax(us / 2, 0))},
                                        {"network.bandwidth", text_brief("%.9g", rate)},
                                        {"network.transport", tcp || wormhole ? transport : "lossless"},
                                        {"network.buffer", tcp ? "1048576" : "0"},
                                        {"network.queue", "1048576"}};
  struct platform *copy = platform_copy(platform);
  if (platform_set_all(copy, settings, VEC_LENGTH(settings), err) != 0) {
    platform_free(copy);
    return NULL;
  }
  return copy;
}

/* Return PLATFORM, a platform of hosts, with the network of the refined model. A message alone takes the same
 * time on the model as on PLATFORM: a first switch is measured too, and corrected by the time that headers
 * and the second link have added.
 * errors: as network_values_message; a value that no platform can have.
 * owner: the caller, with platform_free. */
static struct platform *predict_host_model(const struct platform *platform, struct err *err) {
  struct network_message message, first;
  if (network_values_message(platform, &message, err) != 0) {
    return NULL;
  }
  double cycles = 1e3 * platform->clock.spu; /* of a us */
  double us = message.latency / cycles - platform->nic.send - platform->nic.gap - platform->nic.receive,
         rate = cycles / message.byte;
  struct platform *model = make_platform(platform, us, rate, err);
  if (model && network_values_message(model, &first, err) == 0) {
    us += (message.latency - first.latency) / cycles;
    rate *= first.byte / message.byte;
    platform_free(model);
    model = make_platform(platform, us, rate, err);
  }
  return model;
}

/* Predict CALL on the hosts of PLOGP by the equation of MODEL, other than MODEL_REFINED. */
static struct prediction predict_on_hosts(struct plogp *plogp, enum model model, const struct call *call) {
  switch (model) {
  case MODEL_PUBLISHED:
  case MODEL_NAIVE_CONTENTION:
    return predict_by_equation(plogp, model, call);
  default:
    return model == MODEL_ANALOGY && published(call) == CLUSTERS ? predict_clusters(plogp, model, call)
                                                                 : predict_none(NULL);
  }
}

/* --- the refined model --- */

/* Run CALL on MACHINE for the time alone. A fault or a deadlock is noted with rig_note_stop.
 * returns: SPU cycles; NaN if the call has stopped, or after an error or an interruption.
 * errors: as call_run. */
static double time_on(struct machine *machine, const struct call *call, struct err *err) {
  struct call times = *call;
  struct outcome outcome;
  double cycles = NAN;
  times.lengths_only = true;
  times.repeat = 1;
  times.seed = 1;
  if (call_run(machine, &times, &outcome, err) == 0) {
    cycles = outcome.end >= CALL_FAULT || outcome.interrupted ? NAN : outcome.cycles;
    if (outcome.end >= CALL_FAULT) {
      int length = outcome.end == CALL_FAULT ? (int)strcspn(outcome.detail, "\n") : 0;
      SCOPED char *how = xasprintf("%s in the prediction%s%.*s", call_end_name(outcome.end),
                                   length ? ": " : "", length, outcome.detail);
      rig_note_stop(how);
    }
    outcome_fini(&outcome);
  }
  return cycles;
}

static double predict_now(const struct experiment *experiment, struct err *err) {
  const struct platform *platform = machine_platform(experiment->machine);
  struct call call = experiment->call;
  if (platform_has_spes(platform)) {
    return time_on(experiment->machine, &call, err);
  }
  struct platform *model = predict_host_model(platform, err);
  struct machine *machine = machine_owning(model);
  call.profile = model ? rig_profile(model, NULL, catalogue_source(&call.algorithm), err) : NULL;
  double cycles = call.profile ? time_on(machine, &call, err) : NAN;
  machine_free(machine);
  return cycles;
}

static void run_prediction(const struct experiment *experiment, struct pack *rows, struct err *why) {
  result_add_value(rows, "time", predict_now(experiment, why), "cycles");
}

struct prediction predict_call(struct plogp *plogp, struct machine *machine, const struct profile *profile,
                               const struct call *call) {
  static const struct experiment_kind kind = {.name = "prediction", .run = run_prediction};
  struct experiment experiment = {.kind = &kind, .machine = machine, .call = *call};
  struct err err = {""};
  struct result result = {.why = ""};
  experiment.call.profile = profile;
  experiment.call.seed = 0; /* one experiment for all seeds: bytes do not change the time */
  experiment.call.skew = experiment.call.skew_seed = 0;
  if (!plogp->ledger) {
    result.number = predict_now(&experiment, &err);
  } else if (!ledger_ask(plogp->ledger, &experiment, &result)) {
    return predict_exactly(1);
  }
  plogp->unmeasured = result.stopped ? result.why : plogp->unmeasured;
  struct prediction prediction = predict_exactly(result.number);
  prediction.nothing = *result.why ? result.why : NULL;
  return prediction;
}

struct prediction predict_by_model(struct plogp *plogp, enum model model, const struct call *call) {
  struct cost cost;
  struct prediction prediction = predict_none(NULL);
  bool hosts = !platform_has_spes(plogp->platform);
  plogp->unmeasured = NULL;
  if (model != MODEL_REFINED && !hosts) {
    predict_equation *equation = predict_find(plogp, model, call, &cost);
    prediction = equation ? evaluate(equation, cost) : prediction;
  } else if ((hosts && call->nranks < 2) || !predict_runs(plogp, call)) {
    return prediction;
  } else if (model == MODEL_REFINED) {
    struct machine *machine = hosts ? plogp->machine : machine_on_rates(plogp->machine);
    prediction = predict_call(plogp, machine, plogp->profile, call);
  } else {
    prediction = predict_on_hosts(plogp, model, call);
  }
  if (plogp->unmeasured) {
    prediction = predict_none(NULL);
  }
  prediction.unmeasured = plogp->unmeasured;
  return prediction;
}
