/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll run: run algorithms over all given platforms, ranks and sizes. */
#include "algos/catalogue.h"
#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/run_counters.h"
#include "cli/run_table.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/jobs.h"
#include "sim/base/xalloc.h"
#include "traces/hazard.h"
#include "traces/timeline.h"
#include "validate/lab/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One call on one machine. */
struct experiment {
  struct platform *platform;
  struct rig_spec spec;
};

/* What is run over everything that was asked for. All experiments are listed first, then each is run, perhaps in another
 * process, then its result is added to the tables. */
struct sweep {
  const struct opts *opts;
  struct experiment *experiments;
  size_t n;

  /* where they are run */
  struct blade *blade;  /* the machine of the latest one */
  FILE *messages;       /* of the one that is run */
  FILE *timeline;       /* NULL: among the messages */
  struct pack utilised; /* its counters */

  /* where their results go */
  struct table *table;
  struct table *counters; /* appended to it; NULL: not wanted */
  int code;               /* the worst so far */
  bool all_ok;            /* so far */
  struct err *err;
};

/* What is asked for when the command line says nothing. */
static const struct units_list default_bytes = {.values = (uint64_t[]){1024}, .n = 1};
static const struct units_list no_bytes = {.values = (uint64_t[]){0}, .n = 1};

static const struct units_list *
bytes_for(const struct opts *opts, const struct algo_call *call)
{
  if (call->algo->collective == COLL_BARRIER) {
    return &no_bytes;
  }
  return opts->bytes.n ? &opts->bytes : &default_bytes;
}

static size_t
nranks_for(const struct opts *opts)
{
  return opts->ranks.n ? opts->ranks.n : 1;
}

/* Return the machine of PLATFORM, as long as none of another one is asked for.
 * errors: as blade_new. */
static struct blade *
blade_of(struct sweep *sweep, const struct platform *platform, struct err *err)
{
  if (!sweep->blade || blade_platform(sweep->blade) != platform) {
    blade_free(sweep->blade);
    sweep->blade = blade_new(platform, err);
  }
  return sweep->blade;
}

/* Return the word of the column `outcome`. */
static const char *
outcome_name(const struct outcome *outcome)
{
  return outcome->verified ? "ok" : !outcome->stopped ? "wrong" : outcome->faulted ? "fault" : "deadlock";
}

static void
describe(const void *context, size_t index, char *text, size_t size)
{
  const struct rig_spec *spec = &((const struct sweep *)context)->experiments[index].spec;
  char name[128];
  catalogue_format(&spec->call, name, sizeof name);
  snprintf(text, size, "%s on %u ranks with %zu bytes", name, spec->nranks, spec->nbytes);
}

/* --- what is to be run --- */

/* List CALL on PLATFORM with all ranks and sizes. */
static int
list_call(struct sweep *sweep, struct platform *platform, const struct algo_call *call, struct err *err)
{
  const struct opts *opts = sweep->opts;
  const struct units_list *bytes = bytes_for(opts, call);
  const struct profile *profile = rig_profile(platform, NULL, catalogue_source(call), err);
  const struct blade *blade = profile ? blade_of(sweep, platform, err) : NULL;
  if (!blade) {
    return CLI_INPUT;
  }
  for (size_t i = 0; i < nranks_for(opts); i++) {
    for (size_t j = 0; j < bytes->n; j++) {
      struct experiment *experiment = &sweep->experiments[sweep->n++];
      experiment->platform = platform;
      experiment->spec =
        (struct rig_spec){.call = *call,
                          .nranks = opts->ranks.n ? (unsigned)opts->ranks.values[i] : blade_nspes(blade),
                          .root = opts->root,
                          .nbytes = bytes->values[j],
                          .op = opts->op,
                          .type = opts->type,
                          .placement = opts->placement,
                          .skew = opts->skew.cycles,
                          .skew_seed = opts->skew.has_seed ? opts->skew.seed : opts->seed,
                          .nrepeats = opts->repeat,
                          .seed = opts->seed,
                          .profile = profile};
    }
  }
  return CLI_DONE;
}

static int
list_all(struct sweep *sweep, const struct machines *machines, const struct sweep_calls *calls,
         struct err *err)
{
  int code = CLI_DONE;
  size_t n = 0;
  for (size_t i = 0; i < calls->n; i++) {
    n += machines->n * nranks_for(sweep->opts) * bytes_for(sweep->opts, &calls->items[i])->n;
  }
  sweep->experiments = xcalloc(n, sizeof *sweep->experiments);
  for (size_t i = 0; i < calls->n; i++) {
    for (size_t j = 0; j < machines->n && code == CLI_DONE; j++) {
      code = list_call(sweep, machines->platforms[j], &calls->items[i], err);
    }
  }
  return code;
}

/* --- running one --- */

/* Run SPEC with the observers that are wanted.
 * returns: as runner_run. */
