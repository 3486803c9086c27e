/* SPDX-License-Identifier: BSD-3-Clause
 * See published.h. Figures of the machine come from the benchmarks of the same name, so that nothing is measured in two
 * ways; a figure is picked out of a benchmark's rows by parameter, ranks and bytes. */
#include "validate/published.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "validate/bench.h"
#include "validate/runner.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Calls of a loop; the first is not counted. */
enum { LOOP_CALLS = 101 };

/* A figure picked out of the rows of a benchmark. */
struct pick {
  struct bench_run run; /* first: the benchmark's view */
  const char *parameter;
  size_t bytes;   /* 0: the largest value over all sizes and ranks */
  unsigned ranks; /* 0: any */
  double value;
};

static void
pick_row(struct bench_run *run, const struct bench_row *row)
{
  struct pick *pick = (struct pick *)run;
  bool fits = strcmp(row->parameter, pick->parameter) == 0 && (!pick->bytes || row->bytes == pick->bytes) &&
              (!pick->ranks || row->ranks == pick->ranks);
  if (fits && (isnan(pick->value) || row->value > pick->value)) {
    pick->value = row->value;
  }
}

/* Run the benchmark NAME on BLADE and return the figure that PICK describes, or NaN with ERR set. */
static double
pick_from(const char *name, struct pick pick, struct blade *blade, struct err *err)
{
  const struct bench *bench = bench_find(name, err);
  pick.run.blade = blade;
  pick.run.profile = bench ? rig_profile(blade->platform, NULL, bench->source, err) : NULL;
  pick.run.row = pick_row;
  pick.run.err = err;
  pick.value = NAN;
  if (!pick.run.profile || bench->run(&pick.run) != 0) {
    return NAN;
  }
  return pick.value;
}

static double
figure_rtt_signal_intra(struct blade *blade, struct err *err)
{
  return pick_from("signal", (struct pick){.parameter = "round-trip-same-chip"}, blade, err);
}

static double
figure_rtt_signal_inter(struct blade *blade, struct err *err)
{
  return pick_from("signal", (struct pick){.parameter = "round-trip-across"}, blade, err);
}

static double
figure_ls_bandwidth_1pair(struct blade *blade, struct err *err)
{
  return pick_from("dma-bandwidth", (struct pick){.parameter = "get-same-chip", .bytes = 16384}, blade, err);
}

static double
figure_bif_congestion_max(struct blade *blade, struct err *err)
{
  return pick_from("bif-congestion", (struct pick){.parameter = "increase", .ranks = 16}, blade, err);
}

static double
figure_dma_128_ls(struct blade *blade, struct err *err)
{
  return pick_from("dma-latency", (struct pick){.parameter = "put-same-chip", .bytes = 128}, blade, err);
}

/* A loop of calls of one algorithm. */
struct loop {
  const char *algorithm;
  unsigned ranks;
  size_t bytes;
  const char *profile;
  const char *unit;
};

/* Return the mean time of a call in LOOP, in its unit, or NaN with ERR set. */
static double
simulate_loop(const struct loop *loop, struct blade *blade, struct err *err)
{
  struct rig_spec spec = {.nranks = loop->ranks, .nbytes = loop->bytes, .nrepeats = LOOP_CALLS};
  struct outcome outcome;
  spec.profile = rig_profile(blade->platform, loop->profile, NULL, err);
  if (!spec.profile || catalogue_find(loop->algorithm, &spec.call, err) != 0 ||
      runner_run(blade, &spec, &outcome, err) != 0) {
    return NAN;
  }
  double ns = outcome.cycles / blade->figures.ghz;
  if (!outcome.verified) {
    err_set(err, "%s: %s", loop->algorithm, outcome.detail ? outcome.detail : "interrupted");
    ns = NAN;
  }
  outcome_fini(&outcome);
  return strcmp(loop->unit, "us") == 0 ? ns / 1000 : ns;
}

/* One row of published.def. */
struct entry {
  const char *id, *quantity;
  double value;
  const char *unit, *source;
  double (*figure)(struct blade *blade, struct err *err); /* NULL: a loop */
  struct loop loop;
};

static const struct entry entries[] = {
#define FIGURE(id, quantity, value, unit, source) {#id, quantity, value, unit, source, figure_##id, {0}},
#define LOOP(id, algorithm, ranks, bytes, profile, value, unit, source) \
  {#id, algorithm, value, unit, source, NULL, {algorithm, ranks, bytes, profile, unit}},
#include "validate/published.def"
};

size_t
published_count(void)
{
  return sizeof entries / sizeof *entries;
}

int
published_simulate(size_t index, struct blade *blade, struct published_row *row, struct err *err)
{
  const struct entry *entry = &entries[index];
  double simulated = entry->figure ? entry->figure(blade, err) : simulate_loop(&entry->loop, blade, err);
  *row = (struct published_row){.quantity = entry->quantity,
                                .published = entry->value,
                                .simulated = simulated,
                                .unit = entry->unit,
                                .error = 100 * (simulated - entry->value) / entry->value,
                                .source = entry->source};
  snprintf(row->id, sizeof row->id, "%s", entry->id);
  for (char *c = row->id; *c; c++) {
    *c = *c == '_' ? '-' : *c;
  }
  return isnan(simulated) ? -1 : 0;
}
