/* SPDX-License-Identifier: BSD-3-Clause
 * See run_trace.h. */
#include "cli/run/run_trace.h"

#include "algos/catalogue.h"
#include "cli/exit_codes.h"
#include "cli/output/provenance.h"
#include "cli/session.h"
#include "sim/base/origin.h"
#include "validate/lab/rig.h"

#include <stdio.h>
#include <stdlib.h>

int run_trace_check(struct session *session) {
  const struct opts *opts = &session->opts;
  if (!opts->trace && opts->given & OPT_TRACE_LEVEL) {
    return session_refuse(session, CLI_USAGE, "--trace-level without --trace, expected both");
  }
  return CLI_DONE;
}

int run_trace_begin(struct run_trace *trace, const struct session *session, const struct platform *platform,
                    struct rig_spec *call) {
  const struct opts *opts = &session->opts;
  char name[CATALOGUE_NAME_SIZE];
  catalogue_format(&call->call, name, sizeof name);
  snprintf(trace->title, sizeof trace->title, "%s on %u ranks with %zu bytes", name, call->nranks,
           call->nbytes);
  if (outfile_open(&trace->file, opts->trace, session->err) != 0) {
    return CLI_INPUT;
  }
  const struct provenance from = session_provenance(session);
  enum trace_format format = trace_format_of(opts->trace);
  if (format == TRACE_PAJE || (format == TRACE_CSV && opts->provenance)) {
    provenance_write(&from, "# ", trace->file.stream);
  }
  trace->origin = format == TRACE_JSON ? provenance_lines(&from) : NULL;
  const struct trace_spec spec = {.stream = trace->file.stream,
                                  .format = format,
                                  .level = opts->trace_level,
                                  .platform = platform,
                                  .program = origin_line(),
                                  .origin = trace->origin,
                                  .title = trace->title};
  call_trace_init(&trace->trace, &spec, call);
  return CLI_DONE;
}

int run_trace_end(struct run_trace *trace, struct session *session, int code) {
  call_trace_fini(&trace->trace);
  free(trace->origin);
  if (code == CLI_INPUT) {
    outfile_abandon(&trace->file);
  } else if (outfile_close(&trace->file, session->err) != 0) {
    return code == CLI_DONE ? CLI_INPUT : code;
  }
  if (sweep_interrupted()) {
    fprintf(stderr, "cellcoll: %s ends where the run was interrupted\n", session->opts.trace);
  }
  return code;
}
