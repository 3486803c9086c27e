/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/session.h"

#include "algos/catalogue.h"
#include "algos/schedule/file.h"
#include "algos/schedule/sched/sched.h"
#include "cli/github.h"
#include "cli/commands.h"
#include "cli/output/provenance.h"
#include "cli/plot.h"
#include "cli/shard.h"
#include "config.h"
#include "draw/picture.h"
#include "platform/platform.h"
#include "sim/base/engine/simgrid_calls.h"
#include "sim/base/err.h"
#include "sim/base/jobs/jobs.h"
#include "sim/base/network/network_reader.h"
#include "sim/base/outfile.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "validate/evidence/evidence.h"
#include "validate/lab/plugin.h"
#include "validate/papers/published.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- machines of a command line --- */

/* Let PLATFORM have the software costs of profile NAME. */
static int choose_profile(struct platform *platform, const char *name, struct err *err) {
  if (strcmp(name, "source") == 0 || platform_profile(platform, name)) {
    platform->software.profile = text_keep(name);
    return 0;
  }
  SCOPED char *all = xstrdup("source");
  VEC_EACH(profile, platform->profiles, platform->nprofiles) {
    xappend(&all, ", %s", profile->name);
  }
  err_set(err, "--profile: %s has no profile '%.60s', expected one of %s", platform->name, name, all);
  return -1;
}

/* Let PLATFORM have BUS, not the exact one. */
static int choose_bus(struct platform *platform, enum platform_bus bus, struct err *err) {
  if (!platform_has_spes(platform)) {
    return err_set(err, "--bus=%s on %s, which has no SPEs and no bus, expected a platform with SPEs",
                   platform_bus_name(bus), platform->name);
  }
  platform_choose_bus(platform, bus);
  return 0;
}

/* Add all combinations of the settings of OPTS of the platform called NAME.
 * returns: an exit code. */
static int load_platform(struct machines *machines, const char *name, const struct opts *opts,
                         struct err *err) {
  struct platform *original = platform_read(name, err);
  int code = original ? CLI_DONE : platform_is_builtin_name(name) ? CLI_USAGE : CLI_INPUT;
  size_t first = machines->n, ncombinations = opts_ncombinations(opts);
  for (size_t i = 0; original && i < ncombinations; i++) {
    VEC_ADD(machines->platforms, machines->n) = i ? platform_copy(original) : original;
  }
  for (size_t i = 0; code == CLI_DONE && i < ncombinations; i++) {
    struct platform *platform = machines->platforms[first + i];
    int status = 0;
    if (opts->sets.n) {
      SCOPED struct platform_setting *settings = xcalloc(opts->sets.n, sizeof *settings);
      opts_combination(opts, i, settings);
      status = platform_set_all(platform, settings, opts->sets.n, err);
    }
    status = status == 0 && opts->bus != PLATFORM_BUS_EXACT ? choose_bus(platform, opts->bus, err) : status;
    status = status == 0 && opts->profile ? choose_profile(platform, opts->profile, err) : status;
    code = status == 0 ? CLI_DONE : status == PLATFORM_BAD_NETWORK ? CLI_INPUT : CLI_USAGE;
  }
  return code;
}

int machines_load(struct machines *machines, const struct opts *opts, struct err *err) {
  int code = CLI_DONE;
  *machines = (struct machines){0};
  for (size_t i = 0; code == CLI_DONE && i < opts->platforms.n; i++) {
    code = load_platform(machines, opts->platforms.names[i], opts, err);
  }
  if (code != CLI_DONE) {
    machines_fini(machines);
  }
  for (size_t i = 0; i < machines->n && !opts->quiet; i++) { /* ignored parts, once for each network file */
    const struct platform *platform = machines->platforms[i], *before = i ? machines->platforms[i - 1] : NULL;
    bool told = before && before->ignored_parts && strcmp(before->network.file, platform->network.file) == 0;
    if (platform->ignored_parts && *platform->ignored_parts && !told) {
      fprintf(stderr, "cellcoll: %s: ignored: %s\n", platform->network.file, platform->ignored_parts);
    }
  }
  return code;
}

