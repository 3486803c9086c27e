/* SPDX-License-Identifier: BSD-3-Clause
 * run --trace: a run that is written to a file as it happens. */
#pragma once

#include "sim/base/outfile.h"

struct platform;
struct probe;
struct session;
struct trace;

/* A trace and its file. */
struct run_trace {
  struct outfile file;
  struct trace *trace;
};

/* Check what SESSION says about its trace.
 * returns: an exit code. */
int run_trace_check(struct session *session);

/* Begin the trace that SESSION asks for, of a run on PLATFORM that TITLE describes.
 * errors: as outfile_open.
 * owner: the caller, with run_trace_end. */
int run_trace_begin(struct run_trace *trace, const struct session *session, const struct platform *platform,
                    const char *title);

/* Return the observer to be attached. */
struct probe *run_trace_probe(const struct run_trace *trace);

/* End TRACE; what was interrupted can be read up to there.
 * returns: an exit code.
 * errors: as outfile_close; a call that was not made, or not on one blade, leaves no file. */
int run_trace_end(struct run_trace *trace, struct session *session);
