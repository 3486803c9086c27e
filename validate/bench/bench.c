/* SPDX-License-Identifier: BSD-3-Clause
 * The table of benchmarks, and how a benchmark is run: at once, as one experiment of the ledger with the
 * rows as the result, or in parts, each part an experiment. */
#include "validate/bench/bench.h"

#include "algos/catalogue.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "sim/net/net.h"
#include "sim/spu/spu_mfcio.h"
#include "traces/utilisation.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/rig/rig.h"
#include "validate/model/measured/net_exchange.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BENCH(name) extern const struct bench name;
#include "validate/bench/benches.def"

const struct bench *const benches[] = {
#define BENCH(name) &name,
#include "validate/bench/benches.def"
};
const size_t nbenches = sizeof benches / sizeof *benches;

const struct bench *bench_find(const char *name, struct err *err) {
  const char *names[sizeof benches / sizeof *benches];
  for (size_t i = 0; i < nbenches; i++) {
    names[i] = benches[i]->name;
    if (strcmp(names[i], name) == 0) {
      return benches[i];
    }
  }
  const char *nearest = suggest_nearest(name, names, nbenches);
  err_set(err,
          nearest ? "unknown benchmark '%s'; did you mean '%s'?"
                  : "unknown benchmark '%s', expected one of 'list benchmarks'",
          name, nearest);
  return NULL;
}

static int run_in_parts(const struct bench *bench, struct bench_run *run);

int bench_run(const struct bench *bench, struct bench_run *run) {
  const struct platform *platform = machine_platform(run->machine);
  if (bench->of_nodes && !platform->has_nodes) {
    return err_set(run->err, "%s: platform %s is one node, expected one that has <node>, such as blades",
                   bench->name, platform->name);
  }
  if (!platform_has_spes(platform) && !bench->of_hosts) {
    return err_set(run->err,
                   "%s: the hosts of platform %s have no SPEs, expected network, ports or signature",
                   bench->name, platform->name);
  }
  if (platform->spes_per_chip < bench->least_spes || platform->blade.chips < bench->least_chips) {
    return err_set(run->err, "%s: platform %s has chips: %u, SPEs on each: %u, expected at least %u and %u",
                   bench->name, platform->name, platform->blade.chips, platform->spes_per_chip,
                   bench->least_chips ? bench->least_chips : 1, bench->least_spes ? bench->least_spes : 1);
  }
  if (rig_room(platform, platform->nspes) == 0) {
    return err_set(run->err, "%s: no room in the local stores of platform %s", bench->name, platform->name);
  }
  return bench->in_parts && !run->parts ? run_in_parts(bench, run) : bench->run(run);
}

/* --- through the ledger --- */

/* The counters of a network for its last exchange. */
struct bench_counts {
  struct probe probe; /* passes all events on but resets of the network */
  struct call_counters counters;
  unsigned ranks;
  size_t nbytes;
};

static void pass_on(struct probe *probe, const struct probe_event *event) {
  struct bench_counts *counts = (struct bench_counts *)probe;
  if (event->kind != PROBE_RESET) {
    struct probe *counter = &counts->counters.net.probe;
    counter->see(counter, event);
  }
}

void bench_count(const struct bench_run *run, struct net *net) {
  if (run->counts) {
    call_counters_fini(&run->counts->counters);
    call_counters_init(&run->counts->counters);
    net_attach(net, &run->counts->probe);
  }
}

void bench_counted(const struct bench_run *run, struct net *net, unsigned ranks, size_t nbytes) {
  if (run->counts) {
    net_detach(net, &run->counts->probe);
    run->counts->ranks = ranks;
    run->counts->nbytes = nbytes;
  }
}

/* A benchmark with its rows packed. */
struct packing {
  struct bench_run run; /* first: the benchmark's view */
  struct pack *rows;
};

static void pack_row(struct bench_run *run, const struct bench_row *row) {
  struct pack *rows = ((struct packing *)run)->rows;
  pack_add_count(rows, true); /* one more row follows */
  pack_add_text(rows, row->parameter);
  pack_add_count(rows, row->ranks);
  pack_add_count(rows, row->bytes);
  pack_add_real(rows, row->value);
  pack_add_text(rows, row->unit);
}

/* End the rows in RESULT; WHY is the reason for missing rows; empty: no row is missing. */
static void end_rows(struct pack *result, const char *why) {
  pack_add_count(result, false);
  pack_add_text(result, why);
}

