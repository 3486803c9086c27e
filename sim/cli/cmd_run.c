/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll run: run algorithms over all given platforms, ranks and sizes. */
#include "algos/catalogue.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/cli/commands.h"
#include "sim/cli/run_counters.h"
#include "sim/cli/sweep.h"
#include "sim/hw/hazard.h"
#include "traces/timeline.h"
#include "validate/runner.h"

#include <stdio.h>
#include <stdlib.h>

/* What is run over everything that was asked for. */
struct sweep {
  const struct opts *opts;
  struct table *table;
  struct table *counters; /* appended to it; NULL: not wanted */
  size_t done, total;
  int code; /* the worst so far */
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

static void
add_row(struct sweep *sweep, const struct blade *blade, const struct rig_spec *spec,
        const struct outcome *outcome)
{
  struct table *table = sweep->table;
  char name[128], label[SWEEP_LABEL_SIZE];
  catalogue_format(&spec->call, name, sizeof name);
  sweep_label(blade->platform, label);
  table_add_text(table, name);
  table_add_text(table, label);
  table_add_count(table, spec->nranks);
  table_add_count(table, spec->nbytes);
  table_add_count(table, spec->root);
  table_add_real(table, outcome->cycles, spec->nrepeats > 1 ? 1 : 0);
  table_add_real(table, outcome->cycles / blade->figures.ghz, 1);
  table_add_count(table, outcome->counters.bus_requests);
  table_add_count(table, outcome->counters.eib_bytes);
  table_add_count(table, outcome->counters.bif_bytes);
  table_add_text(table, outcome->verified ? "yes" : "no");
  table_add_text(table, spec->profile->name);
}

/* Run SPEC with the observers that are wanted; with --verbose its timeline goes to standard error.
 * returns: as runner_run. */
static int
run_observed(struct sweep *sweep, struct blade *blade, struct rig_spec *spec, struct outcome *outcome,
             struct err *err)
{
  struct timeline timeline;
  struct utilisation utilisation;
  if (sweep->opts->verbose) {
    timeline_init(&timeline, stderr);
    spec->observers[0] = &timeline.probe;
  }
  if (!sweep->counters) {
    return runner_run(blade, spec, outcome, err);
  }
  utilisation_init(&utilisation, blade);
  spec->observers[1] = &utilisation.probe;
  int status = runner_run(blade, spec, outcome, err);
  if (status == 0 && !outcome->interrupted && !outcome->stopped) {
    char name[128], label[SWEEP_LABEL_SIZE];
    struct run_counters_subject subject = {name, label, spec->nranks, spec->nbytes};
    catalogue_format(&spec->call, name, sizeof name);
    sweep_label(blade->platform, label);
    run_counters_add(sweep->table, sweep->counters, &subject, &utilisation);
  }
  utilisation_fini(&utilisation);
  return status;
}

/* Raise the exit code to CODE if that is worse. */
static void
note_code(struct sweep *sweep, int code)
{
  sweep->code = code > sweep->code ? code : sweep->code;
}

/* Warn of what HAZARD has found in a run of SPEC. */
static void
warn(struct sweep *sweep, const struct hazard *hazard, const struct rig_spec *spec)
{
  char name[128];
  catalogue_format(&spec->call, name, sizeof name);
  sweep_clear_progress();
  for (unsigned i = 0; i < HAZARD_LINES_MAX && hazard->lines[i]; i++) {
    fprintf(stderr, "cellcoll: %s on %u ranks with %zu bytes: hazard: %s\n", name, spec->nranks, spec->nbytes,
            hazard->lines[i]);
  }
  if (hazard->count > HAZARD_LINES_MAX) {
    fprintf(stderr, "cellcoll: %s on %u ranks with %zu bytes: %llu hazards in all\n", name, spec->nranks,
            spec->nbytes, (unsigned long long)hazard->count);
  }
  if (hazard->count && sweep->opts->strict) {
    note_code(sweep, CLI_FAILED);
  }
}

/* Run SPEC, under the eyes of the hazard detector if that is wanted.
 * returns: as runner_run. */
static int
run_watched(struct sweep *sweep, struct blade *blade, struct rig_spec *spec, struct outcome *outcome,
            struct err *err)
{
  struct hazard hazard;
  if (!sweep->opts->hazards) {
    return run_observed(sweep, blade, spec, outcome, err);
  }
  hazard_init(&hazard, blade);
  blade_attach(blade, &hazard.probe);
  int status = run_observed(sweep, blade, spec, outcome, err);
  blade_detach(blade, &hazard.probe);
  warn(sweep, &hazard, spec);
  hazard_fini(&hazard);
  return status;
}

/* Run SPEC and add its row.
 * returns: -1 with ERR set when it is refused. */
static int
run_one(struct sweep *sweep, struct blade *blade, struct rig_spec *spec, struct err *err)
{
  struct outcome outcome;
  if (run_watched(sweep, blade, spec, &outcome, err) != 0) {
    return -1;
  }
  if (!outcome.interrupted) {
    if (!outcome.verified) {
      sweep_clear_progress();
      char name[128];
      catalogue_format(&spec->call, name, sizeof name);
      fprintf(stderr, "cellcoll: %s on %u ranks with %zu bytes: %s\n", name, spec->nranks, spec->nbytes,
              outcome.detail);
      note_code(sweep, outcome.stopped ? CLI_FAULT : CLI_FAILED);
    }
    if (!outcome.stopped) {
      add_row(sweep, blade, spec, &outcome);
    }
  }
  outcome_fini(&outcome);
  sweep_progress(++sweep->done, sweep->total);
  return 0;
}

/* Run CALL on BLADE with all ranks and sizes. A request that is the only one must be served. */
static int
run_call(struct sweep *sweep, struct blade *blade, const struct algo_call *call, struct err *err)
{
  const struct opts *opts = sweep->opts;
  const struct units_list *bytes = bytes_for(opts, call);
  const struct profile *profile = rig_profile(blade->platform, NULL, catalogue_source(call), err);
  if (!profile) {
    return CLI_INPUT;
  }
  for (size_t i = 0; i < nranks_for(opts); i++) {
    for (size_t j = 0; j < bytes->n && !sweep_interrupted(); j++) {
      struct rig_spec spec = {.call = *call,
                              .nranks = opts->ranks.n ? (unsigned)opts->ranks.values[i] : blade->nspes,
                              .root = opts->root,
                              .nbytes = bytes->values[j],
                              .nrepeats = opts->repeat,
                              .seed = opts->seed,
                              .profile = profile};
      struct err refused = {0};
      if (run_one(sweep, blade, &spec, &refused) == 0) {
        continue;
      }
      if (sweep->total == 1) {
        err_set(err, "%s", refused.text);
        return CLI_INPUT;
      }
      sweep_skip(refused.text);
    }
  }
  return CLI_DONE;
}

static int
run_all(struct sweep *sweep, const struct machines *machines, const struct sweep_calls *calls,
        struct err *err)
{
  int code = CLI_DONE;
  for (size_t i = 0; i < calls->n; i++) {
    sweep->total += machines->n * nranks_for(sweep->opts) * bytes_for(sweep->opts, &calls->items[i])->n;
  }
  for (size_t i = 0; i < calls->n; i++) {
    for (size_t j = 0; j < machines->n && code == CLI_DONE; j++) {
      struct blade *blade = blade_new(machines->platforms[j], err);
      code = blade ? run_call(sweep, blade, &calls->items[i], err) : CLI_INPUT;
      blade_free(blade);
    }
  }
  sweep_clear_progress();
  return code;
}

int
cmd_run(const struct opts *opts, struct err *err)
{
  struct sweep_calls calls = {0};
  struct machines machines = {0};
  struct sweep sweep = {.opts = opts};
  if (opts->strict && !opts->hazards) {
    err_set(err, "run: --strict without --hazards, expected both");
    return CLI_USAGE;
  }
  int code = sweep_find_calls(opts, &calls, err);
  if (code == CLI_DONE) {
    code = machines_load(&machines, opts, err);
  }
  if (code == CLI_DONE) {
    sweep_start(opts);
    sweep.table = table_new(
      "algorithm,platform,ranks,bytes,root,cycles,ns,bus_requests,eib_bytes,bif_bytes,verified,profile");
    if (opts->counters) {
      sweep.counters = run_counters_new(sweep.table, "algorithm");
    }
    code = run_all(&sweep, &machines, &calls, err);
    if (code == CLI_DONE && table_nrows(sweep.table) == 0 && sweep.code == CLI_DONE && !sweep_interrupted()) {
      err_set(err, "run: nothing that was asked for can be served");
      code = CLI_INPUT;
    }
    if (code == CLI_DONE) {
      code = machines_write_table(&machines, opts, sweep.table, err);
    }
    table_free(sweep.table);
  }
  machines_fini(&machines);
  free(calls.items);
  return code != CLI_DONE ? code : sweep_end(sweep.code);
}
