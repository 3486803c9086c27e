/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll check: are the algorithms correct, at many points? */
#include "algos/catalogue.h"
#include "algos/schedule/workload/workload_run.h"
#include "algos/step/collective.h"
#include "cli/github.h"
#include "cli/check/check_report.h"
#include "cli/check/check_schedules.h"
#include "cli/commands.h"
#include "cli/opts.h"
#include "cli/run/run_points.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/jobs/jobs.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/check/check_grid.h"
#include "validate/lab/ledger/ledger_call.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the story of each bug --- */

enum { CHECK_STORIES_MAX = 8 };

struct check_story {
  const struct check_item *first; /* the first failing point */
  const char *platform;           /* the machine, as typed */
  struct check_shrink smallest;   /* the placement is the placement of `first`, or packed */
  size_t failures;                /* points */
};

/* All points of a variant on a machine, listed together. */
struct listing {
  struct check *check;
  struct check_grid grid;
};

/* All points are listed first; then each point is run, perhaps in another process, and reported. */
struct checking {
  struct session *session;
  const struct opts *opts;
  struct check *checks; /* one for each machine */
  size_t nchecks;
  struct sweep_calls variants;
  struct judged_files files;
  struct listing *listings;
  size_t nlistings;
  struct check_report report;
  struct check_story stories[CHECK_STORIES_MAX];
  size_t nstories, untold; /* bugs */
};

/* Return the request for a check of ALGORITHM in OPTS, with the costs of PROFILE. */
static struct check_grid check_asked(const struct algorithm *algorithm, const struct profile *profile,
                                     const struct opts *opts) {
  static const opts_set others[] = {OPT_ROOT, OPT_PLACEMENT, OPT_ROOT_STEP, OPT_BYTE_STEP};
  struct check_grid grid = {.ranks = opts->ranks,
                            .bytes = opts->bytes,
                            .given = {.algorithm = *algorithm,
                                      .profile = profile,
                                      .root = opts->root,
                                      .seed = opts->seed,
                                      .placement = opts->placement,
                                      .root_step = opts->root_step,
                                      .byte_step = opts->byte_step}};
  grid.fixed = opts_call_fields(opts, &grid.given);
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
    grid.fixed |= opts->given & others[i] ? 1u << (CHECK_ROOT + i) : 0;
  }
  return grid;
}

/* --- the bugs --- */

/* Find the bugs in the report of CHECKING.
 * owner: the caller, with check_result_fini of each story. */
static void find_stories(struct checking *checking) {
  const struct opts *opts = checking->opts;
  const struct check_report *report = &checking->report;
  const struct algo *untold = NULL;
  VEC_EACH(failed, report->items, report->n) {
    const struct algo *algo = failed->call.algorithm.algo;
    bool fails = failed->result.verdict == CHECK_FAIL;
    struct check_story *story =
      VEC_FIND(checking->stories, checking->nstories, item->first->call.algorithm.algo == algo);
    if (fails && story) {
      story->failures++;
    } else if (fails && checking->nstories < CHECK_STORIES_MAX) {
      size_t machine = (size_t)(failed->check - checking->checks) / opts_ncombinations(opts);
      checking->stories[checking->nstories++] = (struct check_story){
        .first = failed,
        .platform = opts->platforms.names[machine],
        .smallest = {.check = failed->check,
                     .call = failed->call,
                     .result = {CHECK_FAIL, failed->result.failure, xstrdup(failed->result.detail), 0, 0}},
        .failures = 1};
    } else if (fails && algo != untold) {
      checking->untold++;
      untold = algo;
    }
  }
}

/* --- smaller ones --- */

/* Shrink the point of story INDEX, in another process than the report. */
static int work(void *context, size_t index, struct pack *result) {
  struct checking *checking = context;
  struct check_shrink *shrink = &checking->stories[index].smallest;
  struct check_grid asked = check_asked(&shrink->call.algorithm, shrink->call.profile, checking->opts);
  asked.given.map = shrink->call.map;
  shrink->asked = &asked;
  check_shrink(shrink);
  check_pack(&shrink->result, result);
  pack_add_count(result, shrink->runs);
  pack_add_bytes(result, &shrink->call, sizeof shrink->call);
  return 0;
}

