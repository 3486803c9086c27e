/* SPDX-License-Identifier: BSD-3-Clause
 * See trace.h. */
#include "traces/viewers/trace.h"

#include "platform/platform.h"
#include "sim/base/xalloc.h"
#include "sim/hw/probe.h"
#include "traces/viewers/trace_csv.h"
#include "traces/viewers/trace_parts.h"

#include <stdlib.h>
#include <string.h>

struct trace {
  struct probe probe;
  struct trace_file file;
  struct trace_parts parts; /* not of csv */
};

enum trace_format
trace_format_of(const char *path)
{
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

static void
see_for_viewers(struct probe *probe, const struct probe_event *event)
{
  struct trace *trace = (struct trace *)probe;
  trace_parts_see(&trace->parts, event);
}

/* Tell whether EVENT is about a bus request that wakes nobody. */
static bool
is_of_bus(const struct probe_event *event)
{
  return event->kind == PROBE_ISSUE || event->kind == PROBE_GRANT || event->kind == PROBE_CROSS ||
         event->kind == PROBE_MEMORY || (event->kind == PROBE_DELIVER && !event->deliver.wakes);
}

static void
see_for_scripts(struct probe *probe, const struct probe_event *event)
{
  struct trace *trace = (struct trace *)probe;
  if (trace->file.spec.level == TRACE_BUS || !is_of_bus(event)) {
    trace_csv_event(&trace->file.text, event);
  }
}

struct trace *
trace_new(const struct trace_spec *spec)
{
  struct trace *trace = xcalloc(1, sizeof *trace);
  bool csv = spec->format == TRACE_CSV;
  trace->probe = (struct probe){
    .see = csv ? see_for_scripts : see_for_viewers, .details = true, .each_load = spec->level == TRACE_BUS};
  trace->file.spec = *spec;
  trace->file.text.stream = spec->stream;
  trace->file.cycle_ps = 1000 / spec->platform->clock.spu;
  if (csv) {
    trace_csv_head(&trace->file.text);
  } else {
    trace_parts_init(&trace->parts, &trace->file, spec->format == TRACE_JSON ? &trace_json : &trace_paje);
  }
  return trace;
}

struct probe *
trace_probe(struct trace *trace)
{
  return &trace->probe;
}

void
trace_free(struct trace *trace)
{
  if (trace->file.spec.format != TRACE_CSV) {
    trace_parts_fini(&trace->parts);
  }
  trace_text_flush(&trace->file.text);
  free(trace);
}