/* Report the rows packed in ROWS to RUN. */
static void report_rows(struct bench_run *run, struct pack *rows) {
  while (pack_take_count(rows)) {
    struct bench_row row = {.parameter = pack_take_text(rows)};
    row.ranks = (unsigned)pack_take_count(rows);
    row.bytes = pack_take_count(rows);
    row.value = pack_take_real(rows);
    row.unit = pack_take_text(rows);
    run->row(run, &row);
  }
}

/* A benchmark in parts that asks LEDGER. */
struct asking {
  const struct bench *bench;
  struct bench_run *run;
  struct ledger *ledger;
  struct pack rows;
  int status;
  bool known; /* all parts */
};

static void ask_parts(void *context) {
  struct asking *asking = context;
  struct packing packing = {.run = *asking->run, .rows = &asking->rows};
  packing.run.row = pack_row;
  packing.run.parts = asking->ledger;
  pack_clear(&asking->rows);
  asking->status = bench_run(asking->bench, &packing.run);
  asking->known = !packing.run.missing;
  pack_add_count(&asking->rows, false);
}

/* Report the rows of ASKING if all parts are known.
 * returns: whether all are known. */
static bool report_parts(struct asking *asking) {
  if (asking->known) {
    report_rows(asking->run, &asking->rows);
  }
  pack_fini(&asking->rows);
  return asking->known;
}

/* Run BENCH with a ledger of its own in this process. */
static int run_in_parts(const struct bench *bench, struct bench_run *run) {
  struct ledger ledger = {.njobs = 1};
  struct asking asking = {.bench = bench, .run = run, .ledger = &ledger};
  int status = ledger_settle(&ledger, ask_parts, &asking, run->err);
  if (!report_parts(&asking) && status == 0) {
    status = err_set(run->err, "%s: interrupted", bench->name);
  }
  ledger_fini(&ledger);
  return status ? status : asking.status;
}

static int make_rows(const struct experiment *experiment, struct pack *result) {
  const struct bench_run *asked = experiment->context;
  struct packing packing = {.run = *asked, .rows = result};
  struct err err = {""};
  char name[64];
  packing.run.row = pack_row;
  packing.run.err = &err;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(experiment->subject, " "), experiment->subject);
  const struct bench *bench = bench_find(name, &err);
  struct bench_counts counts = {.probe.see = pass_on};
  bool of_blade = asked->used && !bench->counts_network;
  call_counters_init(&counts.counters);
  packing.run.counts = asked->used && bench->counts_network ? &counts : NULL;
  if (of_blade) {
    machine_attach(asked->machine, &counts.counters.observer);
  }
  int status = bench_run(bench, &packing.run);
  end_rows(result, err.text);
  if (packing.run.counts && status == 0) {
    pack_add_count(result, counts.ranks);
    pack_add_count(result, counts.nbytes);
  }
  if (of_blade) {
    machine_detach(asked->machine, &counts.counters.observer);
  }
  if (asked->used && status == 0) {
    call_pack_counters(result, &counts.counters);
  }
  call_counters_fini(&counts.counters);
  return des_interrupted() ? -1 : 0;
}

static void rows_stopped(const struct experiment *experiment, const char *how, struct pack *result) {
  pack_add_count(result, false);
  bench_stopped(experiment, how, result);
}

bool bench_ask(struct ledger *ledger, const struct bench *bench, struct bench_run *run, int *status) {
  static const struct experiment_kind kind = {.name = "benchmark", .run = make_rows, .stopped = rows_stopped};
  struct experiment experiment = {.kind = &kind,
                                  .machine = run->machine,
                                  .call = {.profile = run->profile},
                                  .observers = run->used ? CALL_UTILISATION : 0,
                                  .subject = run->subject ? run->subject : bench->name,
                                  .context = run};
  struct pack rows;
  if (bench->in_parts && !run->used) {
    struct asking asking = {.bench = bench, .run = run, .ledger = ledger};
    ask_parts(&asking);
    *status = asking.status;
    return report_parts(&asking);
  }
  if (!ledger_ask(ledger, &experiment, &rows)) {
    return false;
  }
  report_rows(run, &rows);
  const char *why = pack_take_text(&rows);
  *status = *why ? err_set(run->err, "%s", why) : 0;
  if (*status == 0 && run->used && bench->counts_network) {
    run->counted_ranks = (unsigned)pack_take_count(&rows);
    run->counted_bytes = pack_take_count(&rows);
  }
  run->utilisation = rows;
  return true;
}

/* --- for benchmarks in parts --- */

static struct experiment of_run(const struct bench_run *run, struct experiment experiment) {
  experiment.machine = run->machine;
  experiment.call.profile = run->profile;
  return experiment;
}

