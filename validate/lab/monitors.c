/* SPDX-License-Identifier: BSD-3-Clause
 * See monitors.h. */
#include "validate/lab/monitors.h"

#include "sim/base/xalloc.h"
#include "sim/node/cluster.h"
#include "validate/lab/rigs.h"

#include <stdlib.h>

void monitors_init(struct monitors *monitors, struct monitor *all, const struct rigs_machine *machine) {
  *monitors = (struct monitors){.all = all};
  if (all && machine->cluster) {
    monitors->n = cluster_nnodes(machine->cluster);
    monitors->names = cluster_names(machine->cluster);
    monitors->nodes = xcalloc(monitors->n, sizeof *monitors->nodes);
  }
  for (unsigned i = 0; i < monitors->n; i++) {
    monitor_init(&monitors->nodes[i], cluster_machine(machine->cluster, i));
  }
}

void monitors_fini(struct monitors *monitors) {
  for (unsigned i = 0; i < monitors->n; i++) {
    char *text = monitor_verdict(&monitors->nodes[i]);
    if (text && monitors->all->count++ == 0) {
      char name[NODE_NAME_SIZE];
      node_name(&monitors->names, i, name);
      monitors->all->first = xasprintf("%s: %s", name, text);
    }
    free(text);
    monitor_fini(&monitors->nodes[i]);
  }
  free(monitors->nodes);
}

/* Return the monitor of rig RIG of RIGS. */
static struct monitor *monitor_at(const struct monitors *monitors, const struct rigs *rigs, unsigned rig) {
  return monitors->nodes ? &monitors->nodes[rigs->machines[rig]] : monitors->all;
}

struct monitor *monitors_of(const struct monitors *monitors, const struct rigs *rigs, unsigned rank) {
  return monitor_at(monitors, rigs, monitors->nodes ? rigs->node_of[rank] : 0);
}

void monitors_begin(struct monitors *monitors, const struct rigs *rigs, uint64_t seed) {
  for (unsigned i = 0; monitors->all && i < rigs->n; i++) {
    monitor_begin(monitor_at(monitors, rigs, i), &rigs->nodes[i], seed);
  }
}

void monitors_end(struct monitors *monitors, const struct rigs *rigs) {
  for (unsigned i = 0; monitors->all && i < rigs->n; i++) {
    monitor_end(monitor_at(monitors, rigs, i));
  }
}
