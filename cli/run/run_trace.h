/* SPDX-License-Identifier: BSD-3-Clause
 * run --trace: a run that is written to a file as it happens. */
#pragma once

#include "algos/catalogue.h"
#include "sim/base/outfile.h"
#include "validate/lab/call_watch.h"

struct platform;
struct rig_spec;
struct session;

/* A trace and its file. */
struct run_trace {
  struct outfile file;
  struct call_trace trace;
  char title[CATALOGUE_NAME_SIZE + 64];
  char *origin; /* lines of provenance.h; NULL: the file begins with them, or none are asked for */
};

/* Check what SESSION says about its trace.
 * returns: an exit code. */
int run_trace_check(struct session *session);

/* Begin the trace that SESSION asks for, of CALL on PLATFORM, which it will watch.
 * errors: as outfile_open.
 * owner: the caller, with run_trace_end; PLATFORM and CALL live until then. */
int run_trace_begin(struct run_trace *trace, const struct session *session, const struct platform *platform,
                    struct rig_spec *call);

/* End TRACE; what was interrupted can be read up to there. A call that was refused, as its exit code CODE
 * tells, leaves no file.
 * returns: an exit code: CODE, or that of an error.
 * errors: as outfile_close. */
int run_trace_end(struct run_trace *trace, struct session *session, int code);
