/* SPDX-License-Identifier: BSD-3-Clause
 * An observer that writes what happens in the machine for viewers and scripts, as it happens: what it holds in memory does not
 * grow with the run. */
#pragma once

#include <stdio.h>

struct platform;
struct probe;
struct trace;

/* Chrome trace events, for Perfetto and speedscope; Paje, for ViTE and pj_dump; comma-separated values, for scripts. */
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
};

/* Return the format of a file called PATH, by its ending; TRACE_FORMATS: none. */
enum trace_format trace_format_of(const char *path);

/* Begin the trace of SPEC, of one blade, which has just been reset.
 * owner: the caller, with trace_free. */
struct trace *trace_new(const struct trace_spec *spec);

/* Return the observer to be attached. */
struct probe *trace_probe(struct trace *trace);

/* End TRACE: what is still under way ends with the last thing seen, so that viewers can read it. Nothing is closed. */
void trace_free(struct trace *trace);