static int
run_observed(struct sweep *sweep, struct blade *blade, struct rig_spec *spec, struct outcome *outcome,
             struct err *err)
{
  struct timeline timeline;
  struct utilisation utilisation;
  if (sweep->opts->verbose) {
    timeline_init(&timeline, sweep->timeline ? sweep->timeline : sweep->messages);
    spec->observers[0] = &timeline.probe;
  }
  if (!sweep->opts->counters) {
    return runner_run(blade, spec, outcome, err);
  }
  utilisation_init(&utilisation, blade_platform(blade));
  spec->observers[1] = &utilisation.probe;
  int status = runner_run(blade, spec, outcome, err);
  if (status == 0) {
    run_counters_pack(&sweep->utilised, &utilisation);
  }
  utilisation_fini(&utilisation);
  return status;
}

/* Warn of what HAZARD has found in experiment INDEX. */
static void
warn(const struct sweep *sweep, const struct hazard *hazard, size_t index)
{
  char what[256];
  describe(sweep, index, what, sizeof what);
  for (unsigned i = 0; i < HAZARD_LINES_MAX && hazard->lines[i]; i++) {
    fprintf(sweep->messages, "cellcoll: %s: hazard: %s\n", what, hazard->lines[i]);
  }
  if (hazard->count > HAZARD_LINES_MAX) {
    fprintf(sweep->messages, "cellcoll: %s: %llu hazards in all\n", what, (unsigned long long)hazard->count);
  }
}

/* Run experiment INDEX, under the eyes of the hazard detector if that is wanted; *HAZARDS tells whether it saw some.
 * returns: as runner_run. */
static int
run_watched(struct sweep *sweep, size_t index, struct outcome *outcome, bool *hazards, struct err *err)
{
  struct hazard hazard;
  struct rig_spec spec = sweep->experiments[index].spec;
  struct blade *blade = blade_of(sweep, sweep->experiments[index].platform, err);
  *hazards = false;
  if (!blade) {
    return -1;
  }
  if (!sweep->opts->hazards) {
    return run_observed(sweep, blade, &spec, outcome, err);
  }
  hazard_init(&hazard, blade_nspes(blade));
  blade_attach(blade, &hazard.probe);
  int status = run_observed(sweep, blade, &spec, outcome, err);
  blade_detach(blade, &hazard.probe);
  warn(sweep, &hazard, index);
  *hazards = hazard.count > 0;
  hazard_fini(&hazard);
  return status;
}

/* Return the exit code for OUTCOME of experiment INDEX, and say what is wrong with it. */
static int
judge(const struct sweep *sweep, size_t index, const struct outcome *outcome, bool hazards)
{
  char what[256];
  if (outcome->verified) {
    return hazards && sweep->opts->strict ? CLI_FAILED : CLI_DONE;
  }
  describe(sweep, index, what, sizeof what);
  fprintf(sweep->messages, "cellcoll: %s: %s\n", what, outcome->detail);
  return outcome->stopped ? CLI_FAULT : CLI_FAILED;
}

static void
pack_outcome(struct pack *pack, const struct outcome *outcome, const char *name)
{
  pack_add_text(pack, name);
  pack_add_count(pack, outcome->stopped);
  pack_add_real(pack, outcome->cycles);
  pack_add_real(pack, outcome->from_first);
  pack_add_count(pack, outcome->counters.bus_requests);
  pack_add_count(pack, outcome->counters.eib_bytes);
  pack_add_count(pack, outcome->counters.bif_bytes);
}

/* Pack a result: why it was refused (else empty), messages, exit code; outcome and counters follow. */
static void
pack_verdict(struct pack *pack, const char *refused, const char *messages, int code)
{
  pack_add_text(pack, refused);
  pack_add_text(pack, messages);
  pack_add_count(pack, (uint64_t)code);
}

/* Run experiment INDEX and pack its result. */
static int
work(void *context, size_t index, struct pack *result)
{
  struct sweep *sweep = context;
  struct outcome outcome = {0};
  struct err refused = {""};
  char *messages;
  size_t nbytes;
  bool hazards;
  sweep->messages = open_memstream(&messages, &nbytes);
  pack_clear(&sweep->utilised);
  int status = run_watched(sweep, index, &outcome, &hazards, &refused);
  int code = status == 0 && !outcome.interrupted ? judge(sweep, index, &outcome, hazards) : CLI_DONE;
  fclose(sweep->messages);
  pack_verdict(result, refused.text, messages, code);
  pack_outcome(result, &outcome, outcome_name(&outcome));
  pack_add_bytes(result, sweep->utilised.bytes, sweep->utilised.nbytes);
  status = outcome.interrupted ? -1 : 0;
  outcome_fini(&outcome);
  free(messages);
  return status;
}

/* Pack the result of experiment INDEX, whose program has ended its worker, HOW says how. */
static void
crashed(void *context, size_t index, const char *how, struct pack *result)
{
  char what[256];
  describe(context, index, what, sizeof what);
  char *message = xasprintf("cellcoll: %s: crash: its worker %s\n", what, how);
  pack_verdict(result, "", message, CLI_FAULT);
  pack_outcome(result, &(struct outcome){.stopped = true}, "crash");
  free(message);
}

/* --- what came of it --- */

