/* SPDX-License-Identifier: BSD-3-Clause
 * See node_watch.h. */
#include "validate/lab/node_watch.h"

#include "sim/hw/blade.h"
#include "sim/node/cluster.h"
#include "sim/node/hosts.h"
#include "validate/lab/rigs.h"

#include <stddef.h>

/* Describe MACHINE. */
static struct node_watch_machine describe(const struct rigs_machine *machine) {
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

/* Let PROBE, NULL: nobody, watch NODE of MACHINE, or no more. */
static void connect_node(const struct rigs_machine *machine, unsigned node, struct probe *probe, bool on) {
  if (probe && machine->hosts) {
    (on ? hosts_attach_process : hosts_detach_process)(machine->hosts, node, probe);
  } else if (probe) {
    (on ? blade_attach : blade_detach)(cluster_machine(machine->cluster, node), probe);
  }
}

/* Let all probes of WATCH watch the NNODES nodes of MACHINE and what is between them, or no more. */
static void connect_watch(const struct rigs_machine *machine, unsigned nnodes, struct node_watch *watch,
                          bool on) {
  for (unsigned i = 0; i < nnodes; i++) {
    connect_node(machine, i, watch->of_node(watch, i), on);
  }
  struct net_probe *net = watch->of_network ? watch->of_network(watch) : NULL;
  if (net && machine->hosts) {
    (on ? hosts_attach : hosts_detach)(machine->hosts, net);
  } else if (net) {
    (on ? cluster_attach : cluster_detach)(machine->cluster, net);
  }
  if (watch->of_accesses && machine->hosts) {
    (on ? hosts_attach_accesses : hosts_detach_accesses)(machine->hosts, watch->of_accesses(watch));
  }
}

/* Return the first of LIST whose `whole` is WHOLE; NULL: there is none, or MACHINE is a single blade. */
static struct node_watch *find(struct node_watch *list, const struct rigs_machine *machine, bool whole) {
  bool several = machine->cluster || machine->hosts;
  while (list && !(several && list->whole == whole)) {
    list = list->next;
  }
  return list;
}

void node_watch_begin(struct node_watch *list, const struct rigs_machine *machine, bool whole) {
  for (struct node_watch *watch = find(list, machine, whole); watch;
       watch = find(watch->next, machine, whole)) {
    struct node_watch_machine watched = describe(machine);
    watch->begin(watch, &watched);
    connect_watch(machine, watched.nnodes, watch, true);
  }
}

void node_watch_end(struct node_watch *list, const struct rigs_machine *machine, bool whole) {
  for (struct node_watch *watch = find(list, machine, whole); watch;
       watch = find(watch->next, machine, whole)) {
    connect_watch(machine, describe(machine).nnodes, watch, false);
    if (watch->end) {
      watch->end(watch);
    }
  }
}
