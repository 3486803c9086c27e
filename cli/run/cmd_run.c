/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll run: run algorithms over all given platforms, ranks and sizes. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/run/baseline.h"
#include "cli/run/run_counters.h"
#include "cli/run/run_path.h"
#include "cli/run/run_points.h"
#include "cli/run/run_table.h"
#include "cli/run/run_ways.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "traces/hazard_list.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/model/what_if.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The calls of one command: first all points are listed, then the ledger makes the calls, then the results
 * are added to the tables. (cli/sweep.h has the progress and the messages of any command.) */
struct sweep {
  struct session *session;
  const struct opts *opts;
  struct blade **blades; /* one for each machine */
  struct call_points points;
  bool spans_nodes; /* some calls need several nodes */
  enum run_path_form path_form;
  struct table *rows;                        /* the table of runs; NULL: a table of paths takes the place */
  struct table *paths, *counters, *baseline; /* NULL: none */
  const struct way *ways[OPTION_COUNT];      /* to look at the calls */
  size_t nways;
  bool served; /* a call has been made */
  bool all_ok; /* so far */
  int code;    /* the worst so far */
};

/* --- what is to be run --- */

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
      code = run_points_add(sweep->session, &sweep->points, sweep->blades[j], &calls->items[i]);
    }
  }
  return code;
}

/* --- ways to look at a call --- */

static int begin_path(struct sweep *sweep) {
  int status = run_path_form(sweep->opts, sweep->points.n, &sweep->path_form, sweep->session->err);
  bool chain = sweep->path_form == RUN_PATH_STORY || sweep->path_form == RUN_PATH_SEGMENTS;
  for (size_t i = 0; chain && i < sweep->points.n; i++) {
    sweep->points.items[i].observers |= CALL_CHAIN;
  }
  return status == 0 ? CLI_DONE : CLI_USAGE;
}

static void add_path(struct sweep *sweep, const struct run_table_row *row) {
  if (!call_stopped(row->result)) {
    run_path_add(sweep->paths, row, sweep->path_form, sweep->spans_nodes);
  }
}

/* Make the table of runs and the table of paths. */
static int begin_rows(struct sweep *sweep) {
  struct session *session = sweep->session;
  bool combines = false;
  for (size_t i = 0; i < sweep->points.n; i++) {
    const struct call_point *point = &sweep->points.items[i];
    combines |= collective_combines(point->spec.call.algo->collective);
    sweep->spans_nodes |=
      point->spec.call.algo->spans_nodes || !platform_has_spes(blade_platform(point->blade));
  }
  if (sweep->path_form >= RUN_PATH_GROUPS) {
    sweep->paths = run_path_table(sweep->path_form, sweep->spans_nodes);
  }
  if (sweep->path_form >= RUN_PATH_TOTALS) {
    session->table = sweep->paths;
    return CLI_DONE;
  }
  session->table = sweep->rows = run_table_new(sweep->opts, combines, sweep->spans_nodes);
  if (sweep->path_form == RUN_PATH_GROUPS) {
    table_append(sweep->rows, "paths", sweep->paths);
  } else {
    sweep->paths = sweep->rows;
  }
  return CLI_DONE;
}

static void add_row(struct sweep *sweep, const struct run_table_row *row) {
  if (sweep->rows) {
    run_table_add(sweep->rows, row);
  }
}

static int begin_counters(struct sweep *sweep) {
  sweep->counters = run_counters_new(sweep->rows, "algorithm");
  return CLI_DONE;
}

static void add_counters(struct sweep *sweep, const struct run_table_row *row) {
  const struct rig_spec *spec = &row->point->spec;
  const struct platform *platform = blade_platform(row->point->blade);
  bool is_large = spec->call.algo->spans_nodes || !platform_has_spes(platform);
  char name[CATALOGUE_NAME_SIZE];
  catalogue_format(&spec->call, name, sizeof name);
  const struct run_counters_subject subject = {.name = name,
                                               .platform = platform,
                                               .ranks = spec->nranks,
                                               .bytes = spec->nbytes,
                                               .only_busiest = is_large && sweep->opts->format == TABLE_TEXT};
  struct pack utilisation = row->result->utilisation;
  if (!call_stopped(row->result)) {
    run_counters_add(sweep->rows, sweep->counters, &subject, &utilisation);
  }
}

static int begin_baseline(struct sweep *sweep) {
  sweep->baseline = baseline_read(sweep->opts->baseline, sweep->session->err);
  return sweep->baseline ? CLI_DONE : CLI_INPUT;
}

