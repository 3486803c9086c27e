/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll report: the whole comparison as a page for a browser. */
#include "algos/catalogue.h"
#include "cli/commands.h"
#include "cli/sweep.h"
#include "draw/gnuplot.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/origin.h"
#include "sim/base/units.h"
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
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the options of the page, for the commands on it --- */

/* Write WORD as a shell would read it. */
static void write_quoted(FILE *stream, const char *word) {
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

/* Write the machine that OPTS names, after LEAD. */
static void write_platform(FILE *stream, const char *lead, const struct opts *opts) {
  fputs(lead, stream);
  write_quoted(stream, opts->platforms.names[0]);
}

static void write_sets(FILE *stream, const struct opts *opts) {
  for (size_t i = 0; i < opts->sets.n; i++) {
    char *setting = xasprintf("%s=%s", opts->sets.items[i].key, opts->sets.items[i].values.names[0]);
    fputs(" --set ", stream);
    write_quoted(stream, setting);
    free(setting);
  }
}

/* Write the numbers of ranks in LIST, separated by commas, after LEAD. */
static void write_counts(FILE *stream, const char *lead, const struct units_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    char text[UNITS_TEXT_SIZE];
    snprintf(text, sizeof text, "%" PRIu64, list->values[i]);
    fprintf(stream, "%s%s", i ? "," : lead, list->values[i] == UNITS_ALL ? "all" : text);
  }
}

/* The same for sizes. */
static void write_sizes(FILE *stream, const char *lead, const struct units_list *list) {
  for (size_t i = 0; i < list->n; i++) {
    char text[UNITS_TEXT_SIZE];
    units_format_bytes(list->values[i], text);
    fprintf(stream, "%s%s", i ? "," : lead, text);
  }
}

/* Write those options of OPTS that are in SET. */
static void write_options(FILE *stream, const struct opts *opts, opts_set set) {
  if (set & OPT_PLATFORM) {
    write_platform(stream, " -p ", opts);
  }
  if (set & OPT_RANKS) {
    write_counts(stream, " -n ", &opts->ranks);
  }
  if (set & OPT_BYTES) {
    write_sizes(stream, " -s ", &opts->bytes);
  }
  if (set & OPT_ROOT) {
    fprintf(stream, " --root %u", opts->root);
  }
  if (set & OPT_SEED) {
    fprintf(stream, " --seed %" PRIu64, opts->seed);
  }
  if (set & OPT_PROFILE) {
    fputs(" --profile ", stream);
    write_quoted(stream, opts->profile);
  }
  if (set & OPT_SET) {
    write_sets(stream, opts);
  }
}

/* Return the words for those options of OPTS that are in SET; AS_ARGUMENT: first the machine as an argument.
 * owner: the caller frees the text. */
static char *words_of(const struct opts *opts, opts_set set, bool as_argument) {
  char *text;
  size_t nbytes;
  FILE *stream = open_memstream(&text, &nbytes);
  if (as_argument) {
    write_platform(stream, " ", opts);
  }
  write_options(stream, opts, set);
  fclose(stream);
  return text;
}

/* Fill OPTIONS from OPTS: a command gets those that it takes and that its figures on the page depend on.
 * owner: the caller, with words_fini. */
static void words_init(struct report_options *options, const struct opts *opts,
                       const struct platform *platform) {
  const opts_set costs = opts->given & (OPT_PROFILE | OPT_SET),
                 machine = costs | (opts->given & OPT_PLATFORM);
  const opts_set chosen = opts->given & (OPT_ROOT | OPT_SEED);
  const opts_set grid = machine | chosen | (opts->given & (OPT_RANKS | OPT_BYTES));
  *options = (struct report_options){.machine = words_of(opts, machine, false),
                                     .argument = words_of(opts, costs, true),
                                     .published = words_of(opts, machine | OPT_PLATFORM, false),
                                     .claims = words_of(opts, machine & ~(opts_set)OPT_PROFILE, false),
                                     .grid = words_of(opts, grid, false),
                                     .profile = words_of(opts, costs & OPT_PROFILE, false)};
  options->compared = opts->profile || !platform_has_spes(platform)
                        ? xstrdup("")
                        : xasprintf(" --profile %s", rig_comparison(platform, NULL));
  for (enum collective collective = 0; collective < COLL_COUNT; collective++) {
    opts_set foreign =
      (collective_has_data(collective) ? 0 : OPT_BYTES) | (collective_has_root(collective) ? 0 : OPT_ROOT);
    options->tune[collective] = words_of(opts, grid & ~foreign, false);
    options->curve[collective] = words_of(opts, (machine | chosen) & ~(foreign | OPT_PROFILE), false);
  }
}

