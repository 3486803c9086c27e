/* SPDX-License-Identifier: BSD-3-Clause
 * See published.h. Figures of the machine come from the benchmarks of the same name, so that nothing is measured in two
 * ways; a figure is picked out of a benchmark's rows by parameter, ranks and bytes. */
#include "validate/papers/published.h"

#include "algos/catalogue.h"
#include "sim/base/des.h"
#include "sim/base/err.h"
#include "sim/base/jobs.h"
#include "sim/hw/blade.h"
#include "validate/bench/bench.h"
#include "validate/lab/runner.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Calls of a loop; the first is not counted. Few are enough for much data, which evens out what is irregular. */
enum { LOOP_CALLS = 11, LOOP_CALLS_OF_MUCH = 3, MUCH_BYTES = 65536 };

/* A figure of a benchmark. */
struct figure {
  const char *benchmark, *parameter;
  unsigned ranks;
  size_t bytes;
};

/* A figure picked out of the rows of a benchmark. */
struct pick {
  struct bench_run run; /* first: the benchmark's view */
  const struct figure *figure;
  double value;
};

static void
pick_row(struct bench_run *run, const struct bench_row *row)
{
  struct pick *pick = (struct pick *)run;
  const struct figure *figure = pick->figure;
  bool fits = strcmp(row->parameter, figure->parameter) == 0 &&
              (!figure->bytes || row->bytes == figure->bytes) &&
              (!figure->ranks || row->ranks == figure->ranks);
  if (fits && (isnan(pick->value) || row->value > pick->value)) {
    pick->value = row->value;
  }
}

/* Return FIGURE as measured on BLADE, or NaN with ERR set. */
static double
simulate_figure(const struct figure *figure, struct blade *blade, struct err *err)
{
  const struct bench *bench = bench_find(figure->benchmark, err);
  struct pick pick = {.figure = figure, .value = NAN};
  pick.run = (struct bench_run){.blade = blade, .row = pick_row, .err = err};
  pick.run.profile = bench ? rig_profile(blade_platform(blade), NULL, bench->source, err) : NULL;
  if (!pick.run.profile || bench_run(bench, &pick.run) != 0) {
    return NAN;
  }
  if (isnan(pick.value)) {
    err_set(err, "benchmark %s has no figure %s on platform %s", figure->benchmark, figure->parameter,
            blade_platform(blade)->name);
  }
  return pick.value;
}

/* A loop of calls of one algorithm; reductions are sums. */
struct loop {
  const char *algorithm;
  enum coll_type type;
  unsigned ranks;
  size_t bytes;
  const char *profile;
  const char *unit;
};

/* Turn VALUE, the published one of LOOP, into the mean time of a call in ns. */
static double
from_unit(const struct loop *loop, double value)
{
  if (strcmp(loop->unit, "GB/s") == 0) {
    return (double)((loop->ranks - 1) * loop->bytes) / value;
  }
  return strcmp(loop->unit, "us") == 0 ? value * 1000 : value;
}

/* Return NS, the mean time of a call in LOOP, in its unit. */
static double
in_unit(const struct loop *loop, double ns)
{
  if (strcmp(loop->unit, "GB/s") == 0) {
    return (double)((loop->ranks - 1) * loop->bytes) / ns;
  }
  return strcmp(loop->unit, "us") == 0 ? ns / 1000 : ns;
}

/* Return what calls in LOOP take, in its unit, or NaN with ERR set. */
static double
simulate_loop(const struct loop *loop, struct blade *blade, struct err *err)
{
  struct rig_spec spec = {
    .nranks = loop->ranks, .nbytes = loop->bytes, .type = loop->type, .nrepeats = LOOP_CALLS};
  if (loop->bytes >= MUCH_BYTES) {
    spec.nrepeats = LOOP_CALLS_OF_MUCH;
  }
  struct outcome outcome;
  spec.profile = rig_profile(blade_platform(blade), loop->profile, NULL, err);
  if (!spec.profile || catalogue_find(loop->algorithm, &spec.call, err) != 0 ||
      runner_run(blade, &spec, &outcome, err) != 0) {
    return NAN;
  }
  double ns = outcome.cycles / blade_ghz(blade);
  if (!outcome.verified) {
    err_set(err, "%s: %s", loop->algorithm, outcome.detail ? outcome.detail : "interrupted");
    ns = NAN;
  }
  outcome_fini(&outcome);
  return in_unit(loop, ns);
}