static int end_baseline(struct sweep *sweep) {
  int slower = baseline_compare(sweep->baseline, sweep->rows, sweep->opts->tolerance, sweep->session->err);
  return slower < 0 ? CLI_INPUT : slower > 0 ? CLI_FAILED : CLI_DONE;
}

static int begin_timeline(struct sweep *sweep) {
  return run_timeline_check(sweep->session, sweep->points.n);
}

static int end_timeline(struct sweep *sweep) {
  return sweep->code <= CLI_FAILED ? run_timeline_write(sweep->session, &sweep->points) : CLI_DONE;
}

static int begin_trace(struct sweep *sweep) {
  return run_single(sweep->session, "--trace shows one run", sweep->points.n);
}

/* A way to look at calls. Functions return exit codes; NULL: nothing to do. */
static const struct way {
  opts_set option;         /* 0: always */
  unsigned observers;      /* enum call_observers */
  const char *of_requests; /* the option as typed, if the way needs bus requests; NULL: the way does not */
  int (*begin)(struct sweep *sweep);                                 /* before the first call */
  void (*add)(struct sweep *sweep, const struct run_table_row *row); /* after each call that has been made */
  int (*end)(struct sweep *sweep);                                   /* after the last call */
  int (*instead)(struct session *session, struct call_points *points); /* in place of all other ways */
  /* Begin and end an observation of a call that the ledger does not keep. `watch` returns the observation for
   * `unwatch`; NULL: the observation cannot begin, and the error of the session is set. */
  void *(*watch)(struct session *session, struct call_point *point);
  int (*unwatch)(void *watch, struct session *session, const struct call_made *made);
} ways[] = {
  {OPT_WHAT_IF, .of_requests = "--what-if", .instead = run_what_if},
  {OPT_HAZARDS, .observers = CALL_HAZARDS},
  {OPT_CRITICAL_PATH, CALL_PATH, "--critical-path", .begin = begin_path, .add = add_path},
  {0, .begin = begin_rows, .add = add_row},
  {OPT_COUNTERS, CALL_UTILISATION, "--counters", .begin = begin_counters, .add = add_counters},
  {OPT_BASELINE, .begin = begin_baseline, .end = end_baseline},
  {OPT_TIMELINE, .begin = begin_timeline, .end = end_timeline},
  {OPT_TRACE, .begin = begin_trace, .watch = run_trace_begin, .unwatch = run_trace_end},
  {OPT_VERBOSE, .watch = run_verbose_begin, .unwatch = run_verbose_end},
};

/* List the ways that SWEEP is asked for. */
static void choose_ways(struct sweep *sweep) {
  for (const struct way *way = ways; way < ways + sizeof ways / sizeof *ways; way++) {
    if (!way->option || sweep->opts->given & way->option) {
      sweep->ways[sweep->nways++] = way;
    }
  }
}

/* --- results --- */

