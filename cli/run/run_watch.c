/* SPDX-License-Identifier: BSD-3-Clause
 * Ways of run with an observer of their own, outside of the ledger: traces, and the lines of -v. */
#include "cli/run/run_ways.h"

#include "cli/exit_codes.h"
#include "cli/output/provenance.h"
#include "cli/session.h"
#include "sim/base/origin.h"
#include "sim/base/outfile.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "traces/event_log.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/ledger/ledger_call.h"

#include <stdio.h>
#include <stdlib.h>

/* --- what happens, line by line --- */

struct run_verbose {
  struct observer observer;
  struct cycle_lines lines;
  struct event_log log;
};

static void begin(struct observer *observer, const struct machine_nodes *nodes) {
  struct run_verbose *verbose = (struct run_verbose *)observer;
  verbose->lines.margin = nodes->look_ahead;
  verbose->lines.names = nodes->names;
  event_log_init(&verbose->log, &verbose->lines, nodes->has_network ? nodes->n : 0);
}

static void end(struct observer *observer) {
  cycle_lines_reach(&((struct run_verbose *)observer)->lines, UINT64_MAX);
}

void *run_verbose_begin(struct session *session, struct point *point) {
  struct run_verbose *verbose = xcalloc(1, sizeof *verbose);
  (void)session;
  verbose->lines.stream = stderr;
  verbose->observer = (struct observer){
    .next = point->call.observers, .begin = begin, .probe = &verbose->log.probe, .end = end};
  point->call.observers = &verbose->observer;
  return verbose;
}

int run_verbose_end(void *watch, struct session *session, const struct call_made *made) {
  SCOPED struct run_verbose *verbose = watch;
  (void)session;
  fputs(made->outcome.parts ? made->outcome.parts : "", stderr);
  cycle_lines_fini(&verbose->lines);
  event_log_fini(&verbose->log);
  return CLI_DONE;
}

/* --- a trace --- */

/* A trace and its file. */
struct run_trace {
  struct outfile file;
  struct call_trace trace;
  char title[CALL_TEXT_SIZE];
  char *origin; /* lines of provenance.h; NULL: the file begins with them, or none are asked for */
};

void *run_trace_begin(struct session *session, struct point *point) {
  const struct opts *opts = &session->opts;
  struct run_trace *trace = xcalloc(1, sizeof *trace);
  struct call *call = &point->call;
  call_describe(call, trace->title, sizeof trace->title);
  if (outfile_open(&trace->file, opts->trace, session->err) != 0) {
    free(trace);
    return NULL;
  }
  const struct provenance from = session_provenance(session);
  enum trace_format format = trace_format_of(opts->trace);
  if (format == TRACE_PAJE || (format == TRACE_CSV && opts->provenance)) {
    provenance_write(&from, "# ", trace->file.stream);
  }
  if (format == TRACE_GOAL) {
    fprintf(trace->file.stream, "/* %s: %s */\n", origin_line(), trace->title);
  }
  trace->origin = format == TRACE_JSON ? provenance_lines(&from) : NULL;
  const struct trace_spec spec = {.stream = trace->file.stream,
                                  .format = format,
                                  .level = opts->trace_level,
                                  .platform = machine_platform(point->machine),
                                  .program = origin_line(),
                                  .origin = trace->origin,
                                  .title = trace->title};
  call_trace_init(&trace->trace, &spec, call);
  return trace;
}

int run_trace_end(void *watch, struct session *session, const struct call_made *made) {
  SCOPED struct run_trace *trace = watch;
  int status = call_trace_fini(&trace->trace, session->err);
  if (*made->result.refused || status != 0) {
    outfile_abandon(&trace->file);
  } else {
    status = outfile_close(&trace->file, session->err);
  }
  if (status == 0 && sweep_interrupted() && trace->trace.spec.format != TRACE_GOAL) {
    fprintf(stderr, "cellcoll: %s ends where the run was interrupted\n", session->opts.trace);
  }
  free(trace->origin);
  return status == 0 || call_stopped(&made->result) ? CLI_DONE : CLI_INPUT; /* a stop has its own exit code */
}
