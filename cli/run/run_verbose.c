/* SPDX-License-Identifier: BSD-3-Clause
 * See run_verbose.h. */
#include "cli/run/run_verbose.h"

#include "sim/base/xalloc.h"
#include "traces/timeline.h"
#include "traces/timeline_net.h"
#include "validate/lab/node_watch.h"

#include <stdio.h>
#include <stdlib.h>

struct run_verbose {
  struct node_watch watch;
  struct timeline_lines lines;
  struct timeline *timelines; /* one per node */
  unsigned n;
  struct timeline_net net;
};

/* Make N timelines. */
static void make(struct run_verbose *verbose, unsigned n) {
  verbose->n = n;
  verbose->timelines = xcalloc(n, sizeof *verbose->timelines);
  for (unsigned i = 0; i < n; i++) {
    timeline_init(&verbose->timelines[i], &verbose->lines);
  }
}

static void drop(struct run_verbose *verbose) {
  for (unsigned i = 0; i < verbose->n; i++) {
    timeline_fini(&verbose->timelines[i]);
  }
  free(verbose->timelines);
  verbose->timelines = NULL;
  verbose->n = 0;
}

/* --- several nodes --- */

static void begin(struct node_watch *watch, const struct node_watch_machine *machine) {
  struct run_verbose *verbose = (struct run_verbose *)watch;
  drop(verbose);
  make(verbose, machine->nnodes);
  verbose->lines.margin = machine->look_ahead;
  verbose->lines.names = machine->names;
  for (unsigned i = 0; i < machine->nnodes; i++) {
    verbose->timelines[i].on_host = node_is_host(&machine->names, i);
    timeline_name_node(&verbose->lines, i, verbose->timelines[i].before);
  }
  timeline_net_init(&verbose->net, &verbose->lines);
}

static struct probe *of_node(struct node_watch *watch, unsigned node) {
  return &((struct run_verbose *)watch)->timelines[node].probe;
}

static struct net_probe *of_network(struct node_watch *watch) {
  return &((struct run_verbose *)watch)->net.probe;
}

static void end(struct node_watch *watch) {
  timeline_lines_reach(&((struct run_verbose *)watch)->lines, UINT64_MAX);
}

/* --- all --- */

struct run_verbose *run_verbose_begin(struct rig_spec *spec, unsigned free) {
  struct run_verbose *verbose = xcalloc(1, sizeof *verbose);
  verbose->lines = (struct timeline_lines){.stream = stderr};
  verbose->watch = (struct node_watch){
    .next = spec->nodes, .begin = begin, .of_node = of_node, .of_network = of_network, .end = end};
  make(verbose, 1);
  spec->observers[free] = &verbose->timelines[0].probe;
  spec->nodes = &verbose->watch;
  return verbose;
}

void run_verbose_end(struct run_verbose *verbose) {
  timeline_lines_fini(&verbose->lines);
  drop(verbose);
  free(verbose);
}
