/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that writes what happens in the machine for viewers and scripts, as it happens: what it holds
 * in memory does not grow with the run. Of several nodes it holds what happens within the look-ahead, since
 * what is seen of them comes in turns; of processes of hosts all of it. */
#pragma once

#include "sim/base/node_name.h"

#include <stdint.h>
#include <stdio.h>

struct platform;
struct probe;
struct trace;

/* Chrome trace events, for Perfetto and speedscope; Paje, for ViTE and pj_dump; comma-separated values, for
 * scripts. */
enum trace_format { TRACE_JSON, TRACE_PAJE, TRACE_CSV, TRACE_FORMATS };

/* What is in it: what programs do, DMA commands and what they wake; or every bus request as well. */
enum trace_level { TRACE_DMA, TRACE_BUS, TRACE_LEVELS };

/* A trace to be written. */
struct trace_spec {
  FILE *stream; /* to write to; an error there ends the writing and can be seen there (ferror) */
  enum trace_format format;
  enum trace_level level;
  const struct platform *platform; /* outlives the trace */
  const char *program, *title;     /* who writes it, and what is run */
  const char *origin;      /* lines that say where it comes from, for JSON; NULL: nothing more is said */
  unsigned nnodes;         /* of a call on several; 0: it is on one blade */
  struct node_names names; /* of them */
  const struct platform *host_platform; /* of those of them that are hosts of triblades; outlives the trace */
  uint64_t
    look_ahead; /* cycles by which what is seen of one node can be ahead of what is seen of another one */
};

/* Return the format of a file called PATH, by its ending; TRACE_FORMATS: none. */
enum trace_format trace_format_of(const char *path);

/* Begin the trace of SPEC, of a blade or of several, which have just been reset.
 * owner: the caller, with trace_free. */
struct trace *trace_new(const struct trace_spec *spec);

/* Return the observer to be attached to the blade, or to the nodes and their network. */
struct probe *trace_probe(struct trace *trace);

/* End TRACE: what is still under way ends with the last thing seen, so that viewers can read it. Nothing is
 * closed. */
void trace_free(struct trace *trace);
