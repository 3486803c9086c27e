/* SPDX-License-Identifier: BSD-3-Clause
 * See node_watch.h. */
#include "validate/lab/node_watch.h"

#include "sim/hw/blade.h"
#include "sim/node/cluster.h"
#include "sim/node/hosts.h"
#include "validate/lab/rigs.h"

#include <stddef.h>

/* Describe MACHINE. */
static struct node_watch_machine
describe(const struct rigs_machine *machine)
{
  const struct cluster *cluster = machine->cluster;
  const struct blade *host =
    cluster && cluster_nhosts(cluster) ? cluster_machine(cluster, cluster_nnodes(cluster)) : NULL;
  return machine->hosts
           ? (struct node_watch_machine){.platform = blade_platform(machine->blade),
                                         .names.processes = true,
                                         .nnodes = hosts_nprocesses(machine->hosts),
                                         .look_ahead = UINT64_MAX}
           /* programs run ahead as far as they like */
           : (struct node_watch_machine){.platform = blade_platform(machine->blade),
                                         .host_platform = host ? blade_platform(host) : NULL,
                                         .names = cluster_names(cluster),
                                         .nnodes = cluster_nnodes(cluster) + cluster_nhosts(cluster),
                                         .nblades = cluster_nnodes(cluster),
                                         .nspes = blade_nspes(machine->blade),
                                         .look_ahead = cluster_look_ahead(cluster)};
}

/* Let PROBE, NULL: nobody, watch NODE of MACHINE; or no more. */
static void
attach_node(const struct rigs_machine *machine, unsigned node, struct probe *probe)
{
  if (probe && machine->hosts) {
    hosts_attach_process(machine->hosts, node, probe);
  } else if (probe) {
    blade_attach(cluster_machine(machine->cluster, node), probe);
  }
}

static void
detach_node(const struct rigs_machine *machine, unsigned node, struct probe *probe)
{
  if (probe && machine->hosts) {
    hosts_detach_process(machine->hosts, node, probe);
  } else if (probe) {
    blade_detach(cluster_machine(machine->cluster, node), probe);
  }
}

void
node_watch_begin(struct node_watch *list, const struct rigs_machine *machine, bool whole)
{
  if (!machine->cluster && !machine->hosts) {
    return;
  }
  struct node_watch_machine watched = describe(machine);
  for (struct node_watch *watch = list; watch; watch = watch->next) {
    if (watch->whole != whole) {
      continue;
    }
    watch->begin(watch, &watched);
    for (unsigned i = 0; i < watched.nnodes; i++) {
      attach_node(machine, i, watch->of_node(watch, i));
    }
    struct net_probe *net = watch->of_network ? watch->of_network(watch) : NULL;
    if (net && machine->hosts) {
      hosts_attach(machine->hosts, net);
    } else if (net) {
      cluster_attach(machine->cluster, net);
    }
    if (watch->of_accesses && machine->hosts) {
      hosts_attach_accesses(machine->hosts, watch->of_accesses(watch));
    }
  }
}

void
node_watch_end(struct node_watch *list, const struct rigs_machine *machine, bool whole)
{
  if (!machine->cluster && !machine->hosts) {
    return;
  }
  struct node_watch_machine watched = describe(machine);
  for (struct node_watch *watch = list; watch; watch = watch->next) {
    if (watch->whole != whole) {
      continue;
    }
    for (unsigned i = 0; i < watched.nnodes; i++) {
      detach_node(machine, i, watch->of_node(watch, i));
    }
    struct net_probe *net = watch->of_network ? watch->of_network(watch) : NULL;
    if (net && machine->hosts) {
      hosts_detach(machine->hosts, net);
    } else if (net) {
      cluster_detach(machine->cluster, net);
    }
    if (watch->of_accesses && machine->hosts) {
      hosts_detach_accesses(machine->hosts, watch->of_accesses(watch));
    }
    if (watch->end) {
      watch->end(watch);
    }
  }
}