/* One row of published.def: a figure, or a loop. */
struct entry {
  const char *id, *quantity;
  double value;
  const char *unit, *source;
  struct figure figure;
  struct loop loop;
};

static const struct entry entries[] = {
#define FIGURE(id, quantity, benchmark, parameter, ranks, bytes, value, unit, source) \
  {#id, quantity, value, unit, source, {benchmark, parameter, ranks, bytes}, {0}},
#define LOOP_OF(id, quantity, type, algorithm, ranks, bytes, profile, value, unit, source) \
  {#id, quantity, value, unit, source, {0}, {algorithm, type, ranks, bytes, profile, unit}},
#define LOOP(id, algorithm, ...) LOOP_OF(id, algorithm, TYPE_INT32, algorithm, __VA_ARGS__)
#include "validate/papers/published.def"
};

size_t
published_count(void)
{
  return sizeof entries / sizeof *entries;
}

/* Return the name of the profile under which the figure of ENTRY was measured. */
static const char *
profile_of(const struct entry *entry)
{
  struct err err = {""};
  return entry->loop.algorithm ? entry->loop.profile : bench_find(entry->figure.benchmark, &err)->source;
}

/* Return what ENTRY is on BLADE, in its unit, or NaN with ERR set. */
static double
simulate(const struct entry *entry, struct blade *blade, struct err *err)
{
  return entry->loop.algorithm ? simulate_loop(&entry->loop, blade, err)
                               : simulate_figure(&entry->figure, blade, err);
}

/* Fill ROW from ENTRY, which is SIMULATED in its unit. */
static void
fill(struct published_row *row, const struct entry *entry, double simulated)
{
  bool is_loop = entry->loop.algorithm != NULL;
  *row = (struct published_row){.quantity = entry->quantity,
                                .published = entry->value,
                                .simulated = simulated,
                                .unit = entry->unit,
                                .error = 100 * (simulated - entry->value) / entry->value,
                                .timing = is_loop ? "mean of calls back to back" : "benchmark",
                                .profile = profile_of(entry),
                                .source = entry->source,
                                .algorithm = entry->loop.algorithm,
                                .ranks = entry->loop.ranks,
                                .bytes = entry->loop.bytes};
  row->published_ns = is_loop ? from_unit(&entry->loop, entry->value) : NAN;
  snprintf(row->id, sizeof row->id, "%s", entry->id);
  for (char *c = row->id; *c; c++) {
    *c = *c == '_' ? '-' : *c;
  }
}

int
published_simulate(size_t index, struct blade *blade, struct published_row *row, struct err *err)
{
  double simulated = simulate(&entries[index], blade, err);
  fill(row, &entries[index], simulated);
  return isnan(simulated) ? -1 : 0;
}

/* --- all rows --- */

struct crew {
  struct blade *blade;
  const struct published_walk *walk;
};

static int
work(void *context, size_t index, struct pack *result)
{
  const struct crew *crew = context;
  struct err why = {""};
  pack_add_real(result, simulate(&entries[index], crew->blade, &why));
  pack_add_text(result, why.text);
  return des_interrupted() ? -1 : 0;
}

static int
deliver(void *context, size_t index, struct pack *result)
{
  const struct published_walk *walk = ((const struct crew *)context)->walk;
  struct published_row row;
  fill(&row, &entries[index], pack_take_real(result));
  const char *why = pack_take_text(result);
  if (isnan(row.simulated)) {
    walk->skip(walk->context, why);
  } else {
    walk->take(walk->context, &row);
  }
  return 0;
}

static void
describe(const void *context, size_t index, char *text, size_t size)
{
  (void)context;
  snprintf(text, size, "published measurement %s", entries[index].id);
}

static void
progress(void *context, size_t done)
{
  const struct published_walk *walk = ((const struct crew *)context)->walk;
  if (walk->progress) {
    walk->progress(done, published_count());
  }
}

int
published_run(struct blade *blade, const struct published_walk *walk, struct err *err)
{
  struct crew crew = {blade, walk};
  struct jobs jobs = {.count = published_count(),
                      .nworkers = walk->njobs,
                      .context = &crew,
                      .work = work,
                      .deliver = deliver,
                      .describe = describe,
                      .progress = progress,
                      .interrupted = des_interrupted};
  return jobs_run(&jobs, err);
}
