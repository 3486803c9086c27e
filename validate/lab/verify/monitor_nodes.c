/* SPDX-License-Identifier: BSD-3-Clause
 * See monitor.h: a monitor for each blade of a machine of several nodes. */
#include "sim/base/xalloc.h"
#include "validate/lab/verify/monitor.h"

#include <stdlib.h>

void monitor_spread(struct monitor *monitor, const struct machine *machine) {
  struct machine_nodes nodes = machine_nodes(machine);
  if (monitor && nodes.has_network) {
    monitor->names = nodes.names;
    monitor->nnodes = nodes.nblades;
    monitor->nodes = xcalloc(monitor->nnodes, sizeof *monitor->nodes);
  }
  for (unsigned i = 0; monitor && i < monitor->nnodes; i++) {
    monitor_init(&monitor->nodes[i], machine_blade(machine, i));
  }
}

void monitor_gather(struct monitor *monitor) {
  for (unsigned i = 0; monitor && i < monitor->nnodes; i++) {
    char *text = monitor_verdict(&monitor->nodes[i]);
    if (text && monitor->count++ == 0) {
      char name[NODE_NAME_SIZE];
      node_name(&monitor->names, i, name);
      monitor->first = xasprintf("%s: %s", name, text);
    }
    free(text);
    monitor_fini(&monitor->nodes[i]);
  }
  if (monitor) {
    free(monitor->nodes);
    monitor->nodes = NULL;
    monitor->nnodes = 0;
  }
}

struct monitor *monitor_at(struct monitor *monitor, const struct rig_part *part) {
  return monitor && monitor->nodes ? &monitor->nodes[part->node] : monitor;
}
