/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that writes the events of the machine for viewers and scripts, as they happen. The memory of
 * the observer does not grow with the run. Of several nodes the observer keeps the events of the last
 * look-ahead, since the nodes run in turns; of processes of hosts, and for GOAL, it keeps all events. */
#pragma once

#include "sim/base/network/node_name.h"

#include <stdint.h>
#include <stdio.h>

struct err;
struct platform;
struct probe;
struct trace;

/* Chrome trace events, for Perfetto and speedscope; Paje, for ViTE and pj_dump; comma-separated values, for
 * scripts; GOAL, for simulators of messages. */
enum trace_format { TRACE_JSON, TRACE_PAJE, TRACE_CSV, TRACE_GOAL, TRACE_FORMATS };

/* The contents: activities of programs, DMA commands and their effects; or also every bus request. */
enum trace_level { TRACE_DMA, TRACE_BUS, TRACE_LEVELS };

/* A trace to be written. */
struct trace_spec {
  FILE *stream; /* to write to; an error ends the writing and can be seen at the stream (ferror) */
  enum trace_format format;
  enum trace_level level;
  const struct platform *platform;      /* outlives the trace */
  const char *program, *title;          /* the writing program, and the call in the trace */
  const char *origin;                   /* lines about the origin of the trace, for JSON; NULL: none */
  unsigned nnodes;                      /* of a call on several nodes; 0: the call runs on one blade */
  struct node_names names;              /* of the nodes */
  const struct platform *host_platform; /* of hosts of triblades; outlives the trace */
  uint64_t look_ahead; /* cycles by which the events of one node can be ahead of another node's */
};

/* Return the format of a file called PATH, from the ending; TRACE_FORMATS: the ending is unknown. */
enum trace_format trace_format_of(const char *path);

/* Begin the trace of SPEC, of one blade or several, just reset.
 * owner: the caller, with trace_end. */
struct trace *trace_new(const struct trace_spec *spec);

/* Return the observer; the caller attaches the observer to the blade, or to the nodes and the network. */
struct probe *trace_probe(struct trace *trace);

/* End TRACE: open slices end at the last cycle written, so that viewers can read the file. The stream stays
 * open.
 * errors: the run has something without words in the format; the file is incomplete. */
int trace_end(struct trace *trace, struct err *err);
