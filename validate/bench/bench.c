/* SPDX-License-Identifier: BSD-3-Clause
 * The table of benchmarks, and how a benchmark is run: at once, as one experiment of the ledger, or in parts,
 * each part an experiment. */
#include "validate/bench/bench.h"

#include "algos/catalogue.h"
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "sim/net/net.h"
#include "sim/spu/spu_mfcio.h"
#include "traces/utilisation.h"
#include "validate/lab/call/call_watch.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/rig/rig.h"
#include "validate/model/measured/signature.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BENCH(name) extern const struct bench name;
#include "validate/bench/benches.def"

const struct bench *const benches[] = {
#define BENCH(name) &name,
#include "validate/bench/benches.def"
};
const size_t nbenches = VEC_LENGTH(benches);

const struct bench *bench_find(const char *name, struct err *err) {
  const char *names[VEC_LENGTH(benches)];
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

/* Run BENCH, as bench_run, at once, or for the known parts. */
static int run_checked(const struct bench *bench, struct bench_run *run) {
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
  run->bytes = run->bytes && run->bytes->n ? run->bytes : bench->sizes;
  return bench->check && bench->check(run) != 0 ? -1 : bench->run(run);
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

/* A benchmark in parts that asks LEDGER. */
struct asking {
  const struct bench *bench;
  struct bench_run *run;
  struct ledger *ledger;
  int status;
  bool known; /* all parts */
};

static void ask_parts(void *context) {
  struct asking *asking = context;
  struct bench_run *run = asking->run;
  run->parts = asking->ledger;
  run->mark = ledger_mark(asking->ledger);
  pack_clear(&run->rows);
  asking->status = run_checked(asking->bench, run);
  asking->known = bench_is_known(run);
}

int bench_run(const struct bench *bench, struct bench_run *run) {
  struct ledger ledger = {.njobs = 1};
  struct asking asking = {.bench = bench, .run = run, .ledger = &ledger};
  int status = 0;
  if (bench->in_parts) {
    status = ledger_settle(&ledger, ask_parts, &asking, run->err);
    if (status == 0) {
      status = asking.known ? asking.status : err_set(run->err, "%s: interrupted", bench->name);
    }
  } else {
    pack_clear(&run->rows);
    status = run_checked(bench, run);
  }
  result_end(&run->rows, status ? run->err->text : "");
  ledger_fini(&ledger);
  return status;
}

static void make_rows(const struct experiment *experiment, struct pack *rows, struct err *why) {
  const struct bench_run *asked = experiment->context;
  struct bench_run run = *asked;
  char name[64];
  run.rows = (struct pack){0};
  run.err = why;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(experiment->subject, " "), experiment->subject);
  const struct bench *bench = bench_find(name, why);
  struct bench_counts counts = {.probe.see = pass_on};
  bool of_blade = asked->used && !bench->counts_network;
  call_counters_init(&counts.counters);
  run.counts = asked->used && bench->counts_network ? &counts : NULL;
  if (of_blade) {
    machine_attach(asked->machine, &counts.counters.observer);
  }
  bool ran = bench_run(bench, &run) == 0;
  for (struct result_row row; result_take(&run.rows, &row);) {
    result_add(rows, &row);
  }
  pack_fini(&run.rows);
  if (of_blade) {
    machine_detach(asked->machine, &counts.counters.observer);
  }
  if (asked->used && ran) {
    call_add_counters(rows, &counts.counters, counts.ranks, counts.nbytes);
  }
  call_counters_fini(&counts.counters);
}

bool bench_ask(struct ledger *ledger, const struct bench *bench, struct bench_run *run, int *status) {
  static const struct experiment_kind kind = {.name = "benchmark", .run = make_rows};
  struct experiment experiment = {.kind = &kind,
                                  .machine = run->machine,
                                  .call = {.profile = run->profile},
                                  .observers = run->used ? CALL_UTILISATION : 0,
                                  .subject = run->subject ? run->subject : bench->name,
                                  .context = run};
  struct result result;
  if (bench->in_parts && !run->used) {
    struct asking asking = {.bench = bench, .run = run, .ledger = ledger};
    ask_parts(&asking);
    *status = asking.status;
    result_end(&run->rows, "");
    return asking.known;
  }
  pack_clear(&run->rows);
  if (!ledger_ask(ledger, &experiment, &result)) {
    return false;
  }
  pack_add_bytes(&run->rows, result.rows.bytes + result.rows.taken, result.rows.nbytes - result.rows.taken);
  *status = *result.why ? err_set(run->err, "%s", result.why) : 0;
  return true;
}

/* --- for benchmarks in parts --- */

bool bench_is_known(const struct bench_run *run) {
  return ledger_complete(run->parts, run->mark);
}

double bench_part(struct bench_run *run, enum measure measure, struct experiment experiment,
                  struct result *result) {
  experiment.machine = run->machine;
  experiment.call.profile = run->profile;
  if (!measure_ask(run->parts, measure, &experiment, result)) {
    return NAN;
  }
  return *result->why ? err_set(run->err, "%s", result->why) : result->number;
}

int bench_messages(struct bench_run *run, struct experiment experiment, const struct units_list *sizes,
                   struct signature *signature) {
  struct signature_point points[BENCH_SIZES_MAX];
  size_t n = 0;
  for (; n < sizes->n && n < BENCH_SIZES_MAX; n++) {
    struct result result;
    experiment.call.nbytes = sizes->values[n];
    points[n] =
      (struct signature_point){sizes->values[n], bench_part(run, MEASURE_MESSAGE, experiment, &result)};
    if (points[n].cycles < 0) {
      return -1;
    }
  }
  if (bench_is_known(run)) {
    signature_fit_message(signature, points, n);
  }
  return 0;
}

double bench_call(struct bench_run *run, const char *name, struct result_row row, struct pack *use) {
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

int bench_check_sizes(const struct bench_run *run) {
  const struct platform *platform = machine_platform(run->machine);
  size_t room = rig_room(platform, platform->nspes);
  const uint64_t *bad = VEC_FIND(run->bytes->values, run->bytes->n, *item == 0 || *item > room);
  return bad ? err_set(run->err, "%llu bytes in a local store, expected 1 to %zu", (unsigned long long)*bad,
                       room)
             : 0;
}

int bench_check_dma_sizes(const struct bench_run *run) {
  VEC_EACH(size, run->bytes->values, run->bytes->n) {
    uint64_t n = *size;
    bool small = n == 1 || n == 2 || n == 4 || n == 8;
    if (!small && (n == 0 || n % 16 != 0 || n > MFC_MAX_DMA_SIZE)) {
      return err_set(run->err, "%llu bytes for one DMA, expected 1, 2, 4, 8 or a multiple of 16 up to %d",
                     (unsigned long long)n, MFC_MAX_DMA_SIZE);
    }
  }
  return bench_check_sizes(run);
}

double bench_gigabytes(const struct bench_run *run, double nbytes, double cycles) {
  return nbytes / cycles * machine_platform(run->machine)->clock.spu;
}

double bench_ns(const struct bench_run *run, double cycles) {
  return cycles / machine_platform(run->machine)->clock.spu;
}
