/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run/run_ways.h"

#include "algos/catalogue.h"
#include "cli/output/provenance.h"
#include "cli/output/terminal.h"
#include "cli/run/call_timeline.h"
#include "cli/run/run_points.h"
#include "cli/session.h"
#include "cli/sweep.h"
#include "cli/table.h"
#include "draw/picture.h"
#include "draw/timeline/timeline.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/origin.h"
#include "sim/base/outfile.h"
#include "sim/base/units.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "traces/event_log.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/model/what_if.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- the call on machines with one better parameter, ranked --- */

static void add_gain(struct table *table, const struct point *call, const struct what_if_gain *gain) {
  for (size_t j = 0; j < WHAT_IF_FACTORS; j++) {
    if (gain->known[j]) {
      table_add(table, "%s %p %u %zu %s %.1f", catalogue_name(&call->call.algorithm),
                machine_platform(call->machine), call->call.nranks, call->call.nbytes, gain->name,
                what_if_factors[j]);
      table_add_mean(table, gain->cycles[j]);
      table_add(table, "%.2f %.1f %s", gain->change[j], gain->share * (1 - 1 / what_if_factors[j]),
                gain->note[j]);
    }
  }
}

/* Say why nothing is known of CALL, with OUTCOME; a refusal has its name already. */
static void tell_skipped(const struct point *call, const struct call_result *outcome) {
  if (*outcome->refused) {
    sweep_skip(outcome->refused);
    return;
  }
  char name[CALL_TEXT_SIZE], text[1024];
  call_describe(&call->call, name, sizeof name);
  snprintf(text, sizeof text, "%s: %s", name, outcome->wrong);
  sweep_skip(text);
}

/* Make the table of all that is known of the N CALLS of WHAT_IF.
 * returns: an exit code. */
static int add_all(struct session *session, const struct what_if *what_if, const struct points *points) {
  int code = CLI_DONE;
  SCOPED struct what_if_gain *gains = xcalloc(what_if_count(), sizeof *gains);
  for (size_t i = 0; i < points->n && code == CLI_DONE; i++) {
    struct call_result result;
    if (!what_if_find(what_if, i, &result, gains)) {
      continue;
    }
    if (*result.refused && points->n == 1) {
      code = session_refuse(session, CLI_INPUT, "%s", result.refused);
    } else if (*result.refused || result.end != CALL_OK) {
      tell_skipped(&points->items[i], &result);
    } else {
      for (size_t j = 0; j < what_if_count(); j++) {
        add_gain(session->table, &points->items[i], &gains[j]);
      }
    }
  }
  return code;
}

int run_what_if(struct session *session, struct points *points) {
  if (session_table(session,
                    table_new("algorithm,platform,ranks,bytes,parameter,factor,cycles,change_percent,"
                              "possible_percent,note,version,platform_checksum")) != CLI_DONE) {
    return CLI_USAGE;
  }
  struct what_if *what_if = what_if_open(&session->ledger, points, sweep_skip);
  int status = ledger_settle(&session->ledger, what_if_ask, what_if, session->err);
  int code = add_all(session, what_if, points);
  code = status != 0        ? sweep_lost(&session->ledger)
         : code == CLI_DONE ? sweep_outcome(&session->ledger)
                            : code;
  what_if_close(what_if);
  return code;
}

/* --- the picture of one call, or of two calls of one collective one below the other --- */

int run_timeline_check(struct session *session, size_t nruns) {
  bool aloud = strcmp(session->opts.timeline, "-") == 0;
  int code = run_pair(session, "--timeline draws one run, or two algorithms of one collective", nruns);
  if (code == CLI_DONE && aloud && !session->opts.output && session->opts.format != TABLE_TEXT) {
    return session_refuse(
      session, CLI_USAGE,
      "--timeline - and --format=csv or json both on standard output, expected a file for one");
  }
  return code;
}

/* Return the number of columns of standard output, or of $COLUMNS if there is no terminal. */
static unsigned count_columns(void) {
  const char *text = getenv("COLUMNS");
  uint64_t columns = terminal_columns();
  struct err err = {""};
  return columns < UINT_MAX ? (unsigned)columns
         : text && units_parse_count(text, &columns, &err) == 0 && columns > 0 &&
             columns <= TIMELINE_COLUMNS_MOST
           ? (unsigned)columns
           : TIMELINE_COLUMNS_USUAL;
}

/* A picture of lanes, and where it goes. */
struct drawing {
  const struct session *session;
  struct timeline_picture lanes;
};

static void draw_svg(const void *context, FILE *stream) {
  const struct drawing *drawing = context;
  timeline_svg_write(&drawing->lanes, stream);
}

static void draw_text(const void *context, FILE *stream) {
  const struct drawing *drawing = context;
  const struct session *session = drawing->session;
  bool aloud = strcmp(session->opts.timeline, "-") == 0;
  if (session->opts.provenance && !aloud) {
    const struct provenance from = session_provenance(session);
    provenance_write(&from, "# ", stream);
  }
  timeline_text_write(drawing->lanes.calls, drawing->lanes.ncalls,
                      aloud ? count_columns() : TIMELINE_COLUMNS_USUAL, stream);
  fputs(aloud ? "\n" : "", stream);
}

/* Write DRAWING to where SESSION says. */
static int write_picture(struct session *session, const struct drawing *drawing) {
  const char *path = session->opts.timeline;
  bool aloud = strcmp(path, "-") == 0, is_text = aloud || strcmp(strrchr(path, '.'), ".txt") == 0;
  const struct picture picture = {is_text ? draw_text : draw_svg, drawing, NULL};
  int status = is_text ? picture_write(&picture, aloud ? NULL : path, session->err)
                       : session_picture(session, picture, path);
  return status == 0 ? CLI_DONE : CLI_INPUT;
}

int run_timeline_write(struct session *session, const struct points *points) {
  struct timeline *timeline[TIMELINE_CALLS_MAX] = {NULL};
  struct drawing drawing = {.session = session, .lanes = {.ncalls = points->n, .id = "timeline"}};
  int code = CLI_DONE;
  for (size_t i = 0; i < points->n && code == CLI_DONE; i++) {
    drawing.lanes.calls[i] = timeline[i] =
      call_timeline(points->items[i].machine, &points->items[i].call, LANES_MAX, session->err);
    code = timeline[i] ? CLI_DONE : CLI_INPUT;
  }
  if (code == CLI_DONE) {
    sweep_clear_progress();
    code = write_picture(session, &drawing);
  }
  for (size_t i = 0; i < points->n; i++) {
    timeline_free(timeline[i]);
  }
  return code;
}
