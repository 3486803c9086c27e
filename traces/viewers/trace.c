/* SPDX-License-Identifier: BSD-3-Clause */
#include "traces/viewers/trace.h"

#include "platform/platform.h"
#include "sim/base/vec.h"
#include "sim/hw/watch/probe.h"
#include "traces/trace_words.h"
#include "traces/viewers/trace_writer.h"

#include <stdlib.h>
#include <string.h>

struct trace {
  struct probe probe; /* first */
  struct trace_file file;
  struct trace_tracks *tracks; /* one for each node, and of several nodes one for the network; NULL for csv */
  size_t nparts;
  struct cycle_lines lines; /* of several nodes */
  struct probe *goal;       /* NULL: another format */
  uint64_t settled;         /* all text up to this cycle is written */
};

enum trace_format trace_format_of(const char *path) {
  static const char *const endings[TRACE_FORMATS] = {
    [TRACE_JSON] = ".json", [TRACE_PAJE] = ".paje", [TRACE_CSV] = ".csv", [TRACE_GOAL] = ".goal"};
  const char *dot = strrchr(path, '.');
  return dot && dot > path ? VEC_INDEX(endings, TRACE_FORMATS, strcmp(dot, *item) == 0) : TRACE_FORMATS;
}

/* --- several nodes --- */

/* A node has come to CYCLE: write, now and then, all text before which no node can add anything any more. */
static void settle(struct trace *trace, uint64_t cycle) {
  uint64_t margin = trace->file.spec.look_ahead;
  if (trace->file.nnodes == 0 || cycle <= margin || cycle - margin < trace->settled + margin / 4) {
    return;
  }
  trace->settled = cycle - margin;
  VEC_EACH(part, trace->tracks, trace->nparts) {
    trace_tracks_catch_up(part, trace->settled - 1);
  }
  trace_text_flush(&trace->file.text);
  cycle_lines_reach(&trace->lines, cycle);
}

/* --- events --- */

static void see_for_viewers(struct probe *probe, const struct probe_event *event) {
  struct trace *trace = (struct trace *)probe;
  if (probe_is_of_message(event)) {
    /* After the notification of the receiver a message keeps its place for as long as a node can be behind.
     * Processes of hosts run in one order, and a notification happens in its own cycle. */
    trace_messages_see(trace->tracks, event,
                       trace->file.spec.names.processes ? 1 : trace->file.spec.look_ahead);
  } else if (event->node != PROBE_NOBODY) {
    trace_tracks_see(&trace->tracks[event->node], event);
    settle(trace, event->cycle);
  }
}

/* Tell whether EVENT is about a bus request that wakes no program, or about a message on the network. */
static bool is_of_bus(const struct probe_event *event) {
  return (trace_is_request(event) && (event->kind != PROBE_DELIVER || !event->deliver.wakes)) ||
         (probe_is_of_message(event) && event->kind != PROBE_MESSAGE_SEND &&
          event->kind != PROBE_MESSAGE_ARRIVE);
}

static void see_for_scripts(struct probe *probe, const struct probe_event *event) {
  struct trace *trace = (struct trace *)probe;
  if (event->node != PROBE_NOBODY && (trace->file.spec.level == TRACE_BUS || !is_of_bus(event))) {
    trace_csv_event(&trace->file.text, event, trace->file.nnodes > 0);
    if (!probe_is_of_message(event)) {
      settle(trace, event->cycle);
    }
  }
}

/* --- the whole trace --- */

/* Prepare the parts of the nodes of TRACE, for viewers. */
static void make_parts(struct trace *trace) {
  struct trace_file *file = &trace->file;
  const struct trace_writer *writer = file->spec.format == TRACE_JSON ? &trace_json : &trace_paje;
  unsigned n = file->nnodes ? file->nnodes : 1;
  trace->nparts = n + (file->nnodes > 0);
  trace->tracks = xcalloc(trace->nparts, sizeof *trace->tracks);
  for (unsigned i = 0; i < n; i++) {
    trace_tracks_init(&trace->tracks[i], file, writer, i);
    trace->tracks[i].nodes = file->nnodes ? trace->tracks : NULL;
  }
  if (file->nnodes) {
    trace->tracks[n] = (struct trace_tracks){.file = file, .writer = writer}; /* of the network */
    pool_init(&trace->tracks[n].ops, sizeof(struct trace_op));
  }
  writer->head(file);
}

struct trace *trace_new(const struct trace_spec *spec) {
  struct trace *trace = xcalloc(1, sizeof *trace);
  struct trace_file *file = &trace->file;
  bool csv = spec->format == TRACE_CSV;
  *file = (struct trace_file){.spec = *spec, .nnodes = spec->nnodes, .text.stream = spec->stream};
  file->cycle_ps = 1000 / spec->platform->clock.spu;
  trace->probe = (struct probe){.see = csv ? see_for_scripts : see_for_viewers,
                                .details = true,
                                .counts = csv,
                                .each_load = spec->level == TRACE_BUS};
  if (spec->format == TRACE_GOAL) {
    trace->goal = trace_goal_new(spec, file->cycle_ps);
    return trace;
  }
  if (csv) {
    trace_csv_head(&file->text, spec->nnodes > 0);
  } else {
    make_parts(trace);
  }
  if (spec->nnodes) {
    trace_text_flush(&file->text);
    trace->lines = (struct cycle_lines){.stream = spec->stream, .margin = spec->look_ahead};
    file->text.lines = &trace->lines;
  }
  return trace;
}

struct probe *trace_probe(struct trace *trace) {
  return trace->goal ? trace->goal : &trace->probe;
}

int trace_end(struct trace *trace, struct err *err) {
  struct trace_file *file = &trace->file;
  int status = trace->goal ? trace_goal_end(trace->goal, file->spec.stream, err) : 0;
  uint64_t last = 0;
  VEC_EACH(part, trace->tracks, trace->nparts) {
    trace_tracks_end(part);
    RAISE(last, part->now);
  }
  trace_text_flush(&file->text);
  cycle_lines_fini(&trace->lines);
  file->text.lines = NULL;
  if (trace->nparts) {
    trace->tracks[0].writer->foot(file, last);
  }
  trace_text_flush(&file->text);
  VEC_EACH(part, trace->tracks, trace->nparts) {
    trace_tracks_fini(part);
  }
  free(trace->tracks);
  free(trace);
  return status;
}
