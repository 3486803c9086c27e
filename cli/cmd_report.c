/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll report: the whole comparison as a page for a browser. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/sweep.h"
#include "draw/gnuplot.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/origin.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/lab/rig.h"
#include "validate/model/compare.h"
#include "validate/model/plogp.h"
#include "validate/model/tune.h"
#include "validate/papers/claims.h"
#include "validate/papers/published.h"
#include "validate/report/curves.h"
#include "validate/report/report.h"
#include "validate/report/report_timelines.h"
#include "validate/report/report_usage.h"
#include "validate/report/report_what_if.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the command line again --- */

/* Write WORD as a shell would read it. */
static void
write_quoted(FILE *stream, const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+%@";
  if (*word && strspn(word, plain) == strlen(word)) {
    fputs(word, stream);
    return;
  }
  fputc('\'', stream);
  for (; *word; word++) {
    fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stream);
  }
  fputc('\'', stream);
}

/* Return the words in OPTS that choose the machine, each with a blank before it; AS_ARGUMENT: for a command whose
 * argument is the name of the machine.
 * owner: the caller frees the text. */
static char *
machine_words(const struct opts *opts, bool as_argument)
{
  char *text;
  size_t nbytes;
  FILE *stream = open_memstream(&text, &nbytes);
  if (as_argument || opts->given & OPT_PLATFORM) {
    fputs(as_argument ? " " : " -p ", stream);
    write_quoted(stream, opts->platforms.names[0]);
  }
  if (opts->profile) {
    fputs(" --profile ", stream);
    write_quoted(stream, opts->profile);
  }
  for (size_t i = 0; i < opts->sets.n; i++) {
    char *setting = xasprintf("%s=%s", opts->sets.items[i].key, opts->sets.items[i].values.names[0]);
    fputs(" --set ", stream);
    write_quoted(stream, setting);
    free(setting);
  }
  fclose(stream);
  return text;
}

/* --- what the page shows --- */

/* Results of the machine on their way into a page. */
struct results {
  struct blade *blade;
  struct comparison comparison; /* points that were simulated */
  char *stopped;                /* what was not: calls that did not do their work; NULL: none */
  struct plogp plogp;
  struct published_row *published;
  size_t npublished;
  struct err unpublished;
  struct curves curves;
  struct tuning tuning;
  struct claim_row *claims;
  struct report_usage *usage;
  size_t nusage;
  struct report_timeline *timelines;
  size_t ntimelines;
  struct report_what_if *what_if;
  size_t nwhat_if;
};

static void
take_published(void *context, const struct published_row *row)
{
  struct results *results = context;
  results->published[results->npublished++] = *row;
}

static void
skip_published(void *context, const char *why)
{
  struct results *results = context;
  err_set(&results->unpublished, "%s", why);
}

static void
complain_of_published(void *context, const char *why)
{
  (void)context;
  sweep_complain(why);
}

/* Simulate the published measurements that the machine can serve. */
static int
measure_published(struct results *results, struct ledger *ledger, struct err *err)
{
  struct published_walk walk = {.ledger = ledger,
                                .context = results,
                                .take = take_published,
                                .skip = skip_published,
                                .complain = complain_of_published};
  results->published = xcalloc(published_count_all(), sizeof *results->published);
  return published_run(results->blade, &walk, err);
}

/* Find out how busy the machine is in the runs that it can serve. */
static int
measure_usage(struct results *results, struct ledger *ledger, struct err *err)
{
  struct report_usage *usage = results->usage = xcalloc(report_usage_count(), sizeof *results->usage);
  int status = report_usage_run(results->blade, ledger, usage, err);
  for (size_t i = 0; i < report_usage_count() && status == 0; i++) {
    if (usage[i].ns > 0) {
      usage[results->nusage++] = usage[i];
    }
  }
  return status;
}

