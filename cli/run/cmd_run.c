/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll run: run algorithms over all given platforms, ranks and sizes. */
#include "algos/catalogue.h"
#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/run/run_single.h"
#include "cli/run/run_trace.h"
#include "cli/run/run_verbose.h"
#include "cli/run/run_what_if.h"
#include "cli/run_counters.h"
#include "cli/run/run_path.h"
#include "cli/run_table.h"
#include "cli/run/run_timeline.h"
#include "cli/sweep.h"
#include "draw/lanes_svg.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "traces/hazard.h"
#include "validate/model/what_if.h"
#include "validate/lab/ledger_call.h"
#include "validate/lab/usual_ranks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What is run over everything that was asked for: all points are listed first, then the ledger is asked for
 * them, then what it knows is added to the tables. */
struct sweep {
  struct session *session;
  const struct opts *opts;
  struct blade **blades; /* one for each machine */
  struct call_points points;
  unsigned observers;     /* enum call_observers */
  struct table *counters; /* appended to the table of the session; NULL: not wanted */
  bool spans_nodes;       /* some calls need several nodes */
  enum run_path_form path_form;
  struct table *paths; /* where critical paths are shown; NULL: nowhere */
  bool served;         /* a call has been made */
  int code;            /* the worst so far */
  bool all_ok;         /* so far */
};

/* What is asked for when the command line says nothing. */
static const struct units_list default_bytes = {.values = (uint64_t[]){1024}, .n = 1};

/* --- what is to be run --- */

/* List CALL on BLADE with all ranks, seeds of the skew and sizes. */
static int list_call(struct sweep *sweep, struct blade *blade, const struct algo_call *call) {
  const struct opts *opts = sweep->opts;
  enum collective collective = call->algo->collective;
  const struct units_list *bytes = usual_sizes(collective, &opts->bytes, &default_bytes);
  const struct units_list all = {.values = (uint64_t[]){placement_most(call, blade)}, .n = 1};
  const struct units_list *ranks = opts->ranks.n ? &opts->ranks : &all;
  struct call_point point = {.blade = blade,
                             .spec = {.call = *call,
                                      .root = usual_root(collective, opts->root),
                                      .op = opts->op,
                                      .type = opts->type,
                                      .placement = opts->placement,
                                      .skew = opts->skew.cycles,
                                      .nrepeats = opts->repeat,
                                      .seed = opts->seed}};
  point.spec.profile = sweep_profile(blade_platform(blade), call, sweep->session->err);
  if (!point.spec.profile) {
    return *sweep->session->err->text ? CLI_INPUT : CLI_DONE;
  }
  for (size_t i = 0; i < ranks->n; i++) {
    const struct units_list one = {.values = &ranks->values[i], .n = 1};
    point.spec.skew_seed = opts->skew.has_seed ? opts->skew.seed : opts->seed;
    for (size_t seed = 0; seed < opts_skew_seeds(&opts->skew); seed++, point.spec.skew_seed++) {
      call_points_add_grid(&sweep->points, &point, &one, bytes);
    }
  }
  return CLI_DONE;
}

/* Build all machines and list the points of all calls on them. */
static int list_all(struct sweep *sweep) {
  const struct machines *machines = &sweep->session->machines;
  const struct sweep_calls *calls = &sweep->session->calls;
  int code = CLI_DONE;
  for (size_t j = 0; j < machines->n; j++) {
    sweep->blades[j] = blade_new(machines->platforms[j], sweep->session->err);
    if (!sweep->blades[j]) {
      return CLI_INPUT;
    }
  }
  for (size_t i = 0; i < calls->n; i++) {
    for (size_t j = 0; j < machines->n && code == CLI_DONE; j++) {
      code = list_call(sweep, sweep->blades[j], &calls->items[i]);
    }
  }
  return code;
}

/* --- what came of it --- */

