/* SPDX-License-Identifier: BSD-3-Clause
 * See monitor.h: a monitor for each blade of a machine of several nodes; a monitor of processes. */
#include "sim/base/xalloc.h"
#include "sim/hw/board/ea.h"
#include "validate/lab/verify/monitor.h"

#include <stdlib.h>

void monitor_spread(struct monitor *monitor, const struct machine *machine) {
  struct machine_nodes nodes = machine_nodes(machine);
  if (monitor && nodes.has_network && nodes.nblades > 0) {
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
    SCOPED char *text = monitor_take(&monitor->nodes[i]);
    if (text && monitor->count++ == 0) {
      monitor->first = xasprintf("%s: %s", node_name(&monitor->names, i), text);
    }
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

/* --- processes --- */

/* A program of process PROGRAM copies: from or to the memory of another process one end counts, the end in
 * that memory. */
static void see_copy(struct ownership *ownership, const struct probe_ppe_touch *touch, bool writes) {
  struct owned there = ownership_find(ownership, touch->ea, touch->nbytes);
  struct owned here = {.kind = OWNED_BUFFER, .rank = ownership->rank_of[touch->program]};
  ownership_move(ownership, writes ? &here : &there, writes ? &there : &here, touch->nbytes);
}

static void see_event_of_node(struct probe *probe, const struct probe_event *event) {
  struct ownership *ownership =
    &((struct monitor *)((char *)probe - offsetof(struct monitor, counting)))->ownership;
  const struct probe_enqueue *enqueue = &event->enqueue;
  if (event->kind == PROBE_ENQUEUE && !enqueue->fence) { /* no tell: the bytes of a tell are no data */
    struct owned here =
      ownership_find(ownership, ea_of_process(enqueue->dma.spe, enqueue->ls), enqueue->dma.nbytes);
    struct owned there = ownership_find(ownership, enqueue->ea, enqueue->dma.nbytes);
    ownership_move(ownership, enqueue->is_put ? &here : &there, enqueue->is_put ? &there : &here,
                   enqueue->dma.nbytes);
  } else if (event->kind == PROBE_PPE_LOAD || event->kind == PROBE_PPE_STORE) {
    see_copy(ownership, &event->ppe_touch, event->kind == PROBE_PPE_STORE);
  }
}

void monitor_begin_on_hosts(struct monitor *monitor, const struct rig *rig) {
  ownership_fini(&monitor->ownership);
  ownership_init(&monitor->ownership, &rig->parts[0]);
  monitor->observer.probe = &monitor->counting;
  monitor->counting = (struct probe){.see = see_event_of_node, .accesses_only = true};
  machine_attach(rig->machine, &monitor->observer);
}

void monitor_end_on_hosts(struct monitor *monitor, const struct rig *rig) {
  machine_detach(rig->machine, &monitor->observer);
  ownership_fini(&monitor->ownership);
}
