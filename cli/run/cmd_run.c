/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll run: run algorithms over all given platforms, ranks and sizes. */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload.h"
#include "cli/commands.h"
#include "cli/run/run_points.h"
#include "cli/run/run_table.h"
#include "cli/run/run_ways.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/jobs/worker_end.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "traces/order/order.h"
#include "sim/base/xalloc.h"
#include "validate/lab/ledger/ledger_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- ways to look at a call --- */

/* Make the table of runs and the table of paths. */
static int begin_rows(struct runs *runs) {
  struct session *session = runs->session;
  bool combines = false;
  VEC_EACH(point, runs->points.items, runs->points.n) {
    combines |= collective_combines(point->call.algorithm.algo->collective);
    runs->has_steps |= point->call.algorithm.algo->kind != NULL;
    runs->has_programs |= workload_of_algo(point->call.algorithm.algo) != NULL;
    const struct platform *platform = machine_platform(point->machine);
    runs->spans_nodes |=
      platform->has_nodes && (point->call.algorithm.algo->spans_nodes || !platform_has_spes(platform));
  }
  if (runs->form >= RUN_PATH_GROUPS) {
    runs->paths = run_path_table(runs);
  }
  if (runs->form >= RUN_PATH_TOTALS) {
    return session_table(session, runs->paths);
  }
  runs->rows = run_table_new(runs->opts, combines, runs->spans_nodes);
  if (runs->form == RUN_PATH_GROUPS) {
    table_append(runs->rows, "paths", runs->paths);
  } else {
    runs->paths = runs->rows;
  }
  return session_table(session, runs->rows);
}

static void add_row(struct runs *runs, const struct point *point, const struct call_result *result) {
  if (runs->rows) {
    run_table_add(runs->rows, point, result);
  }
}

static int begin_counters(struct runs *runs) {
  runs->counters = run_counters_new(runs->rows, "algorithm");
  return CLI_DONE;
}

static void add_counters(struct runs *runs, const struct point *point, const struct call_result *result) {
  const struct call *call = &point->call;
  const struct platform *platform = machine_platform(point->machine);
  bool is_large = call->algorithm.algo->spans_nodes || !platform_has_spes(platform);
  const struct run_counters_subject subject = {.name = catalogue_name(&call->algorithm),
                                               .platform = platform,
                                               .ranks = call->nranks,
                                               .bytes = call->nbytes,
                                               .only_busiest = is_large && runs->opts->format == TABLE_TEXT};
  if (!call_stopped(result)) {
    run_counters_add(runs->rows, runs->counters, &subject, result->utilisation);
  }
}

static const struct way run_rows = {.begin = begin_rows, .add = add_row};
static const struct way run_hazards = {OPT_HAZARDS, .observers = CALL_HAZARDS};
static const struct way run_counters = {OPT_COUNTERS, CALL_UTILISATION, "--counters", .begin = begin_counters,
                                        .add = add_counters};

/* The ways, in the order of their work. */
static const struct way *const ways[] = {&run_what_if,  &run_hazards, &run_path,     &run_rows,
                                         &run_counters, &run_calls,   &run_baseline, &run_timeline,
                                         &run_trace,    &run_verbose};

/* --- results --- */

/* Print two parts of a message about POINT. */
static void say(const struct point *point, const char *what, const char *more) {
  SCOPED char *text = xasprintf("%s: %s%s", call_words(&point->call), what, more);
  sweep_complain(text);
}

/* Return what to do about the call that has stopped with the words WRONG: the command for a debugger.
 * owner: the caller. */
static char *advise(const struct runs *runs, const char *wrong) {
  bool is_long = strncmp(wrong, "timeout: ", strlen("timeout: ")) == 0;
  if (!is_long && strncmp(wrong, "crash: ", strlen("crash: ")) != 0) {
    return xstrdup("");
  }
  char *text = xasprintf("%s; to see where: gdb --args cellcoll %s",
                         is_long ? "; --timeout SECONDS gives more time" : "", runs->opts->command);
  VEC_EACH(argument, runs->opts->arguments, runs->opts->narguments) {
    xappend(&text, " ");
    opts_quote(&text, *argument);
  }
  xappend(&text, " -j 1");
  return text;
}

/* Print the defects and the hazards of POINT.
 * returns: the exit code of the defects. */
