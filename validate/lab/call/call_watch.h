/* SPDX-License-Identifier: BSD-3-Clause
 * Observers of a call, on one node or on several: counters, hazards and records of each node and of the
 * network, and a trace. Each begins with a struct observer, for the list of a struct call. */
#pragma once

#include "sim/base/pack.h"
#include "sim/node/machine.h"
#include "traces/order/order.h"
#include "traces/path/path.h"
#include "traces/record/record.h"
#include "traces/utilisation.h"
#include "traces/viewers/trace.h"
#include "validate/lab/call/call.h"

/* An observer for each node and one for the network, together one observer of a machine: each event goes to
 * the observer of its node. */
struct call_nodes {
  struct probe probe;
  struct probe **probes; /* [node] */
  unsigned n;            /* nodes with an observer */
  struct probe *network; /* NULL: nobody looks at messages */
};

/* Counters. */
struct call_counters {
  struct observer observer;
  struct call_nodes nodes;          /* with SPEs; none: the call was not made, or on hosts */
  bool of_nodes;                    /* there is a network; each counter of a node is told with the node */
  struct utilisation *utilisations; /* [node] */
  struct net_counters net;
  double cycles; /* of call_counters_cycles */
};

/* Make COUNTERS ready for one call. */
void call_counters_init(struct call_counters *counters);
void call_counters_fini(struct call_counters *counters);

/* Return the cycles that all shares refer to: from the reset until all programs on all nodes have ended and
 * all traffic is over; on hosts until all programs have ended. */
double call_counters_cycles(struct call_counters *counters);

/* Call SHOW with every counter: of the network, of the parts of the network, and then of the parts of each
 * node. Call call_counters_cycles before. */
void call_counters_list(const struct call_counters *counters,
                        void (*show)(void *context, const struct utilisation_row *row), void *context);

/* A hazard detector for each node, or one for all processes of hosts. */
struct call_hazards {
  struct observer observer;
  struct call_nodes nodes; /* of hosts one */
  bool of_nodes;           /* each line begins with the name of the node */
  struct node_names names;
  unsigned nspes;        /* of each blade; or processes */
  struct order **orders; /* [node] */
  struct order_net *net;
  struct hazard_list hazards; /* after all is over: of all nodes, node after node */
};

/* Make HAZARDS ready for calls. */
void call_hazards_init(struct call_hazards *hazards);
void call_hazards_fini(struct call_hazards *hazards);

/* Records of each node and of the network. */
struct call_records {
  struct observer observer;
  struct call_nodes nodes;
  struct record_share share;    /* `full`: there was more to keep than the limit */
  struct record *records;       /* [node] */
  const struct record **places; /* [node]: where the record of the node is */
  struct net_record net;
  struct path_records all; /* the same, for struct path; without a network `net` is NULL */
};

/* Make RECORDS ready for one call, with a limit of RECORD_BYTES_MAX bytes in all. */
void call_records_init(struct call_records *records);
void call_records_fini(struct call_records *records);

/* The critical path in records, as a part of a result. */
struct call_path {
  /* `parts` and `segments` only for the whole chain; cycles count from the first entry */
  struct path path;
  struct path_blockers blockers;
  struct node_names names; /* of the nodes */
};

/* Append the critical path in RECORDS to PACK, with CHAIN also parts and segments. */
void call_pack_path(struct pack *pack, const struct path_records *records, bool chain);

/* Take the data appended by call_pack_path from PACK, which keeps the names of steps. */
struct call_path call_unpack_path(struct pack *pack);
void call_path_fini(struct call_path *path);

/* A trace. */
struct call_trace {
  struct observer observer;
  struct trace_spec spec;
  struct trace *trace; /* NULL: the call has not begun, or the trace has ended */
};

/* Make TRACE, described by CALL except for the nodes, one more observer of CALL, which from then on points to
 * TRACE.
 * owner: the caller, with call_trace_fini after the call. */
void call_trace_init(struct call_trace *trace, const struct trace_spec *spec, struct call *call);

/* End TRACE.
 * errors: as trace_end. */
int call_trace_fini(struct call_trace *trace, struct err *err);
