/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/call/call_watch.h"

#include "sim/base/xalloc.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* --- counters --- */

static void begin_counters(struct observer *observer, const struct machine_nodes *nodes) {
  struct call_counters *counters = (struct call_counters *)observer;
  counters->of_nodes = nodes->has_network;
  counters->n = nodes->nblades;
  counters->net.names = nodes->names.hosts;
  counters->utilisations = xcalloc(counters->n, sizeof *counters->utilisations);
  for (unsigned i = 0; i < counters->n; i++) {
    utilisation_init(&counters->utilisations[i], nodes->platform);
  }
  if (!nodes->has_network) {
    observer->probe = &counters->utilisations[0].probe;
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
  *counters = (struct call_counters){.of_nodes = true,
                                     .observer = {.begin = begin_counters, .probe = &counters->probe},
                                     .probe = {.see = see_for_counters, .details = true}};
}

void call_counters_fini(struct call_counters *counters) {
  for (unsigned i = 0; i < counters->n; i++) {
    utilisation_fini(&counters->utilisations[i]);
  }
  free(counters->utilisations);
  net_counters_clear(&counters->net);
}

/* The counters of one node, handed to a callback. */
struct of_node {
  unsigned node;
  void (*show)(void *context, const struct utilisation_row *row);
  void *context;
};

/* Show ROW with the name of the node. */
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
  if (!counters->of_nodes) {
    utilisation_list(&counters->utilisations[0], show, context);
    return;
  }
  net_counters_list(&counters->net, counters->cycles, show, context);
  for (unsigned i = 0; i < counters->n; i++) {
    struct of_node of_node = {i, show, context};
    utilisation_list(&counters->utilisations[i], show_of_node, &of_node);
  }
}

/* --- hazards --- */

static void free_orders(struct call_hazards *hazards) {
  for (unsigned i = 0; i < hazards->n; i++) {
    order_free(hazards->orders[i]);
  }
  free(hazards->orders);
  order_net_free(hazards->net);
  hazards->orders = NULL;
  hazards->net = NULL;
  hazards->n = 0;
}

/* The detectors stay allocated from call to call, because of their size. */
static void begin_hazards(struct observer *observer, const struct machine_nodes *nodes) {
  struct call_hazards *hazards = (struct call_hazards *)observer;
  bool on_hosts = nodes->names.processes, was_on_hosts = hazards->names.processes;
  unsigned n = on_hosts ? 1 : nodes->n, nspes = on_hosts ? nodes->n : nodes->nspes;
  hazards->names = nodes->names;
  hazards->of_nodes = nodes->nblades > 0 && nodes->has_network;
  if (hazards->n != n || hazards->nspes != nspes || on_hosts != was_on_hosts) {
    free_orders(hazards);
    hazards->n = n;
    hazards->nspes = nspes;
    hazards->orders = xcalloc(hazards->n, sizeof(struct order *));
    hazards->net = order_net_new();
  }
  observer->probe = &hazards->probe;
  if (!hazards->of_nodes) {
    struct order **order = &hazards->orders[0];
    *order = *order ? *order : on_hosts ? order_new_on_hosts(nspes) : order_new(nspes, hazards->net);
    observer->probe = order_probe(*order);
  }
}

static void see_for_hazards(struct probe *probe, const struct probe_event *event) {
  const struct call_hazards *hazards =
    (const struct call_hazards *)((char *)probe - offsetof(struct call_hazards, probe));
  if (event->node >= hazards->n || probe_is_of_message(event)) {
    return;
  }
  struct order **order = &hazards->orders[event->node];
  if (!*order && event->kind != PROBE_RESET) {
    *order = order_new(hazards->nspes, hazards->net);
  }
  if (*order) {
    order_probe(*order)->see(order_probe(*order), event);
  }
}

/* Add the hazards of FOUND, on NODE, to the hazards of HAZARDS. */
static void take_hazards(struct call_hazards *hazards, struct hazard_list *found, unsigned node) {
  const char *name = node_name(&hazards->names, node);
  for (unsigned i = 0; i < HAZARD_LINES_MAX && i < found->count; i++) {
    hazard_list_add(&hazards->hazards, "%s%s%s", hazards->of_nodes ? name : "", hazards->of_nodes ? ": " : "",
                    found->lines[i]);
  }
  hazards->hazards.count += found->count > HAZARD_LINES_MAX ? found->count - HAZARD_LINES_MAX : 0;
  hazard_list_clear(found);
}

static void end_hazards(struct observer *observer) {
  struct call_hazards *hazards = (struct call_hazards *)observer;
  for (unsigned i = 0; i < hazards->n; i++) {
    if (hazards->orders[i]) {
      take_hazards(hazards, order_hazards(hazards->orders[i]), i);
    }
  }
}

void call_hazards_init(struct call_hazards *hazards) {
  *hazards = (struct call_hazards){
    .observer = {.whole = true, .begin = begin_hazards, .probe = &hazards->probe, .end = end_hazards},
    .probe = {.see = see_for_hazards, .details = true, .accesses_only = true, .orders = true}};
}

void call_hazards_fini(struct call_hazards *hazards) {
  free_orders(hazards);
  hazard_list_clear(&hazards->hazards);
}

/* --- records --- */

static void begin_records(struct observer *observer, const struct machine_nodes *nodes) {
  struct call_records *records = (struct call_records *)observer;
  unsigned n = nodes->n;
  records->records = xcalloc(n, sizeof *records->records);
  records->nodes = xcalloc(n, sizeof *records->nodes);
  for (unsigned i = 0; i < n; i++) {
    bool is_host = node_is_host(&nodes->names, i);
    record_init(&records->records[i], is_host ? nodes->host_platform : nodes->platform, &records->share);
    records->records[i].keeps_all = nodes->has_network;
    records->nodes[i] = &records->records[i];
  }
  records->all =
    (struct path_records){records->nodes, n, nodes->has_network ? &records->net : NULL, nodes->names};
  if (!nodes->has_network) {
    observer->probe = &records->records[0].probe;
  }
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
  *records = (struct call_records){.observer = {.begin = begin_records, .probe = &records->probe},
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

/* --- a trace --- */

static void begin_trace(struct observer *observer, const struct machine_nodes *nodes) {
  struct call_trace *trace = (struct call_trace *)observer;
  trace->spec.nnodes = nodes->has_network ? nodes->n : 0;
  trace->spec.names = nodes->names;
  trace->spec.host_platform = nodes->host_platform;
  trace->spec.look_ahead = nodes->look_ahead;
  trace->trace = trace_new(&trace->spec);
  observer->probe = trace_probe(trace->trace);
}

void call_trace_init(struct call_trace *trace, const struct trace_spec *spec, struct call *call) {
  *trace = (struct call_trace){.observer = {.next = call->observers, .begin = begin_trace}, .spec = *spec};
  call->observers = &trace->observer;
}

int call_trace_fini(struct call_trace *trace, struct err *err) {
  int status = trace->trace ? trace_end(trace->trace, err) : 0;
  trace->trace = NULL;
  return status;
}
