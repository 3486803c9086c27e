/* SPDX-License-Identifier: BSD-3-Clause
 * See predict.h. Predictions of calls on hosts:
 *
 *   published          of a scatter, a gather or a direct all-to-all for k ports: Qian, Afsahi 2006,
 *                      equations 1 and 2; of a direct all-to-all with all messages at once: Steffenel,
 *                      Martinasso, Trystram 2007, equation 5, on the signature of the network of
 *                      alltoall:grid on hosts of two clusters: equation 6 of the same
 *   analogy            of alltoall:grid there: equation 6 with the n1 blocks that a message carries, in place
 *                      of n1 + n2
 *   naive-contention   of all-to-alls: the bound without contention, equation 1 of the same
 *   refined            ours: the program on the same hosts and NICs with a simple network: one switch without
 *                      losses and without sharing inside the switch. Known of the network: the time of a
 *                      short message alone, of each further byte, and the way of sending (packets, TCP
 *                      windows, or held whole) */
#include "validate/model/predict.h"

#include "platform/platform.h"
#include "sim/base/text.h"
#include "validate/lab/rig/rig.h"
#include "validate/model/measured/network_values.h"
#include "validate/model/measured/ports.h"

#include <math.h>
#include <string.h>

static const char no_equation[] = "no equation is printed", no_bound[] = "the bound is one of all-to-alls",
                  one_cluster[] = "all ranks are in one cluster",
                  no_time[] = "the signature gives no time above 0";

/* --- equations --- */

/* Equations 1 and 2 of Qian and Afsahi; 5 and 6 of Steffenel et al., and the bound, equation 1. */
enum equation { NONE, PORTS_TREE, PORTS_DIRECT, EXCHANGE, CLUSTERS, BOUND };

/* Return the published equation for CALL. The equation of exchanges holds where all messages of a
 * rank are in transit at once. */
static enum equation published(const struct call *call) {
  const struct algo *algo = call->algorithm.algo;
  enum collective collective = algo->collective;
  bool tree = strcmp(algo->name, "binomial") == 0;
  if ((collective == COLL_SCATTER || collective == COLL_GATHER) && tree) {
    return PORTS_TREE;
  }
  if (collective == COLL_ALLTOALL && strcmp(algo->name, "direct") == 0) {
    return call->algorithm.values[0] + 1 < call->nranks ? PORTS_DIRECT : EXCHANGE;
  }
  if (collective == COLL_ALLTOALL && strcmp(algo->name, "grid") == 0) {
    return CLUSTERS;
  }
  return collective == COLL_SCATTER && strcmp(algo->name, "sequential") == 0 ? PORTS_DIRECT : NONE;
}

static double evaluate(enum equation equation, const struct call *call, const struct signature *values) {
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
  unsigned fewer = ranks[0] < ranks[1] ? ranks[0] : ranks[1];
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
  double cycles = why ? NAN : evaluate(equation, call, &area.clusters[0]);
  return why ? predict_none(why) : cycles <= 0 ? predict_none(no_time) : predict_exactly(cycles);
}

/* --- the refined model --- */

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
  if (platform_set_all(copy, settings, sizeof settings / sizeof *settings, err) != 0) {
    platform_free(copy);
    return NULL;
  }
  return copy;
}

/* A message alone takes the same time on the model as on PLATFORM: a first switch is measured too, and
 * corrected by the time that headers and the second link have added. */
struct platform *predict_host_model(const struct platform *platform, struct err *err) {
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

struct prediction predict_on_hosts(struct plogp *plogp, enum model model, const struct call *call) {
  switch (model) {
  case MODEL_PUBLISHED:
  case MODEL_NAIVE_CONTENTION:
    return predict_by_equation(plogp, model, call);
  default:
    return model == MODEL_ANALOGY && published(call) == CLUSTERS ? predict_clusters(plogp, model, call)
                                                                 : predict_none(NULL);
  }
}
