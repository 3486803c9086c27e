/* SPDX-License-Identifier: BSD-3-Clause
 * See node_watch.h. */
#include "validate/lab/node_watch.h"

#include "platform/platform.h"
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
                                         .names = platform_node_names(blade_platform(machine->blade)),
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
    if (machine->hosts) {
      hosts_attach(machine->hosts, watch->probe);
    } else {
      cluster_attach(machine->cluster, watch->probe);
    }
  }
}

void node_watch_end(struct node_watch *list, const struct rigs_machine *machine, bool whole) {
  for (struct node_watch *watch = find(list, machine, whole); watch;
       watch = find(watch->next, machine, whole)) {
    if (machine->hosts) {
      hosts_detach(machine->hosts, watch->probe);
    } else {
      cluster_detach(machine->cluster, watch->probe);
    }
    if (watch->end) {
      watch->end(watch);
    }
  }
}
