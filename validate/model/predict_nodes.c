/* SPDX-License-Identifier: BSD-3-Clause
 * See predict.h. Which sizes messages have is known only when the programs have run: they run, latencies and
 * gaps of sizes that were not known are measured, and they run again until all were. */
#include "validate/model/predict.h"

#include "algos/cluster/host_call.h"
#include "algos/cost/model_cluster.h"
#include "platform/platform.h"
#include "sim/base/des.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/rigs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A size of messages on a hop. */
struct size {
  enum model_hop hop;
  size_t nbytes;
  struct model_pass pass;
};

/* All of them so far, of which the first ones have been measured. */
struct sizes {
  struct size *items;
  size_t n, nmeasured;
  bool in_vain; /* one of these has no latency or gap */
};

static struct model_pass look_up(void *context, enum model_hop hop, size_t nbytes) {
  struct sizes *sizes = context;
  for (size_t i = 0; i < sizes->n; i++) {
    if (sizes->items[i].hop == hop && sizes->items[i].nbytes == nbytes) {
      return sizes->items[i].pass;
    }
  }
  sizes->items = xrealloc(sizes->items, sizes->n + 1, sizeof *sizes->items);
  sizes->items[sizes->n++] = (struct size){.hop = hop, .nbytes = nbytes, .pass = {1, 1, 1}};
  return (struct model_pass){1, 1, 1};
}

/* Measure what is not known of SIZES, with NHOSTS hosts.
 * returns: whether something was not. */
static bool measure(struct sizes *sizes, struct plogp *plogp, unsigned nhosts) {
  static const enum cost_parameter parameters[MODEL_HOPS][3] = {
    [MODEL_HOP_NODES] = {COST_L_NODE, COST_G_NODE, COST_G_NODE_IN},
    [MODEL_HOP_PCIE] = {COST_L3, COST_G3, COST_G3}, /* nobody else is on that link */
    [MODEL_HOP_HOSTS] = {COST_L4, COST_G4, COST_G4_IN}};
  bool some = sizes->nmeasured < sizes->n;
  for (; sizes->nmeasured < sizes->n; sizes->nmeasured++) {
    struct size *size = &sizes->items[sizes->nmeasured];
    const enum cost_parameter *of = parameters[size->hop];
    size_t m = size->nbytes ? size->nbytes : COST_ACK;
    unsigned n = size->hop == MODEL_HOP_HOSTS ? nhosts : 0;
    size->pass = (struct model_pass){plogp_get(plogp, of[0], m, n), plogp_get(plogp, of[1], m, n), NAN};
    size->pass.into = plogp_exists(plogp->blade, of[2]) ? plogp_get(plogp, of[2], m, n) : size->pass.gap;
    sizes->in_vain |= isnan(size->pass.latency) || isnan(size->pass.gap);
  }
  return some;
}

enum { COMBINED = 4096 /* bytes by which the rate of a host is measured */ };

/* Run the call of SPEC once, on what is known of NETWORK; STOP: as model_machine_run. */
static double run_once(struct model_machine *machine, const struct plogp *plogp, const struct rig_spec *spec,
                       const struct model_network *network, struct model_stop *stop) {
  struct rig_spec with_costs = *spec;
  struct rigs_groups groups;
  with_costs.profile = plogp->profile;
  rigs_groups_init(&groups, plogp->blade, &with_costs);
  unsigned n = groups.n + groups.nhosts, *numbers = xcalloc(n, sizeof *numbers);
  for (unsigned i = 0; i < n; i++) {
    struct cluster_call *cluster = groups.items[i].cluster;
    numbers[i] = i < groups.n ? groups.rigs.machines[i] : groups.rigs.hosts.machines[i - groups.n];
    cluster->flags_ea = MODEL_WORDS_EA;
    cluster->data_ea = MODEL_DATA_EA;
    cluster->work_ea = MODEL_WORK_EA;
    cluster->inner.port = cluster->release.port = &model_port;
    cluster->inner.nrepeats = cluster->release.nrepeats = 1;
  }
  struct model_parts parts = {.groups = groups.items,
                              .numbers = numbers,
                              .n = groups.n,
                              .nhosts = groups.nhosts,
                              .program = cluster_main,
                              .host_program = host_call_main};
  double cycles = model_cluster_run(machine, &parts, network, stop);
  free(numbers);
  rigs_groups_fini(&groups);
  return cycles;
}

double predict_nodes(struct model_machine *machine, const struct plogp *plogp, const struct rig_spec *spec,
                     struct model_stop *stop) {
  const struct platform *platform = blade_platform(plogp->blade);
  unsigned per_host = platform_blades_per_host(platform);
  unsigned nodes = placement_nodes(&spec->placement, plogp->blade, spec->nranks);
  unsigned packet = platform->network.packet;
  bool tcp = strcmp(platform->network.transport, "tcp") == 0,
       lossless = strcmp(platform->network.transport, "lossless") == 0;
  /* What leaves of a message before others can: of TCP, as soon as it is warm, a window; of a lossless
   * network a packet; 0: all. */
  uint32_t window = tcp        ? (uint32_t)(platform->network.window * 1024 / packet) * packet
                    : lossless ? packet
                               : 0;
  struct sizes sizes = {0};
  struct model_network network = {
    .pass = look_up, .context = &sizes, .packet = packet, .window = window, .acknowledged = tcp};
  struct plogp own; /* without a ledger */
  double cycles;
  plogp_init(&own, plogp->blade, plogp->profile);
  if (per_host) {
    network.host_combines = plogp_get(&own, COST_GAMMA_HOST, COMBINED, 0) / COMBINED;
    network.host_sends = plogp_exists(own.blade, COST_O4) ? plogp_get(&own, COST_O4, COST_ACK, 0) : 0;
  }
  do {
    cycles = run_once(machine, plogp, spec, &network, stop);
  } while (measure(&sizes, &own, per_host ? (nodes + per_host - 1) / per_host : 0) && !sizes.in_vain &&
           !des_interrupted());
  plogp_fini(&own);
  free(sizes.items);
  return sizes.in_vain ? NAN : cycles;
}