struct machine *machines_get(struct machines *machines, size_t index) {
  machines->built = machines->built ? machines->built : xcalloc(machines->n, sizeof *machines->built);
  struct machine **machine = &machines->built[index];
  return *machine = *machine ? *machine : machine_new(machines->platforms[index]);
}

void machines_fini(struct machines *machines) {
  for (size_t i = 0; i < machines->n; i++) {
    machine_free(machines->built ? machines->built[i] : NULL);
    platform_free(machines->platforms[i]);
  }
  free(machines->built);
  free(machines->platforms);
  *machines = (struct machines){0};
}

/* --- files of options --- */

/* Seconds of processor time after which a call that has not ended is told, and after which run ends it. */
enum { LONG_CALL = 60, ENDLESS_CALL = 600 };

/* Find out whether a file can be written to PATH; a device stays untouched. */
static int try_path(const char *path, struct err *err) {
  struct outfile file;
  if (!*path || !table_is_renamed(path)) {
    return 0;
  }
  if (outfile_open(&file, path, err) != 0) {
    return -1;
  }
  outfile_abandon(&file);
  return 0;
}

/* Tell whether PATH ends in one of ENDINGS, such as ".svg, .png or .pdf". */
static bool ends_in(const char *path, const char *endings) {
  const char *dot = strrchr(path, '.'), *found = dot && dot > path ? strstr(endings, dot) : NULL;
  return found && strchr(", ", found[strlen(dot)]);
}

/* Return the exit code of a failure to write PATH. */
static int refused_code(const char *path) {
  return path && outfile_is_input(path) ? CLI_USAGE : CLI_INPUT;
}

/* Return the file of the second table; empty: with the first table; NULL: there is none. */
static const char *second_table(const struct opts *opts) {
  return opts->counters ? opts->counters : opts->calls ? opts->calls : opts->alone ? "" : NULL;
}

/* Check the files of the options of SESSION before anything is simulated: the endings of names, whether two
 * files are one, and whether tables and pictures can be written. */
static int check_files(struct session *session) {
  static const char pictures[] = ".svg, .png or .pdf";
  const struct opts *opts = &session->opts;
  bool is_drawing = session->command->run == cmd_platform && strcmp(opts->rest[0], "draw") == 0;
  bool views = session->command->run == cmd_view;
  bool aloud = opts->timeline && strcmp(opts->timeline, "-") == 0;
  const char *endings = is_drawing && opts->output && table_is_renamed(opts->output) ? pictures : NULL;
  const struct {
    const char *option, *path, *endings; /* endings NULL: any */
    bool is_tried;
  } files[] = {{"--output", opts->output, views ? ".html or .svg" : endings,
                views || command_options(session->command) & OPT_FORMAT},
               {"--counters", opts->counters, NULL, true},
               {"--calls", opts->calls, NULL, true},
               {"--timeline", aloud ? NULL : opts->timeline, ".svg, .png, .pdf or .txt, or -", true},
               {"--plot", opts->plot, pictures, true},
               {"--trace", opts->trace, ".json, .paje, .csv or .goal", true},
               {"--junit", opts->junit, NULL, true},
               {"--store", opts->store, NULL, false}};
  enum { FILES = VEC_LENGTH(files) };
  for (size_t i = 0; i < FILES; i++) {
    const char *path = files[i].path;
    if (path && files[i].endings && !ends_in(path, files[i].endings)) {
      return session_refuse(session, CLI_USAGE, "%s: '%.60s', expected a file that ends in %s",
                            files[i].option, path, files[i].endings);
    }
    for (size_t j = 0; j < i; j++) {
      if (path && files[j].path && *path && outfile_is_same(path, files[j].path)) {
        return session_refuse(session, CLI_USAGE, "%s and %s both write %s, expected a file for each",
                              files[j].option, files[i].option, path);
      }
    }
  }
  const char *second = second_table(opts), *option = opts->counters ? "--counters" : "--calls";
  if (second && !*second && opts->format == TABLE_CSV) {
    return session_refuse(session, CLI_USAGE, "%s: a second table does not fit into csv, expected %s=FILE",
                          option, option);
  }
  VEC_EACH(file, files, FILES) {
    const char *path = file->path;
    if (path && file->is_tried &&
        (try_path(path, session->err) != 0 || (file->endings && picture_check(path, session->err) != 0))) {
      return refused_code(path);
    }
  }
  return CLI_DONE;
}