static int deliver(void *context, size_t index, struct pack *result) {
  struct check_shrink *shrink = &((struct checking *)context)->stories[index].smallest;
  check_result_fini(&shrink->result);
  struct result found = result_of(*result);
  shrink->result = check_unpack(&found);
  shrink->runs = (unsigned)pack_take_count(&found.observed);
  pack_take_bytes(&found.observed, &shrink->call,
                  sizeof shrink->call); /* the list of places stays where it was */
  return 0;
}

static void describe_story(const void *context, size_t index, char *text, size_t size) {
  SCOPED char *what = check_report_describe(((const struct checking *)context)->stories[index].first);
  snprintf(text, size, "%s", what);
}

/* --- telling --- */

/* Append LEAD and WORD to *TEXT, quoted for the shell if it must be. */
static void append_word(char **text, const char *lead, const char *word) {
  xappend(text, "%s", lead);
  opts_quote(text, word);
}

/* Return the command that repeats the point of STORY.
 * owner: the caller. */
static char *command_of(const struct check_story *story, const struct opts *opts) {
  const struct call *call = &story->smallest.call;
  enum collective collective = call->algorithm.algo->collective;
  SCOPED char *overrides = xstrdup(machine_platform(story->first->check->machine)->overrides);
  char *text = xstrdup("cellcoll check"), *rest = overrides;
  append_word(&text, " ", catalogue_name(&call->algorithm));
  append_word(&text, " -p ", story->platform);
  for (char *word; (word = strsep(&rest, ";"));) {
    if (*word) {
      append_word(&text, " --set ", word);
    }
  }
  if (opts->profile) {
    append_word(&text, " --profile ", opts->profile);
  }
  for (size_t i = 0; i < opts->plugins.n; i++) {
    append_word(&text, i == 0 ? " --plugin " : ",", opts->plugins.names[i]);
  }
  xappend(&text, " -n %u", call->nranks);
  xappend(&text, collective_has_data(collective) ? " -s %zu" : "", call->nbytes);
  xappend(&text, collective_has_root(collective) ? " --root %u" : "", call->root);
  xappend(&text, call->root_step ? " --root-step %" PRIu64 : "", call->root_step);
  xappend(&text, call->byte_step ? " --byte-step %zu" : "", call->byte_step);
  call_fields_append_options(&text, call);
  xappend(&text, " --placement ");
  placement_append(&text, &call->placement, call->nranks, ",");
  xappend(&text, " --seed %" PRIu64, call->seed);
  return text;
}

/* Return how many points fail with the algorithm of STORY, and in which way.
 * owner: the caller. */
static char *count_failures(const struct check_story *story, const struct check_report *report) {
  size_t count[FAILURE_COUNT] = {0}, untried = 0;
  VEC_EACH(item, report->items, report->n) {
    bool same = item->call.algorithm.algo == story->first->call.algorithm.algo;
    count[item->result.failure] += same && item->result.verdict == CHECK_FAIL;
    untried += same && item->result.verdict == CHECK_NOT_TRIED;
  }
  char *text =
    xasprintf("%zu point%s of this algorithm fail:", story->failures, text_plural(story->failures));
  const char *separator = "";
  for (unsigned kind = 0; kind < FAILURE_COUNT; kind++) {
    if (count[kind] > 0) {
      xappend(&text, "%s %zu %s", separator, count[kind], check_failure_name(kind));
      separator = ",";
    }
  }
  if (untried > 0) {
    xappend(&text, "; %zu were not tried", untried);
  }
  return text;
}

static void tell_story(const struct check_story *story, const struct check_report *report,
                       const struct opts *opts, struct table *table) {
  const char *reason = story->smallest.result.detail;
  struct check_item smallest = {.check = story->first->check, .call = story->smallest.call};
  SCOPED char *what = check_report_describe(&smallest), *found = check_report_describe(story->first),
              *counts = count_failures(story, report), *command = command_of(story, opts);
  table_note(table, "FAIL %s", what);
  table_note_filled(table, "  ", reason);
  table_note(table, "  again: %s", command);
  if (opts->github) {
    unsigned line = 0;
    SCOPED char *source = github_source(&smallest.call.algorithm, &opts->plugins, &line),
                *text = xasprintf("%s: %s\nagain: %s", what, reason, command);
    github_error(source, line, text);
  }
  if (story->smallest.runs > 1 && strcmp(what, found) != 0) {
    const char *detail = story->first->result.detail;
    bool same = strcmp(detail, reason) == 0, is_long = strlen(detail) > TABLE_TEXT_COLUMNS;
    SCOPED char *first =
      xasprintf("found at %s%s%.*s%s; the smallest of %u points tried", found, same ? "" : ": ",
                same ? 0 : TABLE_TEXT_COLUMNS, detail, !same && is_long ? " ..." : "", story->smallest.runs);
    table_note_filled(table, "  ", first);
  }
  table_note_filled(table, "  ", counts);
}

