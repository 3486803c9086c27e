/* SPDX-License-Identifier: BSD-3-Clause
 * What is seen of a call on several nodes: counters and hazards of each node and of the network. */
#pragma once

#include "traces/hazard.h"
#include "traces/net_counters.h"
#include "traces/net_record.h"
#include "traces/path.h"
#include "traces/record.h"
#include "traces/utilisation.h"
#include "validate/lab/node_watch.h"

#include <stdint.h>

/* Counters. */
struct call_counters {
  struct node_watch watch;
  struct probe probe;
  unsigned n;                       /* nodes with SPEs; 0: the call was not made, or on hosts */
  struct utilisation *utilisations; /* [node] */
  struct net_counters net;
  double cycles; /* of call_counters_cycles */
};

/* Make COUNTERS ready for the call of a struct rig_spec, of which `watch` is one of `nodes`.
 * owner: the caller, with call_counters_fini. */
void call_counters_init(struct call_counters *counters);

/* Release what COUNTERS holds. */
void call_counters_fini(struct call_counters *counters);

/* Return the cycles to which all shares then refer: from the reset until all programs on all nodes have ended
 * and all traffic is over; on hosts until that. */
double call_counters_cycles(struct call_counters *counters);

/* Call SHOW with every counter: of the network, of its parts, and then of the parts of each node;
 * call_counters_cycles has been called. */
void call_counters_list(const struct call_counters *counters,
                        void (*show)(void *context, const struct utilisation_row *row), void *context);

/* A hazard detector for each node, or one for all processes of hosts. */
struct call_hazards {
  struct node_watch watch;
  struct probe probe;
  bool on_hosts;
  struct node_names names;
  unsigned n;
  struct hazard *hazards; /* [node]; on hosts one */
  uint64_t count;         /* after all is over: hazards seen on all nodes */
  char *lines
    [HAZARD_LINES_MAX]; /* the first ones, node after node, each with its node before it, unless on hosts */
};

/* Make HAZARDS ready for the call of a struct rig_spec, of which `watch` is one of `nodes`.
 * owner: the caller, with call_hazards_fini. */
void call_hazards_init(struct call_hazards *hazards);

/* Release what HAZARDS holds. */
void call_hazards_fini(struct call_hazards *hazards);

/* Records of each node and of the network. */
struct call_records {
  struct node_watch watch;
  struct probe probe;
  struct record_share share;
  struct record *records;      /* [node] */
  const struct record **nodes; /* [node]: the same */
  struct net_record net;
  struct path_records all; /* what they are for struct path */
};

/* Make RECORDS ready for the call of a struct rig_spec, of which `watch` is one of `nodes`. They keep up to
 * NBYTES_MAX bytes in all.
 * owner: the caller, with call_records_fini. */
void call_records_init(struct call_records *records, uint64_t nbytes_max);

/* Release what RECORDS holds. */
void call_records_fini(struct call_records *records);
