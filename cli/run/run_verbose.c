/* SPDX-License-Identifier: BSD-3-Clause
 * See run_verbose.h. */
#include "cli/run/run_verbose.h"

#include "sim/base/xalloc.h"
#include "traces/timeline.h"
#include "sim/node/machine.h"

#include <stdio.h>
#include <stdlib.h>

struct run_verbose {
  struct observer observer;
  struct cycle_lines lines;
  struct timeline timeline;
};

static void begin(struct observer *observer, const struct machine_nodes *nodes) {
  struct run_verbose *verbose = (struct run_verbose *)observer;
  verbose->lines.margin = nodes->look_ahead;
  verbose->lines.names = nodes->names;
  timeline_init(&verbose->timeline, &verbose->lines, nodes->has_network ? nodes->n : 0);
}

static void end(struct observer *observer) {
  cycle_lines_reach(&((struct run_verbose *)observer)->lines, UINT64_MAX);
}

struct run_verbose *run_verbose_begin(struct rig_spec *spec) {
  struct run_verbose *verbose = xcalloc(1, sizeof *verbose);
  verbose->lines.stream = stderr;
  verbose->observer =
    (struct observer){.next = spec->observers, .begin = begin, .probe = &verbose->timeline.probe, .end = end};
  spec->observers = &verbose->observer;
  return verbose;
}

void run_verbose_end(struct run_verbose *verbose) {
  cycle_lines_fini(&verbose->lines);
  timeline_fini(&verbose->timeline);
  free(verbose);
}
