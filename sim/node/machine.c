/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/node/machine.h"

#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/network/network_reader.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include "sim/net/fabric.h"
#include "sim/net/net.h"
#include "sim/node/machine_state.h"

int machine_begin(struct err *err) {
  return network_reader_begin(err) == 0 ? des_init(err) : -1;
}

struct machine *machine_new(const struct platform *platform) {
  return blades_new(platform, 1, NULL, NULL);
}

struct machine *machine_owning(struct platform *platform) {
  struct machine *machine = platform ? machine_new(platform) : NULL;
  if (machine) {
    machine->own = platform;
  }
  return machine;
}

struct machine *machine_of_nodes(const struct platform *platform, unsigned nnodes, uint64_t seed,
                                 struct err *err) {
  struct net *net = net_new(platform, seed, err);
  if (!net) {
    return NULL;
  }
  return platform_has_spes(platform) ? blades_new(platform, nnodes, net, err) : hosts_new(platform, net);
}

void machine_free(struct machine *machine) {
  if (machine) {
    machine->kind->free(machine);
  }
}

struct machine *machine_for_times(struct platform *platform) {
  platform_choose_bus(platform, PLATFORM_BUS_RATES);
  struct machine *machine = machine_owning(platform);
  blade_keep_times_only(machine->blades[0]);
  return machine;
}

struct machine *machine_on_rates(struct machine *machine) {
  if (!machine->twin) {
    machine->twin = machine_for_times(platform_copy(machine->platform));
  }
  return machine->twin;
}

const struct platform *machine_platform(const struct machine *machine) {
  return machine->platform;
}

struct machine_nodes machine_nodes(const struct machine *machine) {
  struct machine_nodes nodes = {.platform = machine->platform,
                                .host_platform = machine->host_platform,
                                .n = machine->nblades + machine->nhosts + machine->nprocesses,
                                .nblades = machine->nblades,
                                .nspes = machine->blades ? blade_nspes(machine->blades[0]) : 0,
                                .has_network = machine->net,
                                .look_ahead = machine->look_ahead};
  if (machine->net) {
    nodes.names = platform_node_names(machine->platform);
    nodes.names.first_host = machine->nhosts ? machine->nblades : 0;
  }
  return nodes;
}

struct blade *machine_blade(const struct machine *machine, unsigned node) {
  return machine->blades ? machine->blades[node] : NULL;
}

unsigned machine_cluster(const struct machine *machine, unsigned node) {
  return machine->net->fabric->zones[node / machine->platform->node.processes];
}

int machine_check_routes(const struct machine *machine, const unsigned nodes[], unsigned n, struct err *err) {
  const struct platform *platform = machine->platform;
  unsigned each = machine->nprocesses ? platform->node.processes : machine->blades_per_host;
  SCOPED bool *among = xcalloc(platform->node.count, sizeof *among);
  for (unsigned i = 0; i < n; i++) {
    among[nodes[i] / (each ? each : 1)] = true;
  }
  return fabric_check_routes(machine->net->fabric, among, err);
}

void machine_reset(struct machine *machine, const struct machine_memory *memory) {
  if (machine->net) {
    net_reset(machine->net);
  }
  machine->kind->reset(machine, memory);
}

void machine_start(struct machine *machine, struct place place, struct machine_program *program) {
  machine->kind->start(machine, place, program);
}

uint8_t *machine_memory(const struct machine *machine, struct place place) {
  return machine->kind->memory(machine, place);
}

struct blade_result machine_run(struct machine *machine) {
  return machine->kind->run(machine);
}

struct machine_traffic machine_traffic(const struct machine *machine) {
  static const struct net_totals none;
  const struct net_totals *totals = machine->net ? &machine->net->totals : &none;
  struct machine_traffic traffic = {.messages = totals->nmessages,
                                    .bytes = totals->nbytes,
                                    .retransmissions = totals->nretransmissions,
                                    .transfers = machine->ntransfers,
                                    .crossing = machine->ncrossing,
                                    .calls = machine->calls};
  for (unsigned i = 0; i < machine->nblades; i++) {
    struct bus_traffic bus = blade_bus_traffic(machine->blades[i]);
    traffic.bus.dma_commands += bus.dma_commands;
    traffic.bus.bus_requests += bus.bus_requests;
    traffic.bus.eib_bytes += bus.eib_bytes;
    traffic.bus.bif_bytes += bus.bif_bytes;
    random_absorb(&traffic.calls, bus.calls);
  }
  return traffic;
}

/* Let PROBE see the events of the nodes and of the network of MACHINE, or no more. */
static void connect(struct machine *machine, struct probe *probe, bool on) {
  if (machine->net) {
    (on ? net_attach : net_detach)(machine->net, probe);
  }
  machine->kind->connect(machine, probe, on);
}

void machine_attach(struct machine *machine, struct observer *observer) {
  if (observer->begin) {
    struct machine_nodes nodes = machine_nodes(machine);
    observer->begin(observer, &nodes);
  }
  connect(machine, observer->probe, true);
}

void machine_detach(struct machine *machine, struct observer *observer) {
  connect(machine, observer->probe, false);
  if (observer->end) {
    observer->end(observer);
  }
}
