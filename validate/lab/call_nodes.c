/* SPDX-License-Identifier: BSD-3-Clause
 * See call_nodes.h. */
#include "validate/lab/call_nodes.h"

#include "sim/base/xalloc.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* --- counters --- */

static void begin_counters(struct node_watch *watch, const struct node_watch_machine *machine) {
  struct call_counters *counters = (struct call_counters *)watch;
  counters->n = machine->nblades;
  counters->net.names = machine->names.hosts;
  counters->utilisations = xcalloc(counters->n, sizeof *counters->utilisations);
  for (unsigned i = 0; i < counters->n; i++) {
    utilisation_init(&counters->utilisations[i], machine->platform);
  }
}

static void see_for_counters(struct probe *probe, const struct probe_event *event) {
  struct call_counters *counters =
    (struct call_counters *)((char *)probe - offsetof(struct call_counters, probe));
  if (probe_is_of_message(event) || event->node == PROBE_NOBODY) {
    net_counters_see(&counters->net, event);
  } else if (event->node < counters->n) {
    struct probe *node = &counters->utilisations[event->node].probe;
    node->see(node, event);
  }
}

void call_counters_init(struct call_counters *counters) {
  *counters = (struct call_counters){.watch = {.begin = begin_counters, .probe = &counters->probe},
                                     .probe = {.see = see_for_counters, .details = true}};
  net_counters_init(&counters->net);
}

void call_counters_fini(struct call_counters *counters) {
  for (unsigned i = 0; i < counters->n; i++) {
    utilisation_fini(&counters->utilisations[i]);
  }
  free(counters->utilisations);
  net_counters_fini(&counters->net);
}

/* The counters of a node on their way. */
struct of_node {
  unsigned node;
  void (*show)(void *context, const struct utilisation_row *row);
  void *context;
};

/* Show ROW with its node. */
static void show_of_node(void *context, const struct utilisation_row *row) {
  const struct of_node *of_node = context;
  struct utilisation_row whole = *row;
  char where[128];
  snprintf(where, sizeof where, "node %u %s", of_node->node, row->where);
  whole.where = where;
  of_node->show(of_node->context, &whole);
}

double call_counters_cycles(struct call_counters *counters) {
  uint64_t end = 1000 * counters->net.end;
  for (unsigned i = 0; i < counters->n; i++) {
    end = counters->utilisations[i].end_mcyc > end ? counters->utilisations[i].end_mcyc : end;
  }
  for (unsigned i = 0; i < counters->n; i++) {
    counters->utilisations[i].end_mcyc = end;
  }
  counters->cycles = (double)end / 1000;
  return counters->cycles;
}

void call_counters_list(const struct call_counters *counters,
                        void (*show)(void *context, const struct utilisation_row *row), void *context) {
  net_counters_list(&counters->net, counters->cycles, show, context);
  for (unsigned i = 0; i < counters->n; i++) {
    struct of_node of_node = {i, show, context};
    utilisation_list(&counters->utilisations[i], show_of_node, &of_node);
  }
}

/* --- hazards --- */

static void begin_hazards(struct node_watch *watch, const struct node_watch_machine *machine) {
  struct call_hazards *hazards = (struct call_hazards *)watch;
  hazards->on_hosts = machine->names.processes;
  hazards->names = machine->names;
  hazards->n = hazards->on_hosts ? 1 : machine->nblades;
  hazards->hazards = xcalloc(hazards->n, sizeof *hazards->hazards);
  if (hazards->on_hosts) {
    hazard_init_hosts(&hazards->hazards[0], machine->nnodes);
  }
  for (unsigned i = 0; !hazards->on_hosts && i < hazards->n; i++) {
    hazard_init(&hazards->hazards[i], machine->nspes);
  }
}

static void see_for_hazards(struct probe *probe, const struct probe_event *event) {
  const struct call_hazards *hazards =
    (const struct call_hazards *)((char *)probe - offsetof(struct call_hazards, probe));
  if (event->node < hazards->n && !probe_is_of_message(event)) {
    struct probe *node = &hazards->hazards[event->node].probe;
    node->see(node, event);
  }
}

/* Collect what all detectors have seen, and release them. */
static void end_hazards(struct node_watch *watch) {
  struct call_hazards *hazards = (struct call_hazards *)watch;
  unsigned nlines = 0;
  for (unsigned i = 0; i < hazards->n; i++) {
    struct hazard *hazard = &hazards->hazards[i];
    hazards->count += hazard->count;
    for (unsigned k = 0; k < HAZARD_LINES_MAX && hazard->lines[k] && nlines < HAZARD_LINES_MAX; k++) {
      char name[NODE_NAME_SIZE];
      node_name(&hazards->names, i, name);
      hazards->lines[nlines++] =
        hazards->on_hosts ? xstrdup(hazard->lines[k]) : xasprintf("%s: %s", name, hazard->lines[k]);
    }
    hazard_fini(hazard);
  }
  free(hazards->hazards);
  hazards->hazards = NULL;
  hazards->n = 0;
}

void call_hazards_init(struct call_hazards *hazards) {
  *hazards = (struct call_hazards){
    .watch = {.whole = true, .begin = begin_hazards, .probe = &hazards->probe, .end = end_hazards},
    .probe = {.see = see_for_hazards, .details = true, .accesses_only = true}};
}

void call_hazards_fini(struct call_hazards *hazards) {
  for (unsigned i = 0; i < HAZARD_LINES_MAX; i++) {
    free(hazards->lines[i]);
  }
}

/* --- records --- */

static void begin_records(struct node_watch *watch, const struct node_watch_machine *machine) {
  struct call_records *records = (struct call_records *)watch;
  unsigned n = machine->nnodes;
  records->records = xcalloc(n, sizeof *records->records);
  records->nodes = xcalloc(n, sizeof *records->nodes);
  for (unsigned i = 0; i < n; i++) {
    bool is_host = node_is_host(&machine->names, i);
    record_init_of_node(&records->records[i], is_host ? machine->host_platform : machine->platform,
                        &records->share);
    records->nodes[i] = &records->records[i];
  }
  records->all = (struct path_records){records->nodes, n, &records->net, machine->names};
}

static void see_for_records(struct probe *probe, const struct probe_event *event) {
  struct call_records *records =
    (struct call_records *)((char *)probe - offsetof(struct call_records, probe));
  if (probe_is_of_message(event) || event->node == PROBE_NOBODY) {
    net_record_see(&records->net, event);
  } else {
    struct probe *node = &records->records[event->node].probe;
    node->see(node, event);
  }
}

void call_records_init(struct call_records *records, uint64_t nbytes_max) {
  *records = (struct call_records){.watch = {.begin = begin_records, .probe = &records->probe},
                                   .probe = {.see = see_for_records, .details = true},
                                   .share.nbytes_max = nbytes_max};
  net_record_init(&records->net, &records->share);
}

void call_records_fini(struct call_records *records) {
  for (unsigned i = 0; i < records->all.n; i++) {
    record_fini(&records->records[i]);
  }
  free(records->records);
  free(records->nodes);
  net_record_fini(&records->net);
}