/* --- algorithms from files: plugins, and texts in place of names --- */

static int load_plugins(struct session *session) {
  if (session->opts.from == CATALOGUE_PAPERS) {
    catalogue_keep_papers();
  }
  struct opts *opts = &session->opts;
  size_t n = opts->plugins.n;
  VEC_EACH(file, opts->with.names, opts->with.n) {
    VEC_ADD(opts->plugins.names, opts->plugins.n) = *file;
  }
  for (const struct sched_found *found = scheds_found; opts->found && found->name; found++) {
    if (sched_replace(found->name, found->text, session->err) != 0) {
      return CLI_INPUT;
    }
  }
  for (size_t i = 0; i < opts->plugins.n; i++) {
    struct err why = {""};
    if (plugin_load(opts->plugins.names[i], &why) != 0) {
      err_set(session->err, "%s %s", i < n ? "--plugin" : "--with", why.text);
      return CLI_INPUT;
    }
  }
  return CLI_DONE;
}

/* Note the files with schedules of others, and the files that cannot be loaded, among the words of
 * SESSION, and leave the latter out of the words: 'check' judges all files. */
static void take_files(struct session *session) {
  struct opts *opts = &session->opts;
  size_t n = 0;
  VEC_EACH(word, opts->rest, opts->nrest) {
    const char *path, *name = file_name(*word, &path, NULL);
    if (!name || (path && file_is_judged(path))) {
      VEC_ADD(session->schedules.names, session->schedules.n) = path ? (char *)path : *word;
    }
    if (name) {
      opts->rest[n++] = *word;
    }
  }
  opts->nrest = n;
}

/* Load the texts among the algorithms of the command line: each counts as a plugin, and the name of the
 * algorithm replaces the word. */
static int load_texts(struct session *session) {
  struct opts *opts = &session->opts;
  bool takes_algorithms = session->command->traits & HAS_ALGORITHMS || session->command->run == cmd_explain;
  if (session->command->run == cmd_check) {
    take_files(session);
  }
  for (size_t i = 0; takes_algorithms && i < opts->nrest; i++) {
    const char *path, *name = file_name(opts->rest[i], &path, session->err);
    if (!name) {
      return CLI_INPUT;
    }
    if (path) {
      VEC_ADD(opts->plugins.names, opts->plugins.n) = (char *)path;
      opts->rest[i] = (char *)name;
    }
  }
  return CLI_DONE;
}

/* --- algorithms and their options --- */

int session_check_meaning(struct session *session, const enum collective *collectives, size_t n) {
  static const struct {
    opts_set option;
    bool (*has)(enum collective collective);
    const char *word, *expected;
  } meanings[] = {{OPT_BYTES, collective_has_data, "--bytes", "data"},
                  {OPT_ROOT, collective_has_root, "--root", "a root"},
                  {OPT_OP, collective_combines, "--op", "an operator"},
                  {OPT_TYPE, collective_combines, "--type", "an operator"}};
  for (size_t i = 0; n && i < VEC_LENGTH(meanings); i++) {
    bool given = session->opts.given & meanings[i].option;
    if (given && !VEC_FIND(collectives, n, meanings[i].has(*item))) {
      return session_refuse(session, CLI_USAGE,
                            "%s means nothing to what is named, expected a collective with %s",
                            meanings[i].word, meanings[i].expected);
    }
  }
  return CLI_DONE;
}