static int judge(const struct runs *runs, const struct point *point, const struct call_result *result) {
  struct pack hazards = result->hazards;
  for (uint64_t i = 0; i < result->nhazards && i < HAZARD_LINES_MAX; i++) {
    say(point, "hazard: ", pack_take_text(&hazards));
  }
  if (result->nhazards > HAZARD_LINES_MAX) {
    say(point, text_brief("%llu hazards in all", (unsigned long long)result->nhazards), "");
  }
  if (result->end != CALL_OK) {
    SCOPED char *advice = advise(runs, result->wrong);
    say(point, result->wrong, advice);
    return call_stopped(result) ? CLI_FAULT : CLI_FAILED;
  }
  return result->nhazards && runs->opts->strict ? CLI_FAILED : CLI_DONE;
}

/* Add the RESULT of POINT to the tables. The refusal of a point is an error if no other point was asked for.
 */
static int take(struct runs *runs, const struct point *point, const struct call_result *result) {
  const struct algo *algo = point->call.algorithm.algo;
  if (*result->refused && runs->points.n == 1 && !sweep_is_listed(algo)) {
    err_set(runs->session->err, "%s", result->refused);
    return CLI_INPUT;
  }
  if (*result->refused) {
    sweep_skip_call(algo, result->refused);
    return CLI_DONE;
  }
  runs->served = true;
  int code = judge(runs, point, result);
  RAISE(runs->code, code);
  runs->all_ok &= result->end == CALL_OK;
  VEC_EACH(way, runs->ways, runs->nways) {
    if ((*way)->add) {
      (*way)->add(runs, point, result);
    }
  }
  return CLI_DONE;
}

/* --- running --- */

/* Make the call of POINT now, with all ways that watch, and take the result.
 * returns: an exit code. */
static int make_now(struct runs *runs, const struct point *point) {
  struct point watched = *point;
  struct call_made made;
  void *watches[OPTION_COUNT] = {NULL};
  for (size_t i = 0; i < runs->nways; i++) {
    if (runs->ways[i]->watch) {
      watches[i] = runs->ways[i]->watch(runs->session, &watched);
      if (!watches[i]) {
        return CLI_INPUT;
      }
    }
  }
  worker_end_limit(session_call_limit(runs->session), NULL, 0);
  int status = call_make(&watched, &made), code = CLI_DONE;
  worker_end_limit(0, NULL, 0);
  for (size_t i = 0; i < runs->nways; i++) {
    if (watches[i]) {
      int ended = runs->ways[i]->unwatch(watches[i], runs->session, &made);
      RAISE(code, ended);
    }
  }
  if (status == 0) {
    int taken = take(runs, point, &made.result);
    RAISE(code, taken);
  }
  call_made_fini(&made);
  return code;
}

/* Run all points. After a failure the tables have the points before the failed point; after an interruption
 * the tables have all finished points. */
static int run_all(struct runs *runs) {
  struct ledger *ledger = &runs->session->ledger;
  bool watched = VEC_FIND(runs->ways, runs->nways, (*item)->watch);
  int status =
    watched ? machine_begin(runs->session->err) : ledger_calls(ledger, &runs->points, runs->session->err);
  int code = status == 0 ? CLI_DONE : runs->points.n == 1 ? CLI_INPUT : sweep_lost(ledger);
  VEC_EACH(point, runs->points.items, runs->points.n) {
    struct call_result result;
    int taken = CLI_DONE;
    if (watched) {
      taken = status != 0 || sweep_interrupted() ? CLI_DONE : make_now(runs, point);
    } else if (ledger_call(ledger, point, &result)) {
      taken = take(runs, point, &result);
    } else if (status != 0) {
      break;
    }
    code = code == CLI_DONE ? taken : code;
  }
  return code;
}

/* Say so if listed algorithms have the software costs of different papers. */
static void tell_profiles(const struct runs *runs) {
  const char *before = NULL, *comparison = NULL;
  bool differ = false;
  for (size_t i = 0; i < runs->points.n && !runs->opts->profile; i++) {
    const struct point *point = &runs->points.items[i];
    const struct algorithm *algorithm = &point->call.algorithm;
    const struct platform *platform = machine_platform(point->machine);
    const struct profile *profile = sweep_is_listed(algorithm->algo)
                                      ? rig_profile(platform, NULL, catalogue_source(algorithm), NULL)
                                      : NULL;
    if (profile) {
      differ |= before && strcmp(before, profile->name) != 0;
      before = profile->name;
      comparison = rig_comparison(platform, NULL);
    }
  }
  if (differ && !runs->opts->quiet) {
    fprintf(stderr,
            "cellcoll: run: the algorithms have the software costs of different papers (column profile); "
            "--profile %s gives all of them the same\n",
            comparison);
  }
}