/* Release what OPTIONS hold. */
static void words_fini(struct report_options *options) {
  free(options->machine);
  free(options->argument);
  free(options->published);
  free(options->claims);
  free(options->grid);
  free(options->profile);
  free(options->compared);
  for (enum collective collective = 0; collective < COLL_COUNT; collective++) {
    free(options->tune[collective]);
    free(options->curve[collective]);
  }
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
  char *unmeasured, *unfound; /* as in struct report */
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

static void take_published(void *context, const struct published_row *row) {
  struct results *results = context;
  results->published[results->npublished++] = *row;
}

static void skip_published(void *context, const char *why) {
  struct results *results = context;
  err_set(&results->unpublished, "%s", why);
}

static void complain_of_published(void *context, const char *why) {
  (void)context;
  sweep_complain(why);
}

/* Simulate the published measurements that the machine can serve. */
static int measure_published(struct results *results, struct ledger *ledger, struct err *err) {
  struct published_walk walk = {.ledger = ledger,
                                .context = results,
                                .take = take_published,
                                .skip = skip_published,
                                .complain = complain_of_published};
  results->published = xcalloc(published_count_all(), sizeof *results->published);
  results->unmeasured = published_nothing(blade_platform(results->blade));
  return results->unmeasured ? 0 : published_run(results->blade, &walk, err);
}

/* Find out how busy the machine is in the runs that it can serve. */
static int measure_usage(struct results *results, struct ledger *ledger, struct err *err) {
  struct report_usage *usage = results->usage = xcalloc(report_usage_count(), sizeof *results->usage);
  int status = report_usage_run(results->blade, ledger, usage, err);
  for (size_t i = 0; i < report_usage_count() && status == 0; i++) {
    if (usage[i].ns > 0) {
      usage[results->nusage++] = usage[i];
    }
  }
  return status;
}

/* Decide the claims on the machine of OPTS, which have the software costs of their sources whatever those of
 * the page are. */
static int decide_claims(struct results *results, struct ledger *ledger, const struct opts *opts,
                         struct err *err) {
  struct opts plain = *opts;
  struct machines machines;
  plain.profile = NULL;
  results->unfound = claims_nothing(blade_platform(results->blade));
  if (results->unfound) {
    return 0;
  }
  results->claims = xcalloc(claims_count(), sizeof *results->claims);
  if (machines_load(&machines, &plain, err) != CLI_DONE) {
    return -1;
  }
  struct blade *blade = blade_new(machines.platforms[0], err);
  int status = blade ? claims_decide_all(blade, ledger, results->claims, err) : -1;
  blade_free(blade);
  machines_fini(&machines);
  return status;
}

/* Note in RESULTS that POINT has no simulated value; points of one call lie side by side. */
static void note_stopped(struct results *results, const struct compare_point *point) {
  char name[CATALOGUE_NAME_SIZE];
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
static void set_stopped_aside(struct results *results) {
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
static int simulate(struct results *results, struct session *session, const struct platform *platform,
                    struct err *err) {
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
  struct tune_grid choices = {.ledger = ledger,
                              .ranks = opts->ranks,
                              .bytes = opts->bytes,
                              .root = opts->root,
                              .seed = opts->seed,
                              .profile = opts->profile};
  const struct report_timelines_asked compared = {results->blade, ledger, opts->profile};
  struct curves_from from = {
    .ledger = ledger, .comparison = &results->comparison, .root = opts->root, .seed = opts->seed};
  int status = compare_run(&results->comparison, results->blade, &grid, err);
  set_stopped_aside(results);
  status = status == 0 ? measure_published(results, ledger, err) : status;
  status = status == 0 ? measure_usage(results, ledger, err) : status;
  results->timelines = xcalloc(report_timelines_count(), sizeof *results->timelines);
  status =
    status == 0 ? report_timelines_run(&compared, results->timelines, &results->ntimelines, err) : status;
  results->what_if = xcalloc(report_what_if_count(), sizeof *results->what_if);
  status = status == 0 ? report_what_if_run(results->blade, ledger, results->what_if, &results->nwhat_if, err)
                       : status;
  status = status == 0 ? report_measure_parameters(&results->plogp, err) : status;
  status = status == 0 ? decide_claims(results, ledger, opts, err) : status;
  status = status == 0 ? tune_run(&results->tuning, results->blade, &choices, err) : status;
  from.published = results->published;
  from.npublished = results->npublished;
  status = status == 0 ? curves_run(&results->curves, results->blade, &from, err) : status;
  return status == 0 ? CLI_DONE : sweep_lost(ledger);
}

static void results_fini(struct results *results) {
  plogp_fini(&results->plogp);
  comparison_fini(&results->comparison);
  curves_fini(&results->curves);
  tuning_fini(&results->tuning);
  free(results->stopped);
  free(results->claims);
  free(results->unmeasured);
  free(results->unfound);
  report_timelines_fini(results->timelines, results->ntimelines);
  free(results->timelines);
  report_what_if_fini(results->what_if, results->nwhat_if);
  free(results->what_if);
  free(results->usage);
  free(results->published);
  blade_free(results->blade);
}

/* Simulate PLATFORM, write the page PATH and print its summary. */
static int make_page(struct session *session, const struct platform *platform, const char *path,
                     struct err *err) {
  struct results results = {0};
  int code = simulate(&results, session, platform, err);
  if (code == CLI_DONE && !sweep_interrupted()) {
    struct report_options options;
    char lines[COMPARE_SUMMARIES][COMPARE_SUMMARY_SIZE];
    struct comparison published = compare_of_model(&results.comparison, MODEL_PUBLISHED);
    words_init(&options, &session->opts, platform);
    struct report report = {.program = origin_line(),
                            .options = &options,
                            .blade = results.blade,
                            .all = &results.comparison,
                            .comparison = &published,
                            .stopped = results.stopped,
                            .curves = &results.curves,
                            .tuning = &results.tuning,
                            .claims = results.claims,
                            .nclaims = results.claims ? claims_count() : 0,
                            .usage = results.usage,
                            .nusage = results.nusage,
                            .timelines = results.timelines,
                            .ntimelines = results.ntimelines,
                            .what_if = results.what_if,
                            .nwhat_if = results.nwhat_if,
                            .plogp = &results.plogp,
                            .published = results.published,
                            .npublished = results.npublished,
                            .unpublished = *results.unpublished.text ? results.unpublished.text : NULL,
                            .unmeasured = results.unmeasured,
                            .unfound = results.unfound};
    code = report_write(&report, path, err) == 0 ? CLI_DONE : CLI_INPUT;
    sweep_clear_progress();
    compare_summary_lines(&results.comparison, lines);
    for (size_t i = 0; i < COMPARE_SUMMARIES && code == CLI_DONE; i++) {
      if (*lines[i]) {
        puts(lines[i]);
      }
    }
    words_fini(&options);
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
static int make_folder(const char *path, bool *made, struct err *err) {
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
static int make_page_in_folder(struct session *session, const struct platform *platform, struct err *err) {
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
static int try_gnuplot(struct err *err) {
  struct err why = {""};
  return gnuplot_check(&why) == 0
           ? 0
           : err_set(err,
                     "%s; without it there is no page: compare, published, claims and tune print its figures",
                     why.text);
}

int cmd_report(struct session *session) {
  if (!session->opts.output) {
    return session_refuse(session, CLI_USAGE, "no folder for the page, expected -o DIR");
  }
  if (try_gnuplot(session->err) != 0) {
    return CLI_INPUT;
  }
  int code = make_page_in_folder(session, session->machines.platforms[0], session->err);
  return code == CLI_DONE ? sweep_outcome(&session->ledger) : code;
}