/* Note in RESULTS that POINT has no simulated value; points of one call lie side by side. */
static void
note_stopped(struct results *results, const struct compare_point *point)
{
  char name[128];
  catalogue_format(&point->call, name, sizeof name);
  char *text = xasprintf("%s on %u ranks with %zu bytes (%s)", name, point->ranks, point->bytes,
                         call_end_name(point->end));
  if (!results->stopped || !strstr(results->stopped, text)) {
    char *longer = results->stopped ? xasprintf("%s; %s", results->stopped, text) : xasprintf("%s", text);
    free(results->stopped);
    results->stopped = longer;
  }
  free(text);
}

/* Keep only those points of the comparison that have a simulated value. */
static void
set_stopped_aside(struct results *results)
{
  struct comparison *comparison = &results->comparison;
  size_t kept = 0;
  for (size_t i = 0; i < comparison->npoints; i++) {
    const struct compare_point *point = &comparison->points[i];
    bool has_no_model = point->end == CALL_UNPREDICTED && *point->cause; /* which says why */
    if (point->end == CALL_OK) {
      comparison->points[kept++] = *point;
    } else if (!has_no_model) {
      note_stopped(results, point);
    }
  }
  comparison->npoints = kept;
}

/* Compare on PLATFORM and measure the rest.
 * owner: the caller, with results_fini, in any case. */
static int
simulate(struct results *results, struct session *session, const struct platform *platform, struct err *err)
{
  const struct opts *opts = &session->opts;
  struct ledger *ledger = &session->ledger;
  struct compare_grid grid = {.ledger = ledger,
                              .ranks = opts->ranks,
                              .bytes = opts->bytes,
                              .root = opts->root,
                              .seed = opts->seed,
                              .wrong = sweep_complain};
  const struct profile *profile = rig_profile(platform, NULL, "ali2010", err);
  results->blade = profile ? blade_new(platform, err) : NULL;
  if (!results->blade) {
    return CLI_INPUT;
  }
  plogp_init(&results->plogp, results->blade, profile);
  results->plogp.ledger = ledger;
  results->claims = xcalloc(claims_count(), sizeof *results->claims);
  struct tune_grid choices = {
    .ledger = ledger, .ranks = opts->ranks, .bytes = opts->bytes, .root = opts->root, .seed = opts->seed};
  struct curves_from from = {.ledger = ledger, .comparison = &results->comparison};
  int status = compare_run(&results->comparison, results->blade, &grid, err);
  set_stopped_aside(results);
  status = status == 0 ? measure_published(results, ledger, err) : status;
  status = status == 0 ? measure_usage(results, ledger, err) : status;
  results->timelines = xcalloc(report_timelines_count(), sizeof *results->timelines);
  status = status == 0
             ? report_timelines_run(results->blade, ledger, results->timelines, &results->ntimelines, err)
             : status;
  results->what_if = xcalloc(report_what_if_count(), sizeof *results->what_if);
  status = status == 0 ? report_what_if_run(results->blade, ledger, results->what_if, &results->nwhat_if, err)
                       : status;
  status = status == 0 ? report_measure_parameters(&results->plogp, err) : status;
  status = status == 0 ? claims_decide_all(results->blade, ledger, results->claims, err) : status;
  status = status == 0 ? tune_run(&results->tuning, results->blade, &choices, err) : status;
  from.published = results->published;
  from.npublished = results->npublished;
  status = status == 0 ? curves_run(&results->curves, results->blade, &from, err) : status;
  return status == 0 ? CLI_DONE : sweep_lost(ledger);
}

static void
results_fini(struct results *results)
{
  plogp_fini(&results->plogp);
  comparison_fini(&results->comparison);
  curves_fini(&results->curves);
  tuning_fini(&results->tuning);
  free(results->stopped);
  free(results->claims);
  report_timelines_fini(results->timelines, results->ntimelines);
  free(results->timelines);
  report_what_if_fini(results->what_if, results->nwhat_if);
  free(results->what_if);
  free(results->usage);
  free(results->published);
  blade_free(results->blade);
}

