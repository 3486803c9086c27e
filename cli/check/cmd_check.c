/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll check: are the algorithms correct, at many points? */
#include "algos/catalogue.h"
#include "cli/check/check_report.h"
#include "cli/check/check_schedules.h"
#include "cli/check/check_story.h"
#include "cli/commands.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/jobs/jobs.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/lab/check/check_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* All points are listed first; then each point is run, perhaps in another process, and reported. */
struct checking {
  struct session *session;
  const struct opts *opts;
  struct check *checks; /* one for each machine */
  size_t nchecks;
  struct sweep_calls variants;
  struct judged_files files;
  struct check_report report;
};

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

/* All points of a variant on a machine, listed together. */
struct listing {
  struct check *check;
  struct check_grid grid;
};

struct listings {
  struct listing *items;
  size_t n;
  struct check_report *report;
  struct algorithm with; /* in every second call; algo NULL: none */
  const struct judged_files *files;
};

/* Append the request for ALGORITHM on the machine of CHECK to LISTINGS; nothing for a listed algorithm
 * without software costs.
 * returns: an exit code. */
static int add_listing(struct listings *listings, struct check *check, const struct algorithm *algorithm,
                       const struct opts *opts, struct err *err) {
  const struct profile *profile = sweep_profile(machine_platform(check->machine), algorithm, err);
  if (!profile) {
    return *err->text ? CLI_INPUT : CLI_DONE;
  }
  struct judged_file *file = judged_files_find(listings->files, algorithm->algo);
  struct listing *listing = &listings->items[listings->n++];
  *listing = (struct listing){check, check_asked(algorithm, profile, opts)};
  listing->grid.given.with = listings->with;
  if (file) {
    judged_file_ask(file, &listing->grid, machine_platform(check->machine));
  }
  return CLI_DONE;
}

static int list_points(void *context, size_t index, struct pack *result) {
  const struct listing *listing = &((struct listings *)context)->items[index];
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
  ((struct listings *)context)->items[index].grid.blind = true;
  return list_points(context, index, result) == 0;
}

static int deliver_points(void *context, size_t index, struct pack *result) {
  const struct listings *listings = context;
  struct check_points points = check_points_unpack(result);
  check_report_add(listings->report, listings->items[index].check, &points);
  return 0;
}

static void describe_listing(const void *context, size_t index, char *text, size_t size) {
  catalogue_format(&((const struct listings *)context)->items[index].grid.algorithm, text, size);
}

/* List the points of LISTINGS in other processes, as functions of plugins are called. */
static int list_in_workers(struct listings *listings, const struct opts *opts, struct err *err) {
  const struct jobs jobs = {.count = listings->n,
                            .nworkers = opts->jobs,
                            .apart = true,
                            .seconds = opts->timeout ? opts->timeout : CHECK_LONGEST,
                            .context = listings,
                            .work = list_points,
                            .deliver = deliver_points,
                            .describe = describe_listing,
                            .crashed = list_blindly,
                            .interrupted = sweep_interrupted};
  return jobs_run(&jobs, err) == 0 ? CLI_DONE : CLI_INPUT;
}

/* List the points of all variants on each machine. */
static int list_all(struct checking *checking, struct machines *machines, struct err *err) {
  int code = CLI_DONE;
  if (opts_skew_seeds(&checking->opts->skew) > 1) {
    err_set(err, "--skew: several seeds, expected one seed");
    return CLI_USAGE;
  }
  struct listings listings = {.report = &checking->report, .files = &checking->files};
  const struct opts_names *with = &checking->opts->with;
  if (with->n > 1) {
    err_set(err, "--with: %zu algorithms, expected one", with->n);
    return CLI_USAGE;
  }
  if (with->n && catalogue_find(with->names[0], &listings.with, err) != 0) {
    return CLI_USAGE;
  }
  checking->checks = xcalloc(machines->n, sizeof *checking->checks);
  for (size_t j = 0; j < machines->n; j++) {
    check_open(&checking->checks[checking->nchecks], machines_get(machines, j));
    checking->checks[checking->nchecks++].seconds = checking->opts->timeout;
  }
  listings.items = xcalloc(checking->variants.n * machines->n, sizeof *listings.items);
  for (size_t i = 0; i < checking->variants.n; i++) {
    for (size_t j = 0; j < machines->n && code == CLI_DONE; j++) {
      code = add_listing(&listings, &checking->checks[j], &checking->variants.items[i], checking->opts, err);
    }
  }
  code = code == CLI_DONE ? list_in_workers(&listings, checking->opts, err) : code;
  free(listings.items);
  return code;
}

/* --- the checks --- */

static void describe(const struct experiment *experiment, char *text, size_t size) {
  SCOPED char *what = check_report_describe(experiment->context);
  snprintf(text, size, "%s", what);
}

/* Ask for the result of ITEM and, if known, store the result in ITEM. */
static void ask_point(struct ledger *ledger, struct check_item *item) {
  static const struct experiment_kind kind = {
    .name = "check", .run = check_make, .stopped = check_fail, .describe = describe};
  struct experiment experiment = {
    .kind = &kind, .machine = item->check->machine, .call = item->call, .context = item};
  struct pack result;
  if (!item->result.detail && ledger_ask(ledger, &experiment, &result)) {
    item->result = check_unpack(&result);
  }
}