/* Find the algorithms of the command line, and check the options for their collectives. */
static int find_algorithms(struct session *session) {
  const struct sweep_calls *calls = &session->calls;
  if (!(session->command->traits & HAS_ALGORITHMS)) {
    return CLI_DONE;
  }
  if (sweep_find_calls(&session->opts, &session->calls, session->err) != 0) {
    return CLI_USAGE;
  }
  SCOPED enum collective *collectives = xcalloc(calls->n, sizeof *collectives);
  for (size_t i = 0; i < calls->n; i++) {
    collectives[i] = calls->items[i].algo->collective;
  }
  return session_check_meaning(session, collectives, calls->n);
}

/* Refuse PLATFORM, a machine of hosts without SPEs, and name the commands for hosts. */
static int refuse_hosts(struct session *session, const struct platform *platform) {
  SCOPED char *takers = NULL;
  VEC_EACH(command, commands, ncommands) {
    if (command->traits & HAS_HOSTS) {
      xappend(&takers, "%s'%s'", takers ? ", " : "", command->name);
    }
  }
  return session_refuse(session, CLI_INPUT,
                        "the hosts of platform %s have no SPEs, expected another platform, or one of %s",
                        platform->name, takers);
}

static int load_machines(struct session *session) {
  if (!(session->command->traits & HAS_MACHINES)) {
    return CLI_DONE;
  }
  struct opts *opts = &session->opts;
  unsigned traits = session->command->traits;
  size_t most = traits & (HAS_ONE_MACHINE | HAS_MEASURED_MACHINES) ? 1 : SIZE_MAX;
  if (traits & HAS_MEASURED_MACHINES && !(opts->given & OPT_PLATFORM)) {
    const char *all = opts->profile ? PUBLISHED_PLATFORMS "," PUBLISHED_CLUSTERS : PUBLISHED_ALL;
    opts_read_NAMES(&opts->platforms, traits & HAS_HOSTS ? all : PUBLISHED_PLATFORMS, session->err);
    most = opts->platforms.n;
  }
  int code = machines_load(&session->machines, opts, session->err);
  if (code == CLI_DONE && session->machines.n > most) {
    return session_refuse(session, CLI_USAGE, "several platforms (-p, or values of --set), expected one");
  }
  VEC_EACH(item, session->machines.platforms, session->machines.n) {
    const struct platform *platform = *item;
    if (!(traits & HAS_HOSTS) && !platform_has_spes(platform)) {
      return refuse_hosts(session, platform);
    }
    if (code == CLI_DONE && opts->profile && !platform_has_spes(platform)) {
      return session_refuse(
        session, CLI_INPUT,
        "--profile: the hosts of platform %s have no software costs of SPEs, expected another platform",
        platform->name);
    }
    if (platform_has_network_file(platform)) {
      network_reader_prepare();
    }
  }
  return code;
}

/* Say what the store of SESSION has gained, and what other processes have to find out. */
static void tell_store(const struct session *session) {
  const struct ledger *ledger = &session->ledger;
  fprintf(stderr, "cellcoll: %s: %zu results were there, %zu are new\n", ledger->store, ledger->nfound,
          ledger->nstored);
  if (ledger->nelsewhere) {
    fprintf(stderr,
            "cellcoll: this was part %u of %u%s; results that belong to other parts: %zu, 'store merge' "
            "joins them\n",
            ledger->part + 1, ledger->parts, ledger->nfound + ledger->nstored ? "" : ", without any result",
            ledger->nelsewhere);
  }
}

/* Check options that need others, and the key of --x. */
static int check_options(struct session *session) {
  const struct opts *opts = &session->opts;
  if (opts->shard.parts && !opts->store) {
    return session_refuse(session, CLI_USAGE, "--shard without --store, expected both");
  }
  return opts->x ? plot_check(session) : CLI_DONE;
}

unsigned session_call_limit(const struct session *session) {
  return session->command->run != cmd_run ? 0 : session->opts.timeout ? session->opts.timeout : ENDLESS_CALL;
}

