/* SPDX-License-Identifier: BSD-3-Clause
 * See run_verbose.h. */
#include "cli/run/run_verbose.h"

#include "sim/base/xalloc.h"
#include "traces/timeline.h"
#include "validate/lab/node_watch.h"

#include <stdio.h>
#include <stdlib.h>

struct run_verbose {
  struct node_watch watch;
  struct timeline_lines lines;
  struct timeline timeline;
};

static void begin(struct node_watch *watch, const struct node_watch_machine *machine) {
  struct run_verbose *verbose = (struct run_verbose *)watch;
  timeline_fini(&verbose->timeline);
  verbose->lines.margin = machine->look_ahead;
  verbose->lines.names = machine->names;
  timeline_init(&verbose->timeline, &verbose->lines, machine->nnodes);
}

static void end(struct node_watch *watch) {
  timeline_lines_reach(&((struct run_verbose *)watch)->lines, UINT64_MAX);
}

struct run_verbose *run_verbose_begin(struct rig_spec *spec, unsigned free) {
  struct run_verbose *verbose = xcalloc(1, sizeof *verbose);
  verbose->lines = (struct timeline_lines){.stream = stderr};
  verbose->watch =
    (struct node_watch){.next = spec->nodes, .begin = begin, .probe = &verbose->timeline.probe, .end = end};
  timeline_init(&verbose->timeline, &verbose->lines, 0);
  spec->observers[free] = &verbose->timeline.probe;
  spec->nodes = &verbose->watch;
  return verbose;
}

void run_verbose_end(struct run_verbose *verbose) {
  timeline_lines_fini(&verbose->lines);
  timeline_fini(&verbose->timeline);
  free(verbose);
}