/* --- the points --- */

static void add_all_variants(struct sweep_calls *variants, const struct algo *algo) {
  struct algorithm algorithm = catalogue_call(algo);
  do {
    VEC_ADD(variants->items, variants->n) = algorithm;
  } while (catalogue_next(&algorithm));
}

/* Find the variants for SESSION: a name with parameters, and a schedule of thread blocks, is one variant,
 * any other name is all variants of its algorithms, no name is all variants of all algorithms. */
static void find_variants(const struct checking *checking, struct sweep_calls *variants) {
  const struct session *session = checking->session;
  const struct sweep_calls *named = &session->calls;
  for (size_t i = 0; i < named->n; i++) {
    const char *word = named->words[i], *colon = word ? strchr(word, ':') : NULL;
    if ((colon && strchr(colon + 1, ':')) || judged_files_find(&checking->files, named->items[i].algo)) {
      VEC_ADD(variants->items, variants->n) = named->items[i];
    } else {
      add_all_variants(variants, named->items[i].algo);
    }
  }
  for (size_t i = 0; named->n + session->schedules.n == 0 && i < catalogue_size; i++) {
    add_all_variants(variants, catalogue[i]);
  }
}

/* Append the request for ALGORITHM on the machine of CHECK to the listings of CHECKING; nothing for a listed
 * algorithm without software costs.
 * returns: an exit code. */
static int add_listing(struct checking *checking, struct check *check, const struct algorithm *algorithm) {
  struct session *session = checking->session;
  const struct opts *opts = checking->opts;
  const struct profile *profile = sweep_profile(machine_platform(check->machine), algorithm, session->err);
  if (!profile) {
    return *session->err->text ? CLI_INPUT : CLI_DONE;
  }
  struct judged_file *file = judged_files_find(&checking->files, algorithm->algo);
  struct listing *listing = &checking->listings[checking->nlistings++];
  *listing = (struct listing){check, check_asked(algorithm, profile, opts)};
  struct point point = {.machine = check->machine, .call = listing->grid.given};
  int code = run_points_map(session, &point);
  listing->grid.given.map = point.call.map;
  if (file) {
    judged_file_ask(file, &listing->grid, machine_platform(check->machine));
  }
  return code;
}

static int list_points(void *context, size_t index, struct pack *result) {
  const struct listing *listing = &((struct checking *)context)->listings[index];
  struct check_points points = {0};
  check_grid_list(&points, &listing->grid, machine_platform(listing->check->machine));
  check_points_pack(&points, result);
  check_points_fini(&points);
  return 0;
}

/* A function of the algorithm has crashed: list without such functions, so that the run of a point finds the
 * crash. */
static bool list_blindly(void *context, size_t index, const char *how, struct pack *result) {
  (void)how;
  ((struct checking *)context)->listings[index].grid.blind = true;
  return list_points(context, index, result) == 0;
}

static int deliver_points(void *context, size_t index, struct pack *result) {
  struct checking *checking = context;
  struct check_points points = check_points_unpack(result);
  check_report_add(&checking->report, checking->listings[index].check, &points);
  return 0;
}

static void describe_listing(const void *context, size_t index, char *text, size_t size) {
  catalogue_format(&((const struct checking *)context)->listings[index].grid.given.algorithm, text, size);
}