bool session_is_partial(const struct session *session) {
  return sweep_interrupted() || session->ledger.nelsewhere > 0;
}

static int work(struct session *session) {
  const struct opts *opts = &session->opts;
  if (session->command->traits & HAS_MACHINES) {
    unsigned limit = session_call_limit(session);
    /* With one process a debugger may look at a loop: a call that has not ended is told, and ends at a limit
     * that was asked for. */
    bool told = !limit || (limit > LONG_CALL && !opts->quiet) || (opts->jobs == 1 && !opts->timeout);
    sweep_start(opts);
    session->store = opts->store ? shard_path(&opts->shard, opts->store) : NULL;
    session->ledger = (struct ledger){.njobs = opts->jobs,
                                      .apart = opts->jobs != 1, /* with one process a debugger sees all */
                                      .told = told,
                                      .seconds = !told         ? limit
                                                 : opts->quiet ? 0
                                                               : LONG_CALL,
                                      .limit = limit,
                                      .progress = sweep_progress,
                                      .store = session->store,
                                      .part = opts->shard.part,
                                      .parts = opts->shard.parts};
  }
  if (session->store && ledger_open(&session->ledger, session->err) != 0) {
    return CLI_INPUT;
  }
  struct err why = {""};
  int code = opts_check_pairs(opts, (unsigned)(session->command - commands), &why) == 0
               ? session->command->run(session)
               : session_refuse(session, CLI_USAGE, "%s", why.text);
  sweep_clear_progress();
  sweep_tell_left_out();
  if (session->store && !opts->quiet && code != CLI_USAGE) {
    tell_store(session);
  }
  return code;
}

/* Tell whether results are missing that were asked for and could have been had. */
static bool is_incomplete(void) {
  return sweep_interrupted() || jobs_loss() != JOBS_NONE;
}

struct provenance session_provenance(const struct session *session) {
  const struct opts *opts = &session->opts;
  return (struct provenance){.command = opts->command,
                             .arguments = opts->arguments,
                             .narguments = opts->narguments,
                             .platforms = session->machines.platforms,
                             .nplatforms = session->machines.n,
                             .plugins = opts->plugins.names,
                             .nplugins = opts->plugins.n};
}

int session_picture(const struct session *session, struct picture picture, const char *path) {
  const struct provenance from = session_provenance(session);
  SCOPED char *lines = session->opts.provenance ? provenance_lines(&from) : NULL;
  picture.origin = lines;
  return picture_write(&picture, path, session->err);
}

/* Return the table of SESSION turned: a row is about one call, and a column about an algorithm. */
static struct table *turn_table(const struct session *session) {
  enum { PLAIN = 6 };
  const struct opts *opts = &session->opts;
  char *const usual[] = {(char *)"cycles"};
  const char *keys[PLAIN + CALL_FIELDS] = {"platform", "ranks", "bytes", "root", "placement", "seed"};
  for (size_t i = 0; i < CALL_FIELDS; i++) {
    keys[PLAIN + i] = call_fields[i].name;
  }
  bool chosen = opts->columns.n > 0;
  const struct table_pivot pivot = {.by = opts->pivot,
                                    .across = "algorithm",
                                    .keys = keys,
                                    .nkeys = PLAIN + CALL_FIELDS,
                                    .values = chosen ? opts->columns.names : usual,
                                    .nvalues = chosen ? opts->columns.n : 1};
  return table_pivot(session->table, &pivot);
}

/* Write the table of SESSION, if there is one; a request that was refused has a message and no rows, and a
 * part of a sweep fills its store and no table.
 * returns: -1 if that fails. */