int bench_part(struct bench_run *run, struct experiment experiment, struct pack *result) {
  experiment = of_run(run, experiment);
  if (!ledger_ask(run->parts, &experiment, result)) {
    run->missing = true;
    return 0;
  }
  const char *why = pack_take_text(result);
  return *why ? err_set(run->err, "%s", why) : 1;
}

void bench_stopped(const struct experiment *experiment, const char *how, struct pack *result) {
  SCOPED char *why =
    xasprintf("%s: %s", experiment->subject ? experiment->subject : experiment->kind->name, how);
  pack_add_text(result, why);
}

/* Measure a message of `numbers[1]` bytes among `numbers[0]` ranks; on hosts over `numbers[2]` rails. */
static double measure_message(const struct experiment *experiment, struct err *err) {
  const struct platform *platform = machine_platform(experiment->machine);
  unsigned ranks = (unsigned)experiment->numbers[0], nrails = (unsigned)experiment->numbers[2];
  size_t nbytes = experiment->numbers[1];
  double cycles = 0;
  if (!platform_has_spes(platform)) {
    struct net *net = nrails ? net_exchange_rails(platform, nrails, err) : net_new(platform, 1, err);
    cycles = net ? (double)net_exchange_one(net, nbytes, 0, 1) : NAN;
    net_free(net);
    return cycles;
  }
  struct pingpong pingpong = {.machine = experiment->machine,
                              .profile = experiment->call.profile,
                              .kind = PINGPONG_DATA,
                              .nbytes = nbytes};
  for (unsigned spe = 1; spe < ranks; spe++) {
    cycles += pingpong_between(&pingpong, spe) / 2;
  }
  return cycles / (ranks - 1);
}

double bench_message(struct bench_run *run, unsigned ranks, size_t nbytes, unsigned nrails) {
  static const struct experiment_kind kind = {.name = "message", .measure = measure_message};
  struct experiment experiment =
    of_run(run, (struct experiment){.kind = &kind, .numbers = {ranks, nbytes, nrails}});
  struct ledger_value value;
  if (!ledger_value(run->parts, &experiment, &value)) {
    run->missing = true;
    return NAN;
  }
  return isnan(value.number) ? err_set(run->err, "%s", value.why) : value.number;
}

double bench_call(struct bench_run *run, const char *name, struct bench_row row, struct pack *use) {
  struct point point = {.machine = run->machine,
                        .call = {.nranks = row.ranks,
                                 .nbytes = row.bytes,
                                 .repeat = 1,
                                 .profile = run->profile,
                                 .lengths_only = rig_needs_lengths_only(machine_platform(run->machine))},
                        .observers = use ? CALL_UTILISATION : 0};
  struct call_result result;
  if (catalogue_find(name, &point.call.algorithm, run->err) != 0) {
    return -1;
  }
  if (!ledger_call(run->parts, &point, &result)) {
    run->missing = true;
    return NAN;
  }
  if (use) {
    *use = result.utilisation;
  }
  const char *why = *result.refused ? result.refused
                    : *result.wrong ? result.wrong
                                    : call_end_name(result.end);
  return result.end == CALL_OK && !*result.refused ? result.cycles : err_set(run->err, "%s: %s", name, why);
}

/* --- for all benchmarks --- */

const struct units_list *bench_sizes(const struct bench_run *run, const struct units_list *own) {
  return run->bytes && run->bytes->n ? run->bytes : own;
}

int bench_check_sizes(const struct bench_run *run, const struct units_list *sizes) {
  const struct platform *platform = machine_platform(run->machine);
  size_t room = rig_room(platform, platform->nspes);
  const uint64_t *bad = VEC_FIND(sizes->values, sizes->n, *item == 0 || *item > room);
  return bad ? err_set(run->err, "%llu bytes in a local store, expected 1 to %zu", (unsigned long long)*bad,
                       room)
             : 0;
}

int bench_check_dma_sizes(const struct bench_run *run, const struct units_list *sizes) {
  for (size_t i = 0; i < sizes->n; i++) {
    uint64_t n = sizes->values[i];
    bool small = n == 1 || n == 2 || n == 4 || n == 8;
    if (!small && (n == 0 || n % 16 != 0 || n > MFC_MAX_DMA_SIZE)) {
      return err_set(run->err, "%llu bytes for one DMA, expected 1, 2, 4, 8 or a multiple of 16 up to %d",
                     (unsigned long long)n, MFC_MAX_DMA_SIZE);
    }
  }
  return bench_check_sizes(run, sizes);
}

double bench_gigabytes(const struct bench_run *run, double nbytes, double cycles) {
  return nbytes / cycles * machine_platform(run->machine)->clock.spu;
}

double bench_ns(const struct bench_run *run, double cycles) {
  return cycles / machine_platform(run->machine)->clock.spu;
}
