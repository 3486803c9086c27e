/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/call/call_watch.h"

#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>

/* --- nodes --- */

static void see(struct probe *probe, const struct probe_event *event) {
  const struct call_nodes *nodes = (const struct call_nodes *)probe;
  struct probe *owner = nodes->network;
  if (!probe_is_of_message(event) && event->node != PROBE_NOBODY) {
    owner = event->node < nodes->n ? nodes->probes[event->node] : NULL;
  }
  if (owner) {
    owner->see(owner, event);
  }
}

/* Make room in NODES for the observers of N nodes. */
static void make_room(struct call_nodes *nodes, unsigned n) {
  nodes->n = n;
  nodes->probes = xrealloc(nodes->probes, n + 1, sizeof *nodes->probes);
}

/* Return the observer for a machine, once all observers of NODES are known: with SEVERAL nodes NODES, which
 * looks at whatever the observer of a node looks at, else the observer of the only node. */
static struct probe *probe_of(struct call_nodes *nodes, bool several) {
  struct probe *first = nodes->n ? nodes->probes[0] : nodes->network;
  nodes->probe = *first;
  nodes->probe.see = see;
  return several ? &nodes->probe : first;
}

/* --- counters --- */

static void begin_counters(struct observer *observer, const struct machine_nodes *nodes) {
  struct call_counters *counters = (struct call_counters *)observer;
  counters->of_nodes = nodes->has_network;
  counters->net.names = nodes->names.hosts;
  make_room(&counters->nodes, nodes->nblades);
  counters->utilisations = xcalloc(nodes->nblades, sizeof *counters->utilisations);
  for (unsigned i = 0; i < nodes->nblades; i++) {
    utilisation_init(&counters->utilisations[i], nodes->platform);
    counters->nodes.probes[i] = &counters->utilisations[i].probe;
  }
  observer->probe = probe_of(&counters->nodes, nodes->has_network);
}

void call_counters_init(struct call_counters *counters) {
  *counters = (struct call_counters){
    .of_nodes = true, .observer.begin = begin_counters, .nodes.network = &counters->net.probe};
  net_counters_init(&counters->net);
}

void call_counters_fini(struct call_counters *counters) {
  VEC_EACH(utilisation, counters->utilisations, counters->nodes.n) {
    utilisation_fini(utilisation);
  }
  free(counters->utilisations);
  free(counters->nodes.probes);
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
  whole.where = text_brief("node %u %s", of_node->node, row->where);
  of_node->show(of_node->context, &whole);
}

