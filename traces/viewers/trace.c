/* SPDX-License-Identifier: BSD-3-Clause
 * See trace.h. */
#include "traces/viewers/trace.h"

#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/hw/probe.h"
#include "sim/net/net_probe.h"
#include "traces/timeline_lines.h"
#include "traces/viewers/trace_csv.h"
#include "traces/viewers/trace_parts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What is seen of a node, or of the one blade. */
struct lane {
  struct probe probe; /* first */
  struct trace *trace;
  struct trace_parts *parts; /* for viewers */
  int node;                  /* TRACE_NO_NODE: of the one blade */
};

struct trace {
  struct trace_file file;
  struct lane *lanes;
  struct trace_parts *parts; /* one for each lane, and with several nodes one for their network; not of csv */
  size_t nlanes, nparts;
  struct net_probe net;
  struct timeline_lines lines; /* of several nodes */
  uint64_t settled;            /* cycle up to which all of these are written */
};

enum trace_format trace_format_of(const char *path) {
  static const char *const endings[TRACE_FORMATS] = {
    [TRACE_JSON] = ".json", [TRACE_PAJE] = ".paje", [TRACE_CSV] = ".csv"};
  size_t length = strlen(path);
  unsigned format = 0;
  for (; format < TRACE_FORMATS; format++) {
    size_t n = strlen(endings[format]);
    if (length > n && strcmp(path + length - n, endings[format]) == 0) {
      break;
    }
  }
  return (enum trace_format)format;
}

/* --- several nodes --- */

/* A node has come to CYCLE: write what nothing can come before any more, now and then. */
static void settle(struct trace *trace, uint64_t cycle) {
  uint64_t margin = trace->file.spec.look_ahead;
  if (cycle <= margin || cycle - margin < trace->settled + margin / 4) {
    return;
  }
  trace->settled = cycle - margin;
  for (size_t i = 0; i < trace->nparts; i++) {
    trace_parts_catch_up(&trace->parts[i], trace->settled - 1);
  }
  trace_text_flush(&trace->file.text);
  timeline_lines_reach(&trace->lines, cycle);
}

/* Return for how many cycles the place of a message is still its own when its receiver has been told: as long
 * as a node can be behind. Processes of hosts go on in one order, and what is told in a cycle happens in
 * it. */
static uint64_t margin_of_places(const struct trace *trace) {
  return trace->file.spec.names.processes ? 1 : trace->file.spec.look_ahead;
}

static void see_message(struct net_probe *probe, const struct net_event *event) {
  struct trace *trace = (struct trace *)((char *)probe - offsetof(struct trace, net));
  if (event->kind == NET_RESET) {
    return;
  }
  if (trace->file.spec.format != TRACE_CSV) {
    trace_messages_see(trace->parts, event, margin_of_places(trace));
  } else if (trace->file.spec.level == TRACE_BUS || event->kind == NET_SEND || event->kind == NET_ARRIVE) {
    trace_text_reach(&trace->file.text, event->cycle);
    trace_csv_message(&trace->file.text, event);
  }
}

/* --- a node, or the one blade --- */

static void see_for_viewers(struct probe *probe, const struct probe_event *event) {
  const struct lane *lane = (const struct lane *)probe;
  struct trace *trace = lane->trace;
  trace_parts_see(lane->parts, event);
  if (trace->file.nnodes) {
    settle(trace, event->cycle);
  }
}

/* Tell whether EVENT is about a bus request that wakes nobody. */
static bool is_of_bus(const struct probe_event *event) {
  return event->kind == PROBE_ISSUE || event->kind == PROBE_GRANT || event->kind == PROBE_CROSS ||
         event->kind == PROBE_MEMORY || (event->kind == PROBE_DELIVER && !event->deliver.wakes);
}

static void see_for_scripts(struct probe *probe, const struct probe_event *event) {
  const struct lane *lane = (const struct lane *)probe;
  struct trace *trace = lane->trace;
  if (trace->file.spec.level == TRACE_BUS || !is_of_bus(event)) {
    trace_text_reach(&trace->file.text, trace_csv_cycle(event));
    trace_csv_event(&trace->file.text, event, lane->node);
    if (trace->file.nnodes) {
      settle(trace, event->cycle);
    }
  }
}

/* --- all of it --- */

/* Prepare what viewers are shown of the nodes of TRACE. */
static void make_parts(struct trace *trace) {
  struct trace_file *file = &trace->file;
  const struct trace_writer *writer = file->spec.format == TRACE_JSON ? &trace_json : &trace_paje;
  trace->nparts = trace->nlanes + (file->nnodes > 0);
  trace->parts = xcalloc(trace->nparts, sizeof *trace->parts);
  for (size_t i = 0; i < trace->nlanes; i++) {
    trace_parts_init(&trace->parts[i], file, writer, (unsigned)i);
    trace->parts[i].nodes = file->nnodes ? trace->parts : NULL;
    trace->lanes[i].parts = &trace->parts[i];
  }
  if (file->nnodes) {
    trace_parts_init_network(&trace->parts[trace->nlanes], file, writer);
  }
  writer->head(file);
}

struct trace *trace_new(const struct trace_spec *spec) {
  struct trace *trace = xcalloc(1, sizeof *trace);
  struct trace_file *file = &trace->file;
  bool csv = spec->format == TRACE_CSV;
  *file = (struct trace_file){.spec = *spec, .nnodes = spec->nnodes, .text.stream = spec->stream};
  file->cycle_ps = 1000 / spec->platform->clock.spu;
  trace->nlanes = spec->nnodes ? spec->nnodes : 1;
  trace->lanes = xcalloc(trace->nlanes, sizeof *trace->lanes);
  for (size_t i = 0; i < trace->nlanes; i++) {
    trace->lanes[i] = (struct lane){.probe = {.see = csv ? see_for_scripts : see_for_viewers,
                                              .details = true,
                                              .each_load = spec->level == TRACE_BUS},
                                    .trace = trace,
                                    .node = spec->nnodes ? (int)i : TRACE_NO_NODE};
  }
  trace->net.see = see_message;
  if (csv) {
    trace_csv_head(&file->text, spec->nnodes > 0);
  } else {
    make_parts(trace);
  }
  if (spec->nnodes) {
    trace_text_flush(&file->text);
    trace->lines = (struct timeline_lines){.stream = spec->stream, .margin = spec->look_ahead};
    file->text.lines = &trace->lines;
  }
  return trace;
}

struct probe *trace_probe(struct trace *trace, unsigned node) {
  return &trace->lanes[node].probe;
}

struct net_probe *trace_net_probe(struct trace *trace) {
  return &trace->net;
}

void trace_free(struct trace *trace) {
  struct trace_file *file = &trace->file;
  uint64_t last = 0;
  for (size_t i = 0; i < trace->nparts; i++) {
    trace_parts_end(&trace->parts[i]);
    last = trace->parts[i].now > last ? trace->parts[i].now : last;
  }
  trace_text_flush(&file->text);
  timeline_lines_fini(&trace->lines);
  file->text.lines = NULL;
  if (trace->nparts) {
    trace->parts[0].writer->foot(file, last);
  }
  trace_text_flush(&file->text);
  for (size_t i = 0; i < trace->nparts; i++) {
    trace_parts_fini(&trace->parts[i]);
  }
  free(trace->parts);
  free(trace->lanes);
  free(trace);
}