/* Simulate PLATFORM, write the page PATH and print its summary. */
static int
make_page(struct session *session, const struct platform *platform, const char *path, struct err *err)
{
  struct results results = {0};
  const struct opts *opts = &session->opts;
  int code = simulate(&results, session, platform, err);
  if (code == CLI_DONE && !sweep_interrupted()) {
    char *options = machine_words(opts, false), *machine = machine_words(opts, true);
    char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE];
    struct comparison published = compare_of_model(&results.comparison, MODEL_PUBLISHED);
    struct report report = {.program = origin_line(),
                            .options = options,
                            .machine = machine,
                            .blade = results.blade,
                            .all = &results.comparison,
                            .comparison = &published,
                            .stopped = results.stopped,
                            .curves = &results.curves,
                            .tuning = &results.tuning,
                            .claims = results.claims,
                            .nclaims = claims_count(),
                            .usage = results.usage,
                            .nusage = results.nusage,
                            .timelines = results.timelines,
                            .ntimelines = results.ntimelines,
                            .what_if = results.what_if,
                            .nwhat_if = results.nwhat_if,
                            .plogp = &results.plogp,
                            .published = results.published,
                            .npublished = results.npublished,
                            .unpublished = *results.unpublished.text ? results.unpublished.text : NULL};
    code = report_write(&report, path, err) == 0 ? CLI_DONE : CLI_INPUT;
    sweep_clear_progress();
    compare_summary_lines(&results.comparison, lines);
    for (size_t i = 0; i < COMPARE_SUMMARIES && code == CLI_DONE; i++) {
      if (*lines[i]) {
        puts(lines[i]);
      }
    }
    free(options);
    free(machine);
  }
  if (sweep_interrupted()) {
    err_set(err, "report: interrupted, no page is written");
    code = CLI_SIGNALLED + sweep_signal();
  }
  results_fini(&results);
  return code;
}

/* --- where it goes --- */

/* Make the folder PATH unless it is there; MADE tells. */
static int
make_folder(const char *path, bool *made, struct err *err)
{
  struct stat status;
  *made = mkdir(path, 0777) == 0;
  if (*made) {
    return 0;
  }
  if (errno != EEXIST) {
    return err_set(err, "%s: cannot be made: %s, expected a folder or the name of a new one", path,
                   strerror(errno));
  }
  if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
    return err_set(err, "%s: is no folder, expected a folder or the name of a new one", path);
  }
  return 0;
}

/* Make the page of PLATFORM in the folder that OPTS names; a new folder goes again if that fails. */
static int
make_page_in_folder(struct session *session, const struct platform *platform, struct err *err)
{
  bool made;
  const struct opts *opts = &session->opts;
  size_t length = strlen(opts->output);
  while (length > 1 && opts->output[length - 1] == '/') {
    length--;
  }
  if (make_folder(opts->output, &made, err) != 0) {
    return CLI_INPUT;
  }
  char *path = xasprintf("%.*s/index.html", (int)length, opts->output);
  int code = make_page(session, platform, path, err);
  if (code == CLI_DONE) {
    puts(path);
  } else if (made) {
    rmdir(opts->output);
  }
  free(path);
  return code;
}

/* Find out, before minutes of simulation, whether gnuplot draws. */
static int
try_gnuplot(struct err *err)
{
  struct err why = {""};
  return gnuplot_check(&why) == 0
           ? 0
           : err_set(err,
                     "%s; without it there is no page: compare, published, claims and tune print its figures",
                     why.text);
}

int
cmd_report(struct session *session)
{
  if (!session->opts.output) {
    return session_refuse(session, CLI_USAGE, "no folder for the page, expected -o DIR");
  }
  if (try_gnuplot(session->err) != 0) {
    return CLI_INPUT;
  }
  int code = make_page_in_folder(session, session->machines.platforms[0], session->err);
  return code == CLI_DONE ? sweep_outcome(&session->ledger) : code;
}