/* Compare, below the rows, the times of two algorithms in the same call. */
static void tell_ratio(const struct runs *runs) {
  struct table *table = runs->rows;
  static const char *const same[] = {"platform", "ranks", "bytes", "root"};
  bool asked = table && runs->all_ok && runs->opts->format == TABLE_TEXT && table_nrows(table) == 2 &&
               strcmp(table_cell(table, 0, "algorithm"), table_cell(table, 1, "algorithm")) != 0;
  for (size_t i = 0; asked && i < VEC_LENGTH(same); i++) {
    asked = strcmp(table_cell(table, 0, same[i]), table_cell(table, 1, same[i])) == 0;
  }
  double first = asked ? atof(table_cell(table, 0, "ns")) : 0;
  double second = asked ? atof(table_cell(table, 1, "ns")) : 0;
  size_t slow = first < second;
  if (first > 0 && second > 0) {
    bool differ = strcmp(table_cell(table, 0, "profile"), table_cell(table, 1, "profile")) != 0;
    table_note(table, "%s takes %.2f times as long as %s%s", table_cell(table, slow, "algorithm"),
               slow ? second / first : first / second, table_cell(table, 1 - slow, "algorithm"),
               differ ? ", with the software costs of different papers" : "");
  }
}

/* Compare, below the rows, the times of one program with several maps. */
static void tell_maps(const struct runs *runs) {
  struct table *table = runs->rows;
  size_t n = opts_maps(runs->opts->call.map);
  bool asked = table && runs->all_ok && runs->opts->format == TABLE_TEXT && runs->points.n == n;
  for (size_t i = 1; asked && i < n && table_nrows(table) == n; i++) {
    double first = atof(table_cell(table, 0, "ns")), ns = atof(table_cell(table, i, "ns"));
    if (first > 0) {
      table_note(table, "map %zu takes %.2f times as long as map 1", i + 1, ns / first);
    }
  }
}

/* Run all that RUNS lists and judge it. */
static int run_and_judge(struct runs *runs) {
  struct session *session = runs->session;
  int code = run_all(runs);
  if (runs->all_ok && runs->rows) {
    table_hide(runs->rows, "outcome");
  }
  if (code != CLI_DONE || session_is_partial(session)) {
    return code != CLI_DONE || sweep_interrupted() ? code : runs->code;
  }
  if (!runs->served) {
    return session_refuse(session, CLI_INPUT, "nothing that was asked for can be served%s", sweep_reason());
  }
  if (runs->points.n > 1) {
    tell_profiles(runs);
    tell_ratio(runs);
    tell_maps(runs);
  }
  VEC_EACH(way, runs->ways, runs->nways) {
    int ended = (*way)->end ? (*way)->end(runs) : CLI_DONE;
    RAISE(runs->code, ended);
  }
  return runs->code;
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

/* Check what RUNS is asked for before machines are built.
 * returns: an exit code. */
static int check(const struct runs *runs) {
  const struct opts *opts = runs->opts;
  int code = CLI_DONE;
  if (opts->shard.parts && (opts->verbose || opts->trace || opts->timeline || opts->what_if)) {
    return session_refuse(runs->session, CLI_USAGE,
                          "--shard with -v, --trace, --timeline or --what-if, expected one of them");
  }
  for (size_t i = 0; i < runs->nways && code == CLI_DONE; i++) {
    const char *option = runs->ways[i]->of_requests;
    code = option ? check_bus(runs->session, option) : CLI_DONE;
  }
  bool requests = opts->given & OPT_TRACE_LEVEL && opts->trace_level == TRACE_BUS;
  return code == CLI_DONE && requests ? check_bus(runs->session, "--trace-level=bus") : code;
}

/* Begin all ways of RUNS to look at calls, and run the calls.
 * returns: an exit code. */
static int run(struct runs *runs) {
  int code = run_points_list(runs->session, &runs->points);
  for (size_t i = 0; i < runs->nways && code == CLI_DONE; i++) {
    const struct way *way = runs->ways[i];
    if (way->instead) {
      return way->instead(runs);
    }
    VEC_EACH(point, runs->points.items, runs->points.n) {
      point->observers |= way->observers;
    }
    code = way->begin ? way->begin(runs) : CLI_DONE;
  }
  return code == CLI_DONE ? run_and_judge(runs) : code;
}

int cmd_run(struct session *session) {
  struct runs runs = {.session = session, .opts = &session->opts, .all_ok = true};
  VEC_EACH(way, ways, VEC_LENGTH(ways)) {
    if (!(*way)->option || runs.opts->given & (*way)->option) {
      runs.ways[runs.nways++] = *way;
    }
  }
  int code = check(&runs);
  code = code == CLI_DONE ? run(&runs) : code;
  table_free(runs.baseline);
  free(runs.points.items);
  return code;
}
