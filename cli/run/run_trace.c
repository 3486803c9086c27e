/* SPDX-License-Identifier: BSD-3-Clause
 * See run_trace.h. */
#include "cli/run/run_trace.h"

#include "cli/exit_codes.h"
#include "cli/session.h"
#include "sim/base/origin.h"
#include "traces/viewers/trace.h"

int
run_trace_check(struct session *session)
{
  const struct opts *opts = &session->opts;
  if (!opts->trace && opts->given & OPT_TRACE_LEVEL) {
    return session_refuse(session, CLI_USAGE, "--trace-level without --trace, expected both");
  }
  if (opts->trace && trace_format_of(opts->trace) == TRACE_FORMATS) {
    return session_refuse(session, CLI_USAGE,
                          "--trace: '%.60s', expected a file that ends in .json, .paje or .csv", opts->trace);
  }
  return CLI_DONE;
}

int
run_trace_begin(struct run_trace *trace, const struct session *session, const struct platform *platform,
                const char *title)
{
  const struct opts *opts = &session->opts;
  if (outfile_open(&trace->file, opts->trace, session->err) != 0) {
    return CLI_INPUT;
  }
  trace->trace = trace_new(&(struct trace_spec){.stream = trace->file.stream,
                                                .format = trace_format_of(opts->trace),
                                                .level = opts->trace_level,
                                                .platform = platform,
                                                .program = origin_line(),
                                                .title = title});
  return CLI_DONE;
}

struct probe *
run_trace_probe(const struct run_trace *trace)
{
  return trace_probe(trace->trace);
}

int
run_trace_end(struct run_trace *trace, struct session *session)
{
  trace_free(trace->trace);
  if (outfile_close(&trace->file, session->err) != 0) {
    return CLI_INPUT;
  }
  if (sweep_interrupted()) {
    fprintf(stderr, "cellcoll: %s ends where the run was interrupted\n", session->opts.trace);
  }
  return CLI_DONE;
}
