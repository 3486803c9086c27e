/* SPDX-License-Identifier: BSD-3-Clause
 * cellcoll bench: microbenchmarks of the machine. */
#include "cli/commands.h"
#include "cli/run_counters.h"
#include "cli/sweep.h"
#include "platform/platform.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/hw/blade.h"
#include "validate/bench/bench.h"
#include "validate/lab/ledger_call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A benchmark that fills a table. */
struct filling {
  struct bench_run run; /* first: the benchmark's view */
  struct table *table;
  struct table *counters;         /* NULL: not wanted */
  const struct units_list *ranks; /* of the rows that are wanted; empty: all */
  const char *benchmark;
  const struct platform *platform;
  struct bench_row last;
};

/* Tell whether rows of so many RANKS are wanted. */
static bool
is_wanted(const struct units_list *wanted, unsigned ranks)
{
  size_t i = 0;
  while (i < wanted->n && wanted->values[i] != ranks) {
    i++;
  }
  return wanted->n == 0 || i < wanted->n;
}

static void
add_row(struct bench_run *run, const struct bench_row *row)
{
  struct filling *filling = (struct filling *)run;
  struct table *table = filling->table;
  if (sweep_interrupted() || !is_wanted(filling->ranks, row->ranks)) {
    return;
  }
  table_add_text(table, filling->benchmark);
  table_add_platform(table, filling->platform);
  table_add_text(table, row->parameter);
  table_add_count(table, row->ranks);
  table_add_count(table, row->bytes);
  table_add_real(table, row->value, fabs(row->value) < 1 ? 4 : 2);
  table_add_text(table, row->unit);
  filling->last = *row;
}

/* Run BENCH, which has one run, and add how much of the machine it used. */
static int
run_counted(const struct bench *bench, struct filling *filling)
{
  struct utilisation utilisation;
  struct blade *blade = filling->run.blade;
  utilisation_init(&utilisation, blade_platform(blade));
  blade_attach(blade, &utilisation.probe);
  int status = bench_run(bench, &filling->run);
  blade_detach(blade, &utilisation.probe);
  if (status == 0 && !sweep_interrupted()) {
    struct run_counters_subject subject = {bench->name, filling->platform, filling->last.ranks,
                                           filling->last.bytes};
    struct pack utilised = {0};
    call_pack_utilisation(&utilised, &utilisation);
    run_counters_add(filling->table, filling->counters, &subject, &utilised);
    pack_fini(&utilised);
  }
  utilisation_fini(&utilisation);
  return status;
}

static int
run_bench(const struct bench *bench, const struct platform *platform, struct filling *filling)
{
  struct bench_run *run = &filling->run;
  filling->benchmark = bench->name;
  filling->platform = platform;
  run->profile = rig_profile(platform, NULL, bench->source, run->err);
  if (!run->profile) {
    return CLI_INPUT;
  }
  run->blade = blade_new(platform, run->err);
  int status = !run->blade ? -1 : filling->counters ? run_counted(bench, filling) : bench_run(bench, run);
  blade_free(run->blade);
  return status == 0 ? CLI_DONE : CLI_INPUT;
}

/* Find the benchmarks that OPTS names; `all` stands for all.
 * returns: how many, or 0 with ERR set. */
static size_t
find_benches(const struct opts *opts, const struct bench ***found, struct err *err)
{
  size_t n = 0;
  *found = xcalloc(opts->nrest * nbenches, sizeof(const struct bench *));
  for (size_t i = 0; i < opts->nrest; i++) {
    if (strcmp(opts->rest[i], "all") == 0) {
      memcpy(*found + n, benches, nbenches * sizeof(const struct bench *));
      n += nbenches;
    } else if (!((*found)[n++] = bench_find(opts->rest[i], err))) {
      return 0;
    }
  }
  return n;
}

static int
run_benches(struct session *session, const struct bench *const *chosen, size_t nchosen)
{
  const struct opts *opts = &session->opts;
  const struct machines *machines = &session->machines;
  struct table *table =
    table_new("benchmark,platform,parameter,ranks,bytes,value,unit,version,platform_checksum");
  struct filling filling = {.run = {.bytes = &opts->bytes,
                                    .pattern = &opts->streams,
                                    .depth = opts->depth,
                                    .total = opts->total,
                                    .row = add_row,
                                    .err = session->err},
                            .table = table,
                            .ranks = &opts->ranks};
  filling.counters = opts->counters ? run_counters_new(table, "benchmark") : NULL;
  session->table = table;
  for (size_t i = 0; i < nchosen * machines->n && !sweep_interrupted(); i++) {
    int code = run_bench(chosen[i / machines->n], machines->platforms[i % machines->n], &filling);
    if (code != CLI_DONE && nchosen * machines->n == 1) {
      return code;
    }
    if (code != CLI_DONE) { /* one of several: the others go on */
      sweep_skip(session->err->text);
      *session->err = (struct err){0};
    }
    sweep_progress(i + 1, nchosen * machines->n);
  }
  if (opts->ranks.n && table_nrows(table) == 0 && !sweep_interrupted()) {
    return session_refuse(session, CLI_INPUT, "nothing is measured with these numbers of ranks");
  }
  return CLI_DONE;
}

/* Check that the options of eib-pattern come with it.
 * errors: an option that would have no effect. */
static int
check_pattern_options(const struct opts *opts, const struct bench *const *chosen, size_t nchosen,
                      struct err *err)
{
  bool pattern = false;
  for (size_t i = 0; i < nchosen; i++) {
    pattern |= strcmp(chosen[i]->name, "eib-pattern") == 0;
  }
  if (!pattern && (opts->given & (OPT_STREAMS | OPT_DEPTH | OPT_TOTAL))) {
    return err_set(err,
                   "bench: --streams, --depth or --total without eib-pattern, expected them only with it");
  }
  if (opts->counters && (!pattern || nchosen > 1 || opts->bytes.n > 1)) {
    return err_set(err,
                   "bench: --counters with several benchmarks or sizes, expected eib-pattern and one size");
  }
  return 0;
}

int
cmd_bench(struct session *session)
{
  const struct bench **chosen;
  size_t nchosen = find_benches(&session->opts, &chosen, session->err);
  if (nchosen && check_pattern_options(&session->opts, chosen, nchosen, session->err) != 0) {
    nchosen = 0;
  }
  int code = nchosen ? run_benches(session, chosen, nchosen) : CLI_USAGE;
  free(chosen);
  return code;
}