double call_counters_cycles(struct call_counters *counters) {
  uint64_t end = 1000 * counters->net.end;
  VEC_EACH(utilisation, counters->utilisations, counters->nodes.n) {
    RAISE(end, utilisation->end_mcyc);
  }
  VEC_EACH(utilisation, counters->utilisations, counters->nodes.n) {
    utilisation->end_mcyc = end;
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
  for (unsigned i = 0; i < counters->nodes.n; i++) {
    struct of_node of_node = {i, show, context};
    utilisation_list(&counters->utilisations[i], show_of_node, &of_node);
  }
}

/* --- hazards --- */

static void free_orders(struct call_hazards *hazards) {
  VEC_EACH(order, hazards->orders, hazards->nodes.n) {
    order_free(*order);
  }
  free(hazards->orders);
  order_net_free(hazards->net);
}

/* The detectors stay allocated from call to call, because of their size. */
static void begin_hazards(struct observer *observer, const struct machine_nodes *nodes) {
  struct call_hazards *hazards = (struct call_hazards *)observer;
  bool on_hosts = nodes->names.processes, was_on_hosts = hazards->names.processes;
  unsigned n = on_hosts ? 1 : nodes->n, nspes = on_hosts ? nodes->n : nodes->nspes;
  hazards->names = nodes->names;
  hazards->of_nodes = nodes->nblades > 0 && nodes->has_network;
  if (hazards->nodes.n != n || hazards->nspes != nspes || on_hosts != was_on_hosts) {
    free_orders(hazards);
    hazards->nspes = nspes;
    make_room(&hazards->nodes, n);
    hazards->orders = xcalloc(n, sizeof(struct order *));
    hazards->net = order_net_new();
    for (unsigned i = 0; i < n; i++) {
      hazards->orders[i] = on_hosts ? order_new_on_hosts(nspes) : order_new(nspes, hazards->net);
      hazards->nodes.probes[i] = order_probe(hazards->orders[i]);
    }
  }
  observer->probe = probe_of(&hazards->nodes, hazards->of_nodes);
}

static void end_hazards(struct observer *observer) {
  struct call_hazards *hazards = (struct call_hazards *)observer;
  for (unsigned node = 0; node < hazards->nodes.n; node++) {
    struct hazard_list *found = order_hazards(hazards->orders[node]);
    const char *name = node_name(&hazards->names, node);
    for (unsigned i = 0; i < HAZARD_LINES_MAX && i < found->count; i++) {
      hazard_list_add(&hazards->hazards, "%s%s%s", hazards->of_nodes ? name : "",
                      hazards->of_nodes ? ": " : "", found->lines[i]);
    }
    hazards->hazards.count += found->count > HAZARD_LINES_MAX ? found->count - HAZARD_LINES_MAX : 0;
    hazard_list_clear(found);
  }
}

void call_hazards_init(struct call_hazards *hazards) {
  *hazards = (struct call_hazards){.observer = {.whole = true, .begin = begin_hazards, .end = end_hazards}};
}

void call_hazards_fini(struct call_hazards *hazards) {
  free_orders(hazards);
  free(hazards->nodes.probes);
  hazard_list_clear(&hazards->hazards);
}

/* --- records --- */

static void begin_records(struct observer *observer, const struct machine_nodes *nodes) {
  struct call_records *records = (struct call_records *)observer;
  unsigned n = nodes->n;
  make_room(&records->nodes, n);
  records->records = xcalloc(n, sizeof *records->records);
  records->places = xcalloc(n, sizeof *records->places);
  for (unsigned i = 0; i < n; i++) {
    bool is_host = node_is_host(&nodes->names, i);
    record_init(&records->records[i], is_host ? nodes->host_platform : nodes->platform, &records->share);
    records->records[i].keeps_all = nodes->has_network;
    records->places[i] = &records->records[i];
    records->nodes.probes[i] = &records->records[i].probe;
  }
  records->all =
    (struct path_records){records->places, n, nodes->has_network ? &records->net : NULL, nodes->names};
  observer->probe = probe_of(&records->nodes, nodes->has_network);
}

void call_records_init(struct call_records *records) {
  *records = (struct call_records){.observer.begin = begin_records,
                                   .nodes.network = &records->net.probe,
                                   .share.nbytes_max = RECORD_BYTES_MAX};
  net_record_init(&records->net, &records->share);
}

void call_records_fini(struct call_records *records) {
  VEC_EACH(record, records->records, records->nodes.n) {
    record_fini(record);
  }
  free(records->records);
  free(records->places);
  free(records->nodes.probes);
  net_record_fini(&records->net);
}

/* --- the critical path in records --- */

/* Append VALUE to PACK; or with TAKES take the next value.
 * returns: the value. */
static uint64_t pass_number(struct pack *pack, bool takes, uint64_t value) {
  if (takes) {
    return pack_take_count(pack);
  }
  pack_add_count(pack, value);
  return value;
}

/* The same with a text. */
static const char *pass_text(struct pack *pack, bool takes, const char *text) {
  if (takes) {
    return pack_take_text(pack);
  }
  pack_add_text(pack, text);
  return text;
}

/* The same with a member that is a number; with an array of N elements, which is new memory with TAKES. */
#define PASS(member) (member) = (__typeof__(member))pass_number(pack, takes, (uint64_t)(member))
#define PASS_ARRAY(items, n) \
  (PASS(n), (items) = takes ? xcalloc((n) + 1, sizeof *(items)) : (items)) /* the elements follow */

/* Append FOUND to PACK, and let the cycles count from the first entry; or with TAKES fill FOUND. */
static void pass_path(struct pack *pack, bool takes, struct call_path *found) {
  struct path *path = &found->path;
  uint64_t begin = path->begin;
  path->end -= begin;
  PASS(found->names.processes);
  PASS(found->names.first_host);
  PASS(path->end);
  for (unsigned i = 0; i < PATH_CAUSES; i++) {
    PASS(path->totals[i]);
  }
  PASS_ARRAY(found->blockers.rows, found->blockers.n);
  VEC_EACH(row, found->blockers.rows, found->blockers.n) {
    const char *where = pass_text(pack, takes, row->where);
    if (takes) {
      snprintf(row->where, sizeof row->where, "%s", where);
    }
    PASS(row->server), PASS(row->node), PASS(row->spe), PASS(row->own), PASS(row->cycles);
  }
  PASS_ARRAY(path->parts, path->nparts);
  VEC_EACH(row, path->parts, path->nparts) {
    row->from -= begin;
    row->to -= begin;
    PASS(row->from), PASS(row->to), PASS(row->number), PASS(row->nbytes), PASS(row->spe);
    PASS(row->chip), PASS(row->peer), PASS(row->node), PASS(row->kind), PASS(row->is_list);
    const char *step = pass_text(pack, takes, row->step ? row->step : "");
    row->step = *step ? step : NULL;
  }
  PASS_ARRAY(path->segments, path->nsegments);
  VEC_EACH(row, path->segments, path->nsegments) {
    row->from -= begin;
    row->to -= begin;
    PASS(row->from), PASS(row->to), PASS(row->part), PASS(row->command);
    PASS(row->behind), PASS(row->server), PASS(row->node), PASS(row->cause);
  }
}

void call_pack_path(struct pack *pack, const struct path_records *records, bool chain) {
  struct call_path found = {.names = records->names};
  path_find(&found.path, records);
  found.blockers = path_blockers(&found.path, records);
  found.path.nparts = chain ? found.path.nparts : 0;
  found.path.nsegments = chain ? found.path.nsegments : 0;
  pass_path(pack, false, &found);
  call_path_fini(&found);
}

struct call_path call_unpack_path(struct pack *pack) {
  struct call_path found = {.names.hosts = NULL};
  pass_path(pack, true, &found);
  return found;
}

void call_path_fini(struct call_path *path) {
  path_fini(&path->path);
  free(path->blockers.rows);
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