/* List the points of all variants on each machine. */
static int list_all(struct checking *checking) {
  const struct opts *opts = checking->opts;
  int code = CLI_DONE;
  struct machines *machines = &checking->session->machines;
  if (opts_skew_seeds(&opts->skew) > 1) {
    err_set(checking->session->err, "--skew: several seeds, expected one seed");
    return CLI_USAGE;
  }
  checking->checks = xcalloc(machines->n, sizeof *checking->checks);
  for (size_t j = 0; j < machines->n; j++) {
    checking->checks[j].machine = machines_get(machines, j);
  }
  checking->listings = xcalloc(checking->variants.n * machines->n, sizeof *checking->listings);
  VEC_EACH(variant, checking->variants.items, checking->variants.n) {
    for (size_t j = 0; j < machines->n && code == CLI_DONE; j++) {
      code = add_listing(checking, &checking->checks[j], variant);
    }
  }
  for (struct check *check; checking->nchecks < machines->n; check->seconds = opts->timeout) {
    check = &checking->checks[checking->nchecks++];
    check_open(check, check->machine); /* after the choice of maps: calls of monitors differ from others */
  }
  const struct jobs jobs = {.count = checking->nlistings, /* apart, as functions of plugins are called */
                            .nworkers = opts->jobs,
                            .apart = true,
                            .seconds = opts->timeout ? opts->timeout : CHECK_LONGEST,
                            .context = checking,
                            .work = list_points,
                            .deliver = deliver_points,
                            .describe = describe_listing,
                            .crashed = list_blindly,
                            .interrupted = sweep_interrupted};
  code = code == CLI_DONE && jobs_run(&jobs, checking->session->err) != 0 ? CLI_INPUT : code;
  free(checking->listings);
  return code;
}

/* --- the checks --- */

static void ask_all(void *context) {
  struct session *session = ((struct checking *)context)->session;
  struct check_report *report = &((struct checking *)context)->report;
  VEC_EACH(item, report->items, report->n) {
    if (!item->result.detail) { /* not known yet */
      check_ask(&session->ledger, &item->check, &item->call, &item->result);
    }
  }
}

/* --- the report --- */

/* Write the points of REPORT to the JUnit file of OPTS, if named; BROKEN as of check_report_junit.
 * returns: an exit code. */
static int write_junit(const struct check_report *report, const struct opts *opts, const char *broken,
                       struct err *err) {
  return !opts->junit || check_report_junit(report, opts->junit, broken, err) == 0 ? CLI_DONE : CLI_INPUT;
}

/* Make the table of CHECKING: a row for each schedule, if only schedules are named; else for each
 * algorithm as text, or each point. */
static struct table *make_table(const struct checking *checking) {
  const struct check_report *report = &checking->report;
  const struct sweep_calls *variants = &checking->variants;
  bool are_schedules = checking->files.n > 0 && !VEC_FIND(variants->items, variants->n,
                                                          !judged_files_find(&checking->files, item->algo));
  return are_schedules                          ? judged_files_table(&checking->files)
         : checking->opts->format == TABLE_TEXT ? check_report_summary(report)
                                                : check_report_table(report);
}

/* Note below TABLE each trace of CHECKING with an end only where messages are sent at once, or where calls do
 * not wait for all ranks. */
static void note_traces(const struct checking *checking, struct table *table) {
  const struct sweep_calls *variants = &checking->variants;
  VEC_EACH(variant, variants->items, variants->n) {
    const struct workload *workload = workload_of_algo(variant->algo);
    struct err cycle = {""};
    size_t ntold = (size_t)(variant - variants->items);
    bool is_first = !VEC_FIND(variants->items, ntold, item->algo == variant->algo);
    if (is_first && workload && workload->is_trace &&
        workload_check_trace(workload, variant->values, &cycle) == 0 &&
        workload_judge(workload, 0, true, &cycle) != 0) {
      SCOPED char *note =
        xasprintf("if each send waits for its receive, and each call for all ranks: %s", cycle.text);
      table_note_filled(table, "note: ", note);
    }
  }
}

/* Tell below the table, for people, a story for each bug, and the totals.
 * errors: a process was lost. */
static void tell_stories(struct checking *checking) {
  const struct check_report *report = &checking->report;
  struct session *session = checking->session;
  struct table *table = session->table;
  find_stories(checking);
  struct jobs jobs = {.count = checking->nstories,
                      .nworkers = checking->opts->jobs,
                      .apart = true,
                      .context = checking,
                      .work = work,
                      .deliver = deliver,
                      .describe = describe_story,
                      .interrupted = sweep_interrupted};
  if (checking->nstories && !sweep_interrupted() && machine_begin(session->err) == 0) {
    jobs_run(&jobs, session->err);
  }
  VEC_EACH(story, checking->stories, checking->nstories) {
    tell_story(story, report, checking->opts, table);
    check_result_fini(&story->smallest.result);
  }
  if (checking->untold > 0) {
    table_note(table, "FAIL %zu more algorithms, see the table", checking->untold);
  }
  if (checking->session->calls.n > 0) {
    check_report_traffic(report, table);
  }
  check_report_notes(report, table);
  note_traces(checking, table);
  check_report_totals(report, checking->opts, table);
}