static int write_table(const struct session *session) {
  const struct opts *opts = &session->opts;
  const char *second = second_table(opts);
  struct table_output output = {.format = opts->format,
                                .path = opts->output,
                                .second = second && *second ? second : NULL,
                                .incomplete = is_incomplete(),
                                .from = session_provenance(session),
                                .provenance = opts->provenance};
  if (!session->table || session->ledger.nelsewhere ||
      (!output.incomplete && *session->err->text && table_nrows(session->table) == 0)) {
    return 0;
  }
  if (opts->verbose) {
    table_show_all(session->table);
  }
  if (opts->sort) {
    table_sort(session->table, opts->sort);
  }
  struct table *table = opts->pivot ? turn_table(session) : session->table;
  if (opts->top) {
    table_cut(table, opts->top);
  }
  struct err why = {""};
  int status = table_write(table, &output, &why);
  if (table != session->table) {
    table_free(table);
  }
  if (status != 0) {
    *session->err = why;
  }
  return status;
}

/* Draw the table of SESSION, if all of it is there.
 * returns: as plot_table. */
static int draw_table(const struct session *session) {
  if (!session->table || table_nrows(session->table) == 0) {
    return 0;
  }
  if (is_incomplete() || session->ledger.nelsewhere) {
    fprintf(stderr, "cellcoll: %s is not drawn: results are missing\n", session->opts.plot);
    return 0;
  }
  return plot_table(session, session->err);
}

/* Leave in the table of SESSION the columns that were asked for.
 * errors: an unknown column. */
static int select_columns(const struct session *session) {
  const struct opts_names *columns = &session->opts.columns;
  return session->table && columns->n && !session->opts.pivot
           ? table_select(session->table, columns->names, columns->n, session->err)
           : 0;
}

int session_table(struct session *session, struct table *table) {
  const struct opts_names *columns = &session->opts.columns;
  const struct {
    const char *option;
    char *const *names;
    size_t n;
  } uses[] = {{"--columns", columns->names, columns->n},
              {"--sort", (char *const *)&session->opts.sort, session->opts.sort != NULL},
              {"--pivot", (char *const *)&session->opts.pivot, session->opts.pivot != NULL}};
  session->table = table;
  if (session->opts.pivot && strcmp(session->opts.pivot, "algorithm") == 0) {
    return session_refuse(session, CLI_USAGE,
                          "--pivot: algorithms are the columns, expected another one such as bytes");
  }
  VEC_EACH(use, uses, VEC_LENGTH(uses)) {
    if (use->n && table_has(table, use->option, use->names, use->n, session->err) != 0) {
      return CLI_USAGE;
    }
  }
  return CLI_DONE;
}

int session_check_columns(struct session *session, const char *columns) {
  struct table *table = table_new(columns);
  int code = session_table(session, table);
  table_free(table);
  session->table = NULL;
  return code;
}

/* Write what SESSION has come to, whose command has ended with CODE.
 * returns: an exit code. */
static int end(struct session *session, int code) {
  if (select_columns(session) != 0) {
    return CLI_USAGE;
  }
  if (write_table(session) != 0) {
    return refused_code(session->opts.output);
  }
  int drawn = session->opts.plot ? draw_table(session) : 0;
  if (drawn != 0) {
    return drawn == PLOT_NOTHING && code == CLI_FAULT ? code : CLI_INPUT; /* what has stopped has no value */
  }
  int signal = sweep_signal();
  if (session->table && is_incomplete()) {
    const char *path = session->opts.output;
    fprintf(stderr, "cellcoll: %s; what was finished is in %s%s\n",
            sweep_interrupted() ? "interrupted" : session->err->text, path ? path : "the output",
            path && table_is_renamed(path) ? TABLE_INCOMPLETE : "");
    *session->err->text = '\0';
  } else if (signal) {
    err_set(session->err, "%s: interrupted", session->command->name);
  }
  bool lost = jobs_loss() == JOBS_LOST || simgrid_is_missing();
  return lost && !signal ? CLI_LOST : signal ? CLI_SIGNALLED + signal : code;
}