static void ask_all(void *context) {
  struct session *session = ((struct checking *)context)->session;
  struct check_report *report = &((struct checking *)context)->report;
  for (size_t i = 0; i < report->n; i++) {
    ask_point(&session->ledger, &report->items[i]);
  }
}

/* Check all points.
 * returns: an exit code; one of a failure with ERR set if a process has died. */
static int run_all(struct checking *checking, struct err *err) {
  struct ledger *ledger = &checking->session->ledger;
  ledger->apart = true;
  ledger->told = false;
  int status = ledger_settle(ledger, ask_all, checking, err);
  ask_all(checking); /* for results finished before a failure or an interruption */
  return status == 0 ? CLI_DONE : sweep_lost(ledger);
}

/* --- the report --- */

/* Write the points of REPORT to the JUnit file of OPTS, if named; BROKEN as of check_report_junit.
 * returns: an exit code. */
static int write_junit(const struct check_report *report, const struct opts *opts, const char *broken,
                       struct err *err) {
  return !opts->junit || check_report_junit(report, opts->junit, broken, err) == 0 ? CLI_DONE : CLI_INPUT;
}

/* Write a JUnit file with the message that the checks are not finished. If this process is killed, nobody
 * mistakes an older file for the result. A pipe gets only the final file.
 * returns: an exit code. */
static int begin_junit(const struct opts *opts, struct err *err) {
  const struct check_report nothing = {0};
  struct stat status;
  bool plain = opts->junit && (stat(opts->junit, &status) != 0 || S_ISREG(status.st_mode));
  return plain ? write_junit(&nothing, opts, "not finished", err) : CLI_DONE;
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

/* Tell below TABLE, for people, a story for each bug, and the totals.
 * errors: a process was lost. */
static void tell_stories(const struct checking *checking, struct table *table, struct err *err) {
  const struct check_report *report = &checking->report;
  struct check_stories stories;
  check_stories_find(&stories, report, checking->checks, checking->opts);
  if (!sweep_interrupted()) {
    check_stories_shrink(&stories, checking->opts, err);
  }
  check_stories_tell(&stories, report, checking->opts, table);
  check_stories_fini(&stories);
  if (checking->session->calls.n > 0) {
    check_report_traffic(report, table);
  }
  check_report_notes(report, table);
  check_report_totals(report, checking->opts, table);
}

/* Tell whether CHECKING has bad files and nothing else. */
static bool are_all_bad(const struct checking *checking) {
  return checking->files.nbad > 0 && checking->files.nbad == checking->files.n && checking->variants.n == 0;
}

/* Write all wanted reports; CODE is the exit code so far.
 * returns: an exit code. */
static int report_all(struct checking *checking, struct session *session, int code) {
  const struct opts *opts = checking->opts;
  judged_files_count(&checking->files, &checking->report);
  session->table = make_table(checking);
  judged_files_say(&checking->files, session);
  if (checking->variants.n && opts->format == TABLE_TEXT) {
    tell_stories(checking, session->table, session->err);
  }
  const char *broken = sweep_interrupted()           ? "interrupted"
                       : session_is_partial(session) ? "the rest is checked by other processes"
                       : code != CLI_DONE            ? session->err->text
                                                     : NULL;
  int reported = write_junit(&checking->report, opts, broken, session->err);
  if (reported != CLI_DONE) {
    return reported;
  }
  const struct judged_files *files = &checking->files;
  if (code == CLI_DONE && are_all_bad(checking)) {
    return session_refuse(session, CLI_INPUT, "%zu of %zu files have no schedule", files->nbad, files->n);
  }
  if (code == CLI_DONE && checking->report.count[CHECK_FAIL] + files->nwrong + files->nbad) {
    return CLI_FAILED;
  }
  return code == CLI_DONE && files->nopen
           ? session_refuse(session, CLI_INPUT, "%zu of %zu files are not decided", files->nopen, files->n)
           : code;
}

/* Check all listed points and report. */
static int check_all(struct checking *checking, struct session *session) {
  struct check_report *report = &checking->report;
  int code = run_all(checking, session->err);
  check_report_count(report);
  if (code == CLI_DONE && !session_is_partial(session) && checking->files.n == 0 &&
      report->count[CHECK_PASS] + report->count[CHECK_FAIL] == 0) {
    code = session_refuse(session, CLI_INPUT, "nothing that was asked for can be served: %s",
                          report->n ? report->items[0].result.detail : "no algorithm");
    report->is_untried = true;
    int written = write_junit(report, checking->opts, NULL, session->err);
    return written == CLI_DONE ? code : written;
  }
  return report_all(checking, session, code);
}

int cmd_check(struct session *session) {
  struct checking checking = {.session = session, .opts = &session->opts};
  checking.files = judged_files_new(&session->schedules, &session->opts);
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
  code = code == CLI_DONE ? begin_junit(checking.opts, session->err) : code;
  code = code == CLI_DONE ? list_all(&checking, &session->machines, session->err) : code;
  code = code == CLI_DONE ? check_all(&checking, session) : code;
  for (size_t j = 0; j < checking.nchecks; j++) {
    check_close(&checking.checks[j]);
  }
  free(checking.checks);
  free(checking.variants.items);
  judged_files_fini(&checking.files);
  check_report_fini(&checking.report);
  return code;
}