/* Tell whether CHECKING has bad files and nothing else. */
static bool are_all_bad(const struct checking *checking) {
  const struct judged_files *files = &checking->files;
  return files->n > 0 && files->counts[FILE_BAD] == files->n && checking->variants.n == 0;
}

/* Write all wanted reports; CODE is the exit code so far.
 * returns: an exit code. */
static int report_all(struct checking *checking, int code) {
  struct session *session = checking->session;
  const struct opts *opts = checking->opts;
  judged_files_count(&checking->files, &checking->report);
  session->table = make_table(checking);
  judged_files_say(&checking->files, session);
  if (checking->variants.n && opts->format == TABLE_TEXT) {
    tell_stories(checking);
  }
  if (opts->github) {
    github_summary(session->table);
  }
  const char *broken = code == CLI_DONE ? NULL : session->err->text;
  if (session_is_partial(session)) {
    broken = sweep_interrupted() ? "interrupted" : "the rest is checked by other processes";
  }
  int reported = write_junit(&checking->report, opts, broken, session->err);
  if (reported != CLI_DONE) {
    return reported;
  }
  const struct judged_files *files = &checking->files;
  if (code == CLI_DONE && are_all_bad(checking)) {
    return session_refuse(session, CLI_INPUT, "%zu of %zu files have no schedule", files->counts[FILE_BAD],
                          files->n);
  }
  if (code == CLI_DONE &&
      checking->report.count[CHECK_FAIL] + files->counts[FILE_WRONG] + files->counts[FILE_BAD]) {
    return CLI_FAILED;
  }
  return code == CLI_DONE && files->counts[FILE_UNDECIDED]
           ? session_refuse(session, CLI_INPUT, "%zu of %zu files are not decided",
                            files->counts[FILE_UNDECIDED], files->n)
           : code;
}

/* Check all listed points and report. */
static int check_all(struct checking *checking) {
  struct session *session = checking->session;
  struct check_report *report = &checking->report;
  struct ledger *ledger = &session->ledger;
  ledger->apart = true;
  ledger->told = false;
  int status = ledger_settle(ledger, ask_all, checking, session->err);
  ask_all(checking); /* for results finished before a failure or an interruption */
  int code = status == 0 ? CLI_DONE : sweep_lost(ledger);
  check_report_count(report);
  if (code == CLI_DONE && !session_is_partial(session) && checking->files.n == 0 &&
      report->count[CHECK_PASS] + report->count[CHECK_FAIL] == 0) {
    code = session_refuse(session, CLI_INPUT, "nothing that was asked for can be served: %s",
                          report->n ? report->items[0].result.detail : "no algorithm");
    report->is_untried = true;
    int written = write_junit(report, checking->opts, NULL, session->err);
    return written == CLI_DONE ? code : written;
  }
  return report_all(checking, code);
}

int cmd_check(struct session *session) {
  struct checking checking = {.session = session, .opts = &session->opts};
  if (session->opts.strict && session->schedules.n == 0) {
    return session_refuse(session, CLI_USAGE, "--strict: no schedule is named, expected a file of MSCCL");
  }
  checking.files = judged_files_new(session);
  find_variants(&checking, &checking.variants);
  checking.report.files = &checking.files;
  if (are_all_bad(&checking) && checking.files.n == 1) {
    write_junit(&checking.report, checking.opts, NULL, session->err);
    err_set(session->err, "%s", checking.files.items[0].why.text);
    judged_files_fini(&checking.files);
    return CLI_INPUT;
  }
  struct table *table = make_table(&checking);
  int code = session_table(session, table); /* without rows yet */
  table_free(table);
  session->table = NULL;
  if (code == CLI_DONE && session->opts.junit && table_is_renamed(session->opts.junit)) {
    /* If this process is killed, nobody mistakes an older file for the result. A pipe gets only the final
     * file. */
    code = write_junit(&(const struct check_report){0}, checking.opts, "not finished", session->err);
  }
  code = code == CLI_DONE ? list_all(&checking) : code;
  code = code == CLI_DONE ? check_all(&checking) : code;
  VEC_EACH(check, checking.checks, checking.nchecks) {
    check_close(check);
  }
  free(checking.checks);
  free(checking.variants.items);
  judged_files_fini(&checking.files);
  check_report_fini(&checking.report);
  return code;
}