/* Do everything for SESSION, whose options have been read. */
static int serve_command(struct session *session) {
  static int (*const steps[])(struct session *) = {
    command_check_arguments, check_options, load_plugins, load_texts,
    find_algorithms,         load_machines, check_files,  work};
  int code = CLI_DONE;
  if (command_options(session->command) & OPT_FORMAT && session->opts.output &&
      strcmp(session->opts.output, "-") == 0) {
    session->opts.output = NULL;
  }
  if (session->opts.github && session->command->run != cmd_check) {
    code = session_refuse(session, CLI_USAGE,
                          "--format: 'github' is a form of check, expected text, csv, markdown or json");
  }
  for (size_t i = 0; code == CLI_DONE && i < VEC_LENGTH(steps); i++) {
    code = steps[i](session);
  }
  jobs_forget_deaths();
  struct err why = *session->err;
  if (*why.text && session->opts.file) {
    *session->err = (struct err){0};
    err_set(session->err, "%s (with the options of %s)", why.text, session->opts.file);
  }
  return end(session, code);
}

int session_run(const struct command *command, int argc, char **argv, struct err *err) {
  struct session session = {.command = command, .err = err};
  if (command->traits & HAS_OWN_OPTIONS) {
    session.opts.rest = argv + 1;
    session.opts.nrest = (size_t)argc - 1;
    return command->run(&session);
  }
  if (opts_parse(&session.opts, argc, argv, command_options(command), err)) {
    return CLI_USAGE;
  }
  int code = CLI_DONE;
  if (session.opts.format == TABLE_GITHUB) {
    session.opts.github = true;
    session.opts.format = TABLE_TEXT;
  }
  if (session.opts.no_pager) {
    setenv("PAGER", "", 1);
  }
  if (session.opts.help) {
    command_show(command);
  } else if (session.opts.version) {
    puts(PACKAGE_STRING);
  } else {
    code = serve_command(&session);
  }
  if (session.opts.github && *err->text) {
    github_error(NULL, 0, err->text);
  }
  table_free(session.table);
  ledger_fini(&session.ledger);
  machines_fini(&session.machines);
  free(session.store);
  sweep_calls_fini(&session.calls);
  free(session.schedules.names);
  opts_fini(&session.opts);
  return code;
}

int session_ask(struct session *session, const struct opts_names *words, struct table **table,
                struct err *err) {
  const struct command *command = command_find(words->names[0], err);
  struct session asked = {.command = command, .err = err, .for_pages = true};
  *table = NULL;
  if (!command || opts_parse(&asked.opts, (int)words->n, words->names, command_options(command), err)) {
    return CLI_USAGE;
  }
  static int (*const steps[])(struct session *) = {command_check_arguments, find_algorithms, load_machines};
  int code = CLI_DONE;
  asked.ledger = session->ledger; /* which goes back below */
  for (size_t i = 0; code == CLI_DONE && i < VEC_LENGTH(steps); i++) {
    code = steps[i](&asked);
  }
  code = code == CLI_DONE ? command->run(&asked) : code;
  if (select_columns(&asked) != 0) {
    abort(); /* a section has wrong columns */
  }
  session->ledger = asked.ledger;
  *table = asked.table;
  machines_fini(&asked.machines);
  sweep_calls_fini(&asked.calls);
  opts_fini(&asked.opts);
  return code;
}

struct evidence session_evidence(struct session *session) {
  return (struct evidence){.ledger = &session->ledger,
                           .machines = session->machines.platforms,
                           .nmachines = session->machines.n,
                           .nsamples = session->opts.samples,
                           .seed = session->opts.seed};
}

struct machine *session_machine(struct session *session, size_t index) {
  bool goes_on = index < session->machines.n && !sweep_interrupted();
  return goes_on ? machines_get(&session->machines, index) : NULL;
}

void session_say(const struct session *session, const char *line) {
  if (session->opts.format == TABLE_TEXT) {
    table_note(session->table, "%s", line);
  } else if (!session->opts.quiet) {
    sweep_clear_progress();
    fprintf(stderr, "cellcoll: %s\n", line);
  }
}

int session_refuse(struct session *session, int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  SCOPED char *text = xvasprintf(format, arguments);
  va_end(arguments);
  err_set(session->err, "%s: %s", session->command->name, text);
  return code;
}
