/* SPDX-License-Identifier: BSD-3-Clause
 * A trace (traces/viewers/trace.h) of a call, whether it is on one blade or on several nodes. */
#pragma once

#include "traces/viewers/trace.h"
#include "validate/lab/node_watch.h"

struct rig_spec;

struct trace_watch {
  struct node_watch watch; /* first */
  struct trace_spec spec;
  struct trace *trace; /* NULL: it has not begun, or has ended */
};

/* Let WATCH write the trace of SPEC, but for its nodes, when CALL is made.
 * owner: the caller, with trace_watch_fini after the call; CALL points to WATCH until then. */
void trace_watch_init(struct trace_watch *watch, const struct trace_spec *spec, struct rig_spec *call);

/* End the trace. */
void trace_watch_fini(struct trace_watch *watch);
