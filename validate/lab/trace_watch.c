/* SPDX-License-Identifier: BSD-3-Clause
 * See trace_watch.h. */
#include "validate/lab/trace_watch.h"

#include "platform/platform.h"
#include "validate/lab/ledger_call.h"
#include "validate/lab/rig.h"

static void begin(struct node_watch *own, const struct node_watch_machine *machine) {
  struct trace_watch *watch = (struct trace_watch *)own;
  watch->spec.nnodes = machine->nnodes;
  watch->spec.names = machine->names;
  watch->spec.host_platform = machine->host_platform;
  watch->spec.look_ahead = machine->look_ahead;
  watch->trace = trace_new(&watch->spec);
  watch->watch.probe = trace_probe(watch->trace);
}

void trace_watch_init(struct trace_watch *watch, const struct trace_spec *spec, struct rig_spec *call) {
  *watch = (struct trace_watch){.spec = *spec};
  if (call->call.algo->on_nodes || !platform_has_spes(spec->platform)) {
    watch->watch = (struct node_watch){.next = call->nodes, .begin = begin};
    call->nodes = &watch->watch;
  } else {
    watch->trace = trace_new(spec);
    call->observers[CALL_TRACE] = trace_probe(watch->trace);
  }
}

void trace_watch_fini(struct trace_watch *watch) {
  if (watch->trace) {
    trace_free(watch->trace);
    watch->trace = NULL;
  }
}