/* Say something about POINT. */
static void __attribute__((format(printf, 2, 3)))
say(const struct call_point *point, const char *format, ...) {
  char name[128];
  va_list arguments;
  sweep_clear_progress();
  catalogue_format(&point->spec.call, name, sizeof name);
  fprintf(stderr, "cellcoll: %s on %u ranks with %zu bytes: ", name, point->spec.nranks, point->spec.nbytes);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

/* Say what was wrong with POINT, and what the hazard detector has seen.
 * returns: the exit code for it. */
static int judge(const struct sweep *sweep, const struct call_point *point,
                 const struct call_result *result) {
  struct pack hazards = result->hazards;
  for (uint64_t i = 0; i < result->nhazards && i < HAZARD_LINES_MAX; i++) {
    say(point, "hazard: %s", pack_take_text(&hazards));
  }
  if (result->nhazards > HAZARD_LINES_MAX) {
    say(point, "%llu hazards in all", (unsigned long long)result->nhazards);
  }
  if (result->end != CALL_OK) {
    say(point, "%s", result->wrong);
    return call_stopped(result) ? CLI_FAULT : CLI_FAILED;
  }
  return result->nhazards && sweep->opts->strict ? CLI_FAILED : CLI_DONE;
}

/* Take the RESULT of POINT. A request that is the only one must be served. */
static int take(struct sweep *sweep, const struct call_point *point, const struct call_result *result) {
  const struct platform *platform = blade_platform(point->blade);
  const struct algo *algo = point->spec.call.algo;
  if (*result->refused && sweep->points.n == 1 && !sweep_is_listed(algo)) {
    err_set(sweep->session->err, "%s", result->refused);
    return CLI_INPUT;
  }
  if (*result->refused) {
    sweep_skip_call(algo, result->refused);
    return CLI_DONE;
  }
  sweep->served = true;
  int code = judge(sweep, point, result);
  sweep->code = code > sweep->code ? code : sweep->code;
  sweep->all_ok &= result->end == CALL_OK;
  struct run_table_row row = {point, result};
  if (sweep->path_form < RUN_PATH_TOTALS) {
    run_table_add(sweep->session->table, &row);
  }
  if (sweep->paths && !call_stopped(result)) {
    run_path_add(sweep->paths, &row, sweep->path_form, sweep->spans_nodes);
  }
  if (sweep->counters && !call_stopped(result)) {
    char name[CATALOGUE_NAME_SIZE];
    struct run_counters_subject subject = {
      .name = name,
      .platform = platform,
      .ranks = point->spec.nranks,
      .bytes = point->spec.nbytes,
      .only_busiest = (point->spec.call.algo->spans_nodes || !platform_has_spes(platform)) &&
                      sweep->opts->format == TABLE_TEXT};
    struct pack utilisation = result->utilisation;
    catalogue_format(&point->spec.call, name, sizeof name);
    run_counters_add(sweep->session->table, sweep->counters, &subject, &utilisation);
  }
  return CLI_DONE;
}

/* --- running --- */

/* Make the call of POINT now and take its result; no ledger knows what others see of it.
 * returns: an exit code. */
static int make_now(struct sweep *sweep, const struct call_point *point) {
  struct call_made made;
  int code = CLI_DONE, status = call_make(point, &made);
  if (sweep->opts->verbose && made.outcome.parts) {
    fputs(made.outcome.parts, stderr);
  }
  if (status == 0) {
    code = take(sweep, point, &made.result);
  }
  call_made_fini(&made);
  return code;
}

/* Run POINT and write its trace.
 * returns: an exit code. */
static int run_traced(struct sweep *sweep, struct call_point *point) {
  struct run_trace trace;
  int code = run_trace_begin(&trace, sweep->session, blade_platform(point->blade), &point->spec);
  if (code != CLI_DONE) {
    return code;
  }
  code = make_now(sweep, point);
  return run_trace_end(&trace, sweep->session, code);
}

/* Run POINT, with a trace if that is wanted, and print what happens if that is.
 * returns: an exit code. */
static int run_watched(struct sweep *sweep, const struct call_point *point) {
  struct run_verbose *verbose = NULL;
  struct call_point watched = *point;
  if (sweep->opts->verbose) {
    verbose = run_verbose_begin(&watched.spec);
  }
  int code = sweep->opts->trace ? run_traced(sweep, &watched) : make_now(sweep, &watched);
  if (verbose) {
    run_verbose_end(verbose);
  }
  return code;
}

/* Run everything. After a failure what was finished before it is in the tables, after an interruption all
 * that was finished. */
static int run_all(struct sweep *sweep) {
  struct ledger *ledger = &sweep->session->ledger;
  bool watched = sweep->opts->verbose || sweep->opts->trace;
  int status = watched ? 0 : ledger_calls(ledger, &sweep->points, sweep->session->err);
  int code = status == 0 ? CLI_DONE : sweep->points.n == 1 ? CLI_INPUT : sweep_lost(ledger);
  for (size_t i = 0; i < sweep->points.n; i++) {
    struct call_point *point = &sweep->points.items[i];
    struct call_result result;
    int taken = CLI_DONE;
    if (watched) {
      taken = sweep_interrupted() ? CLI_DONE : run_watched(sweep, point);
    } else if (ledger_call(ledger, point, &result)) {
      taken = take(sweep, point, &result);
    } else if (status != 0) {
      break;
    }
    code = code == CLI_DONE ? taken : code;
  }
  return code;
}

/* Compare what SWEEP has found with the baseline.
 * returns: an exit code. */
static int compare_with(const struct table *baseline, const struct sweep *sweep) {
  struct session *session = sweep->session;
  int slower =
    baseline ? baseline_compare(baseline, session->table, sweep->opts->tolerance, session->err) : 0;
  return slower < 0 ? CLI_INPUT : slower > 0 ? CLI_FAILED : CLI_DONE;
}

/* Make the tables of SWEEP. */
static void make_tables(struct sweep *sweep) {
  struct session *session = sweep->session;
  bool combines = false;
  for (size_t i = 0; i < sweep->points.n; i++) {
    combines |= collective_combines(sweep->points.items[i].spec.call.algo->collective);
    sweep->spans_nodes |= sweep->points.items[i].spec.call.algo->spans_nodes ||
                          !platform_has_spes(blade_platform(sweep->points.items[i].blade));
  }
  if (sweep->path_form >= RUN_PATH_TOTALS) {
    session->table = sweep->paths = run_path_table(sweep->path_form, sweep->spans_nodes);
    return;
  }
  session->table = run_table_new(sweep->opts, combines, sweep->spans_nodes);
  if (sweep->opts->counters) {
    sweep->counters = run_counters_new(session->table, "algorithm");
  }
  if (sweep->path_form == RUN_PATH_GROUPS) {
    sweep->paths = run_path_table(sweep->path_form, sweep->spans_nodes);
    table_append(session->table, "paths", sweep->paths);
  } else if (sweep->path_form == RUN_PATH_STORY) {
    sweep->paths = session->table;
  }
}

/* Run all that SWEEP lists and judge it. */
static int run_and_compare(struct sweep *sweep, const struct table *baseline) {
  struct session *session = sweep->session;
  if (run_path_form(sweep->opts, sweep->points.n, &sweep->path_form, session->err) != 0) {
    return CLI_USAGE;
  }
  if (sweep->path_form != RUN_PATH_NONE) {
    bool chain = sweep->path_form == RUN_PATH_STORY || sweep->path_form == RUN_PATH_SEGMENTS;
    sweep->observers |= CALL_PATH | (chain ? CALL_CHAIN : 0U);
  }
  for (size_t i = 0; i < sweep->points.n; i++) {
    sweep->points.items[i].observers = sweep->observers;
  }
  make_tables(sweep);
  int code = run_all(sweep);
  if (sweep->all_ok && sweep->path_form < RUN_PATH_TOTALS) {
    table_hide(session->table, "outcome");
  }
  if (code != CLI_DONE || sweep_interrupted()) {
    return code;
  }
  if (session_is_partial(session)) {
    return sweep->code;
  }
  if (!sweep->served) {
    return session_refuse(session, CLI_INPUT, "nothing that was asked for can be served%s", sweep_reason());
  }
  code = compare_with(baseline, sweep);
  return code > sweep->code ? code : sweep->code;
}

/* Refuse to watch bus requests if the bus of SESSION has none. */
static int check_bus(struct session *session) {
  const struct opts *opts = &session->opts;
  bool requests = opts->given & OPT_TRACE_LEVEL && opts->trace_level == TRACE_BUS;
  const struct {
    bool wanted;
    const char *option;
  } refused[] = {{opts->counters, "--counters"},
                 {opts->critical_path, "--critical-path"},
                 {opts->what_if, "--what-if"},
                 {requests, "--trace-level=bus"}};
  for (size_t i = 0; opts->bus != PLATFORM_BUS_EXACT && i < sizeof refused / sizeof *refused; i++) {
    if (refused[i].wanted) {
      return session_refuse(session, CLI_USAGE,
                            "%s with --bus=%s, which has no bus requests, expected --bus=exact",
                            refused[i].option, platform_bus_name(opts->bus));
    }
  }
  return CLI_DONE;
}

/* Run everything that SESSION asks for; BASELINE: to be compared with, NULL: nothing. */
static int run(struct session *session, const struct table *baseline) {
  const struct opts *opts = &session->opts;
  struct sweep sweep = {.session = session,
                        .opts = opts,
                        .all_ok = true,
                        .observers =
                          (opts->hazards ? CALL_HAZARDS : 0U) | (opts->counters ? CALL_UTILISATION : 0U),
                        .blades = xcalloc(session->machines.n, sizeof *sweep.blades)};
  int code = check_bus(session);
  if (code == CLI_DONE) {
    code = list_all(&sweep);
  }
  if (code == CLI_DONE && opts->timeline) {
    code = run_timeline_check(session, sweep.points.n);
  }
  if (code == CLI_DONE && opts->trace) {
    code = run_single(session, "--trace", sweep.points.n);
  }
  if (code == CLI_DONE) {
    code = opts->what_if ? run_what_if(session, &sweep.points) : run_and_compare(&sweep, baseline);
  }
  if (opts->timeline && (code == CLI_DONE || code == CLI_FAILED) && !sweep_interrupted()) {
    int drawn = run_timeline_write(session, &sweep.points);
    code = drawn == CLI_DONE ? code : drawn;
  }
  for (size_t i = 0; i < session->machines.n; i++) {
    blade_free(sweep.blades[i]);
  }
  free(sweep.blades);
  free(sweep.points.items);
  return code;
}

int cmd_run(struct session *session) {
  const struct opts *opts = &session->opts;
  if (opts->plot && opts->what_if) {
    return session_refuse(session, CLI_USAGE, "--plot with --what-if, expected one of them");
  }
  if (opts->strict && !opts->hazards) {
    return session_refuse(session, CLI_USAGE, "--strict without --hazards, expected both");
  }
  if ((opts->given & OPT_TOLERANCE) && !opts->baseline) {
    return session_refuse(session, CLI_USAGE, "--tolerance without --baseline, expected both");
  }
  if (opts->shard.parts && (opts->verbose || opts->trace || opts->timeline || opts->what_if)) {
    return session_refuse(session, CLI_USAGE,
                          "--shard with -v, --trace, --timeline or --what-if, expected one of them");
  }
  int usable = opts->what_if ? run_what_if_check(session) : run_trace_check(session);
  if (usable != CLI_DONE) {
    return usable;
  }
  struct table *baseline = opts->baseline ? baseline_read(opts->baseline, session->err) : NULL;
  int code = opts->baseline && !baseline ? CLI_INPUT : run(session, baseline);
  table_free(baseline);
  return code;
}