/* The outcome in PACK; *NAME becomes its word. */
static struct outcome
unpack_outcome(struct pack *pack, const char **name)
{
  struct outcome outcome = {0};
  *name = pack_take_text(pack);
  outcome.stopped = pack_take_count(pack);
  outcome.cycles = pack_take_real(pack);
  outcome.from_first = pack_take_real(pack);
  outcome.counters.bus_requests = pack_take_count(pack);
  outcome.counters.eib_bytes = pack_take_count(pack);
  outcome.counters.bif_bytes = pack_take_count(pack);
  return outcome;
}

/* Take the RESULT of experiment INDEX. A request that is the only one must be served. */
static int
deliver(void *context, size_t index, struct pack *result)
{
  struct sweep *sweep = context;
  const struct experiment *experiment = &sweep->experiments[index];
  const struct rig_spec *spec = &experiment->spec;
  const char *refusal = pack_take_text(result);
  if (*refusal && sweep->n == 1) {
    return err_set(sweep->err, "%s", refusal);
  }
  if (*refusal) {
    sweep_skip(refusal);
    return 0;
  }
  sweep_tell(pack_take_text(result));
  int code = (int)pack_take_count(result);
  sweep->code = code > sweep->code ? code : sweep->code;
  const char *word;
  struct outcome outcome = unpack_outcome(result, &word);
  run_table_add(sweep->table, &(struct run_table_row){experiment->platform, spec, &outcome, word});
  sweep->all_ok &= strcmp(word, "ok") == 0;
  if (sweep->counters && !outcome.stopped) {
    char name[128];
    catalogue_format(&spec->call, name, sizeof name);
    struct run_counters_subject subject = {name, experiment->platform, spec->nranks, spec->nbytes};
    run_counters_unpack(sweep->table, sweep->counters, &subject, result);
  }
  return 0;
}

static void
progress(void *context, size_t done)
{
  sweep_progress(done, ((struct sweep *)context)->n);
}

static int
run_all(struct sweep *sweep)
{
  struct jobs jobs = {.count = sweep->n,
                      .nworkers = sweep->opts->jobs,
                      .apart = sweep->opts->jobs != 1, /* with one process a debugger sees all */
                      .context = sweep,
                      .work = work,
                      .deliver = deliver,
                      .crashed = crashed,
                      .describe = describe,
                      .progress = progress,
                      .interrupted = sweep_interrupted};
  if (jobs_nworkers(&jobs) == 0 || sweep->n == 1) {
    sweep->timeline = stderr; /* at once: it may be long */
  }
  int status = jobs_run(&jobs, sweep->err);
  if (status == 0) {
    return CLI_DONE;
  }
  return sweep->n == 1 ? CLI_INPUT : CLI_FAILED;
}

/* Compare what SWEEP has found with the baseline.
 * returns: an exit code. */
static int
compare_with(const struct table *baseline, struct sweep *sweep)
{
  int slower = baseline ? baseline_compare(baseline, sweep->table, sweep->opts->tolerance, sweep->err) : 0;
  return slower < 0 ? CLI_INPUT : slower > 0 ? CLI_FAILED : CLI_DONE;
}

/* Run all that SWEEP lists and judge it. */
static int
run_and_compare(struct sweep *sweep, struct session *session, const struct table *baseline)
{
  bool combines = false;
  for (size_t i = 0; i < sweep->n; i++) {
    combines |= collective_combines(sweep->experiments[i].spec.call.algo->collective);
  }
  sweep->table = session->table = run_table_new(sweep->opts, combines);
  if (sweep->opts->counters) {
    sweep->counters = run_counters_new(sweep->table, "algorithm");
  }
  int code = run_all(sweep);
  if (sweep->all_ok) {
    table_hide(sweep->table, "outcome");
  }
  if (code != CLI_DONE || sweep_interrupted()) {
    return code;
  }
  if (table_nrows(sweep->table) == 0 && sweep->code == CLI_DONE) {
    return session_refuse(session, CLI_INPUT, "nothing that was asked for can be served");
  }
  code = compare_with(baseline, sweep);
  return code > sweep->code ? code : sweep->code;
}

/* Run everything that SESSION asks for; BASELINE: to be compared with, NULL: nothing. */
static int
run(struct session *session, const struct table *baseline)
{
  struct sweep sweep = {.opts = &session->opts, .err = session->err, .all_ok = true};
  int code = list_all(&sweep, &session->machines, &session->calls, session->err);
  code = code == CLI_DONE ? run_and_compare(&sweep, session, baseline) : code;
  blade_free(sweep.blade);
  pack_fini(&sweep.utilised);
  free(sweep.experiments);
  return code;
}

int
cmd_run(struct session *session)
{
  const struct opts *opts = &session->opts;
  if (opts->strict && !opts->hazards) {
    return session_refuse(session, CLI_USAGE, "--strict without --hazards, expected both");
  }
  if ((opts->given & OPT_TOLERANCE) && !opts->baseline) {
    return session_refuse(session, CLI_USAGE, "--tolerance without --baseline, expected both");
  }
  struct table *baseline = opts->baseline ? baseline_read(opts->baseline, session->err) : NULL;
  int code = opts->baseline && !baseline ? CLI_INPUT : run(session, baseline);
  table_free(baseline);
  return code;
}