/* Print a message about POINT. */
static void __attribute__((format(printf, 2, 3)))
say(const struct call_point *point, const char *format, ...) {
  char name[CALL_TEXT_SIZE];
  va_list arguments;
  sweep_clear_progress();
  call_describe(&point->spec, name, sizeof name);
  fprintf(stderr, "cellcoll: %s: ", name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

/* Print the defects and the hazards of POINT.
 * returns: the exit code of the defects. */
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

/* Add the RESULT of POINT to the tables. The refusal of a point is an error if no other point was asked for.
 */
static int take(struct sweep *sweep, const struct call_point *point, const struct call_result *result) {
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
  for (size_t i = 0; i < sweep->nways; i++) {
    if (sweep->ways[i]->add) {
      sweep->ways[i]->add(sweep, &(struct run_table_row){point, result});
    }
  }
  return CLI_DONE;
}

/* --- running --- */

/* Make the call of POINT now, with all ways that watch, and take the result.
 * returns: an exit code. */
static int make_now(struct sweep *sweep, const struct call_point *point) {
  struct call_point watched = *point;
  struct call_made made;
  void *watches[OPTION_COUNT] = {NULL};
  for (size_t i = 0; i < sweep->nways; i++) {
    if (sweep->ways[i]->watch) {
      watches[i] = sweep->ways[i]->watch(sweep->session, &watched);
      if (!watches[i]) {
        return CLI_INPUT;
      }
    }
  }
  int status = call_make(&watched, &made), code = CLI_DONE;
  for (size_t i = 0; i < sweep->nways; i++) {
    if (watches[i]) {
      int ended = sweep->ways[i]->unwatch(watches[i], sweep->session, &made);
      code = ended > code ? ended : code;
    }
  }
  if (status == 0) {
    int taken = take(sweep, point, &made.result);
    code = taken > code ? taken : code;
  }
  call_made_fini(&made);
  return code;
}

/* Run all points. After a failure the tables have the points before the failed point; after an interruption
 * the tables have all finished points. */
static int run_all(struct sweep *sweep) {
  struct ledger *ledger = &sweep->session->ledger;
  bool watched = false;
  for (size_t i = 0; i < sweep->nways; i++) {
    watched |= sweep->ways[i]->watch != NULL;
  }
  int status = watched ? 0 : ledger_calls(ledger, &sweep->points, sweep->session->err);
  int code = status == 0 ? CLI_DONE : sweep->points.n == 1 ? CLI_INPUT : sweep_lost(ledger);
  for (size_t i = 0; i < sweep->points.n; i++) {
    struct call_point *point = &sweep->points.items[i];
    struct call_result result;
    int taken = CLI_DONE;
    if (watched) {
      taken = sweep_interrupted() ? CLI_DONE : make_now(sweep, point);
    } else if (ledger_call(ledger, point, &result)) {
      taken = take(sweep, point, &result);
    } else if (status != 0) {
      break;
    }
    code = code == CLI_DONE ? taken : code;
  }
  return code;
}

/* Run all that SWEEP lists and judge it. */
static int run_and_judge(struct sweep *sweep) {
  struct session *session = sweep->session;
  int code = run_all(sweep);
  if (sweep->all_ok && sweep->rows) {
    table_hide(sweep->rows, "outcome");
  }
  if (code != CLI_DONE || session_is_partial(session)) {
    return code != CLI_DONE || sweep_interrupted() ? code : sweep->code;
  }
  if (!sweep->served) {
    return session_refuse(session, CLI_INPUT, "nothing that was asked for can be served%s", sweep_reason());
  }
  for (size_t i = 0; i < sweep->nways; i++) {
    int ended = sweep->ways[i]->end ? sweep->ways[i]->end(sweep) : CLI_DONE;
    sweep->code = ended > sweep->code ? ended : sweep->code;
  }
  return sweep->code;
}

/* Refuse OPTION, which needs bus requests, if the bus of SESSION has none.
 * returns: an exit code. */
static int check_bus(struct session *session, const char *option) {
  enum platform_bus bus = session->opts.bus;
  return bus == PLATFORM_BUS_EXACT
           ? CLI_DONE
           : session_refuse(session, CLI_USAGE,
                            "%s with --bus=%s, which has no bus requests, expected --bus=exact", option,
                            platform_bus_name(bus));
}

/* Check what SWEEP is asked for before machines are built.
 * returns: an exit code. */
static int check(const struct sweep *sweep) {
  const struct opts *opts = sweep->opts;
  int code = CLI_DONE;
  if (opts->shard.parts && (opts->verbose || opts->trace || opts->timeline || opts->what_if)) {
    return session_refuse(sweep->session, CLI_USAGE,
                          "--shard with -v, --trace, --timeline or --what-if, expected one of them");
  }
  for (size_t i = 0; i < sweep->nways && code == CLI_DONE; i++) {
    const char *option = sweep->ways[i]->of_requests;
    code = option ? check_bus(sweep->session, option) : CLI_DONE;
  }
  bool requests = opts->given & OPT_TRACE_LEVEL && opts->trace_level == TRACE_BUS;
  return code == CLI_DONE && requests ? check_bus(sweep->session, "--trace-level=bus") : code;
}

/* Begin all ways of SWEEP to look at calls, and run the calls.
 * returns: an exit code. */
static int run(struct sweep *sweep) {
  int code = list_all(sweep);
  for (size_t i = 0; i < sweep->nways && code == CLI_DONE; i++) {
    const struct way *way = sweep->ways[i];
    if (way->instead) {
      return way->instead(sweep->session, &sweep->points);
    }
    for (size_t j = 0; j < sweep->points.n; j++) {
      sweep->points.items[j].observers |= way->observers;
    }
    code = way->begin ? way->begin(sweep) : CLI_DONE;
  }
  return code == CLI_DONE ? run_and_judge(sweep) : code;
}

int cmd_run(struct session *session) {
  struct sweep sweep = {.session = session, .opts = &session->opts, .all_ok = true};
  choose_ways(&sweep);
  sweep.blades = xcalloc(session->machines.n, sizeof *sweep.blades);
  int code = check(&sweep);
  code = code == CLI_DONE ? run(&sweep) : code;
  for (size_t i = 0; i < session->machines.n; i++) {
    blade_free(sweep.blades[i]);
  }
  table_free(sweep.baseline);
  free(sweep.blades);
  free(sweep.points.items);
  return code;
}
