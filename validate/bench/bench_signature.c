/* SPDX-License-Identifier: BSD-3-Clause
 * The contention signatures of the machine for complete exchanges, all messages started at once, and the
 * errors of their predictions for other numbers of ranks. There are two networks, a chip and the whole
 * machine. Each network has a signature, taken with all its SPEs; ranks on one chip do not use the other
 * chip.
 *
 * Rows: alpha, beta, gamma, delta and the threshold M of both; then for each number of ranks and size
 *
 *   simulated           time
 *   predicted, error    by the signature of the network, as published; the error in percent of the simulated
 *                       time
 *   apart, apart-error  the same by our extension
 *   busy WHERE          share of the time in which the busiest part of the machine, named there, was in use
 *   load                time of use of the busiest part per message of a rank, in percent of the fit's load
 *   saturated           1: the busiest part was in use for at least two thirds of the time; else 0
 *
 * and for both networks, the number and the largest errors of saturated points with other numbers of ranks
 * than the fit. The signature assumes the same load of every rank on the saturated part. At `alike`
 * points this assumption holds: the saturated part is the same as in the fit at this size, and the load is
 * within 10 % of the fit's load.
 *
 * The bound: in a queue with constant service times the mean waiting time equals the service time when the
 * server is busy for two thirds of the time.
 * source: Steffenel, Martinasso, Trystram 2007, sections 5 and 6; our extension: signature.h. */
#include "sim/base/err.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "sim/net/fabric.h"
#include "sim/net/net.h"
#include "sim/node/machine.h"
#include "traces/utilisation.h"
#include "validate/bench/bench.h"
#include "validate/lab/call/placement.h"
#include "validate/lab/ledger/ledger_call.h"
#include "validate/lab/rig/rig.h"
#include "validate/model/measured/net_exchange.h"
#include "validate/model/measured/signature.h"

#include <math.h>
#include <string.h>

enum { SIZES_MAX = BENCH_SIZES_MAX, LEAST_SIZES = 4 };

/* Choose the SIZES: the sizes asked for, or OWN; at most SIZES_MAX.
 * errors: fewer than LEAST_SIZES; sizes not in ascending order. */
static int choose_sizes(const struct bench_run *run, const struct units_list *own, struct units_list *sizes) {
  *sizes = run->bytes ? *run->bytes : *own;
  LOWER(sizes->n, SIZES_MAX);
  if (sizes->n < LEAST_SIZES) {
    return err_set(run->err, "signature: %zu sizes, expected at least %d", sizes->n, LEAST_SIZES);
  }
  return VEC_FIND(sizes->values + 1, sizes->n - 1, item[0] <= item[-1])
           ? err_set(run->err, "signature: sizes not in ascending order")
           : 0;
}

static const double saturated_share = 200.0 / 3, load_tolerance = 10; /* percent */

static const char all_at_once[] = "alltoall:direct:ports=15";

struct exchange {
  unsigned ranks;
  size_t nbytes;
  double cycles;
  double busy;       /* percent */
  const char *where; /* the busiest part */
};

/* Points, and the one with the largest error. */
struct errors {
  unsigned points;
  double largest; /* percent; 0: no points */
};

/* A network: the exchanges of the fit, the signature, and the errors of predictions. */
struct network {
  unsigned ranks;
  struct signature signature;
  struct exchange fit[SIZES_MAX];
  struct errors saturated, alike, apart;
};

struct study {
  struct bench_run *run;
  uint64_t own[SIZES_MAX]; /* sizes, unless others are asked for */
  struct units_list sizes;
  struct network chip, machine;
};

/* Ask for an exchange of RANKS ranks and NBYTES.
 * errors: as bench_call. */
static int exchange_run(struct bench_run *run, struct exchange *exchange, unsigned ranks, size_t nbytes) {
  struct pack use;
  struct utilisation_row row;
  double all = NAN;
  *exchange = (struct exchange){.ranks = ranks, .nbytes = nbytes, .where = ""};
  exchange->cycles = bench_call(run, all_at_once, (struct result_row){.ranks = ranks, .bytes = nbytes}, &use);
  while (exchange->cycles >= 0 && call_take_counter(&use, &row, &all)) {
    if (strcmp(row.counter, "busy") == 0 && row.value > exchange->busy) {
      exchange->busy = row.value;
      exchange->where = row.where; /* of the ledger */
    }
  }
  return exchange->cycles < 0 ? -1 : 0;
}

static bool is_saturated(const struct exchange *exchange) {
  return exchange->busy >= saturated_share;
}

/* Return the time in which the busiest part of EXCHANGE was in use, per message of a rank. */
static double load_of(const struct exchange *exchange) {
  return exchange->busy / 100 * exchange->cycles / (exchange->ranks - 1);
}

/* Return the load of EXCHANGE in percent of the load of FIT, of the same size. */
static double relative_load(const struct exchange *exchange, const struct exchange *fit) {
  return 100 * load_of(exchange) / load_of(fit);
}

static void count_error(struct errors *errors, double percent) {
  errors->points++;
  errors->largest = fmax(errors->largest, fabs(percent));
}

/* Report the prediction CYCLES for EXCHANGE as NAME, and the error as ERROR_NAME.
 * returns: the error in percent. */
static double report_prediction(struct bench_run *run, const struct exchange *exchange, const char *name,
                                const char *error_name, double cycles) {
  double error = 100 * (cycles - exchange->cycles) / exchange->cycles;
  bench_report_ns(run, name, exchange->ranks, exchange->nbytes, cycles);
  bench_report(run, error_name, exchange->ranks, exchange->nbytes, error, "percent");
  return error;
}

/* Compare the exchange of RANKS ranks with the prediction of its network, for size INDEX. */
static int compare(struct study *study, unsigned ranks, size_t index) {
  struct bench_run *run = study->run;
  struct network *network = ranks <= study->chip.ranks ? &study->chip : &study->machine;
  const struct exchange *fit = &network->fit[index];
  const struct signature_pair pair = {&study->chip.signature, &study->machine.signature, study->chip.ranks,
                                      study->machine.ranks};
  size_t nbytes = study->sizes.values[index];
  struct exchange exchange;
  if (exchange_run(run, &exchange, ranks, nbytes) != 0) {
    return -1;
  }
  if (!bench_is_known(run)) {
    return 0;
  }
  bench_report_ns(run, "simulated", ranks, nbytes, exchange.cycles);
  double published = signature_predict(&network->signature, ranks, nbytes),
         extended = signature_pair_predict(&pair, ranks, nbytes),
         error = report_prediction(run, &exchange, "predicted", "error", published),
         apart = report_prediction(run, &exchange, "apart", "apart-error", extended);
  bench_report(run, text_brief("busy %s", exchange.where), ranks, nbytes, exchange.busy, "percent");
  bench_report(run, "load", ranks, nbytes, relative_load(&exchange, fit), "percent");
  bench_report(run, "saturated", ranks, nbytes, is_saturated(&exchange), "0 or 1");
  if (ranks != network->ranks && is_saturated(&exchange)) {
    count_error(&network->saturated, error);
    count_error(&network->apart, apart);
    if (is_saturated(fit) && strcmp(exchange.where, fit->where) == 0 &&
        fabs(relative_load(&exchange, fit) - 100) <= load_tolerance) { /* in the same way */
      count_error(&network->alike, error);
    }
  }
  return 0;
}

static void report_errors(struct bench_run *run, const struct network *network) {
  unsigned n = network->ranks;
  bench_report(run, "saturated-points", n, 0, network->saturated.points, "count");
  bench_report(run, "saturated-error", n, 0, network->saturated.largest, "percent");
  bench_report(run, "saturated-apart-error", n, 0, network->apart.largest, "percent");
  bench_report(run, "alike-points", n, 0, network->alike.points, "count");
  bench_report(run, "alike-error", n, 0, network->alike.largest, "percent");
}

/* Choose the sizes to measure: the sizes asked for; else doubling sizes as long as all blocks of all ranks
 * fit, and the largest size in whole bus requests, the maximum load.
 * errors: too few sizes, sizes not in ascending order, or more than fits into a local store. */
static int choose_own_sizes(struct study *study) {
  const struct bench_run *run = study->run;
  const struct platform *platform = machine_platform(run->machine);
  size_t room = rig_room(platform, platform->nspes) / 2 / platform->nspes,
         largest = room - room % platform->eib.request_bytes;
  struct units_list own = {.values = study->own};
  for (size_t nbytes = 64; nbytes < largest && own.n + 1 < SIZES_MAX; nbytes *= 2) {
    own.values[own.n++] = nbytes;
  }
  own.values[own.n++] = largest;
  return run->bytes && bench_check_sizes(run) != 0 ? -1 : choose_sizes(run, &own, &study->sizes);
}

/* Measure single messages of SIZES among RANKS ranks, and report alpha and beta of SIGNATURE. */
static int measure_messages(struct bench_run *run, unsigned ranks, const struct units_list *sizes,
                            struct signature *signature) {
  int status = bench_messages(run, (struct experiment){.call.nranks = ranks}, sizes, signature);
  if (status == 0 && bench_is_known(run)) {
    bench_report_ns(run, "alpha", ranks, 0, signature->alpha);
    bench_report(run, "beta", ranks, 0, bench_ns(run, signature->beta), "ns/byte");
  }
  return status;
}

/* Measure and fit the signature of NETWORK for its number of ranks. */
static int take_signature(const struct study *study, struct network *network) {
  struct bench_run *run = study->run;
  struct signature *signature = &network->signature;
  struct signature_point exchanges[SIZES_MAX];
  int status = measure_messages(run, network->ranks, &study->sizes, signature);
  for (size_t i = 0; i < study->sizes.n && status == 0; i++) {
    status = exchange_run(run, &network->fit[i], network->ranks, study->sizes.values[i]);
    exchanges[i] = (struct signature_point){study->sizes.values[i], network->fit[i].cycles};
  }
  if (status == 0 && bench_is_known(run)) {
    signature_fit(signature, exchanges, study->sizes.n, network->ranks);
    bench_report(run, "gamma", network->ranks, 0, signature->gamma, "ratio");
    bench_report_ns(run, "delta", network->ranks, 0, signature->delta);
    bench_report(run, "threshold", network->ranks, 0, (double)signature->threshold, "bytes");
  }
  return status;
}

/* --- on hosts ---
 *
 * Every point is the mean of several exchanges, with all messages at once. The exchanges of a point differ in
 * their seeds: random decisions of the network, random starts of the hosts.
 *
 * Rows: alpha, beta of one message; then for each number of ranks asked for
 *
 *   gamma, delta, threshold         of the means
 *   gamma-least, gamma-most         of the exchanges of one seed
 *   exchange-delta                  n - 1 times delta
 *   timeouts-from                   over TCP: the least size at which more than half of the exchanges have a
 *                                   retransmission timeout
 *   simulated, spread, error        for each size and other number of ranks: the mean; the longest over the
 *                                   shortest time; the error of the prediction
 *
 * source: Steffenel, Martinasso, Trystram 2007, sections 5 and 6. */

/* 256 B to 1 MiB. */
static const struct units_list usual_messages =
  UNITS_OF(1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18,
           1 << 19, 1 << 20);

enum { SEEDS = 10, LEAST_RANKS = 3, RANKS_MAX = 64 };

/* The exchanges of one number of ranks. */
struct host_points {
  unsigned ranks;
  double cycles[SEEDS][SIZES_MAX], mean[SIZES_MAX];
  unsigned with_timeouts[SIZES_MAX]; /* number of exchanges with timeouts */
};

struct host_study {
  struct bench_run *run;
  const struct platform *platform;
  struct units_list sizes;
  struct signature message; /* alpha and beta */
};

static int check_hosts(const struct host_study *study) {
  if (study->platform->node.count < 2) {
    return err_set(study->run->err, "signature: platform %s has one host, expected at least 2",
                   study->platform->name);
  }
  struct net *net = net_new(study->platform, 1, study->run->err);
  int status = net ? fabric_check_routes(net->fabric, NULL, study->run->err) : -1;
  net_free(net);
  return status;
}

/* Ask for all exchanges of POINTS for its number of ranks.
 * errors: as net_new. */
static int measure_hosts(const struct host_study *study, struct host_points *points) {
  for (size_t i = 0; i < study->sizes.n; i++) {
    points->mean[i] = 0;
    points->with_timeouts[i] = 0;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
      struct experiment experiment = {.call = {.nranks = points->ranks, .nbytes = study->sizes.values[i]},
                                      .numbers = {[MEASURE_COUNT] = 1 + seed}};
      struct result result;
      struct result_row row;
      double cycles = bench_part(study->run, MEASURE_EXCHANGE, experiment, &result);
      if (cycles < 0) {
        return -1;
      }
      if (!isnan(cycles)) {
        points->cycles[seed][i] = cycles;
        points->mean[i] += cycles / SEEDS;
        result_take(&result.rows, &row);
        points->with_timeouts[i] += result_take(&result.rows, &row) && row.value > 0;
      }
    }
  }
  return 0;
}

/* Count the use of the network in the first exchange of the largest size among RANKS ranks, for wanted
 * counters. */
static void count_exchange(const struct host_study *study, unsigned ranks) {
  struct net_exchange exchange = {.platform = study->platform,
                                  .ranks = ranks,
                                  .nbytes = study->sizes.values[study->sizes.n - 1],
                                  .seed = 1};
  struct net *net =
    study->run->counts && bench_is_known(study->run) ? net_new(study->platform, 1, study->run->err) : NULL;
  if (net) {
    bench_count(study->run, net);
    net_exchange_all(net, &exchange);
    bench_counted(study->run, net, ranks, exchange.nbytes);
    net_free(net);
  }
}

/* Fit gamma, delta and M to the times CYCLES of RANKS ranks. */
static struct signature fit(const struct host_study *study, const double cycles[], unsigned ranks) {
  struct signature signature = study->message;
  struct signature_point points[SIZES_MAX];
  for (size_t i = 0; i < study->sizes.n; i++) {
    points[i] = (struct signature_point){study->sizes.values[i], cycles[i]};
  }
  signature_fit(&signature, points, study->sizes.n, ranks);
  return signature;
}

/* Report the signature of POINTS.
 * returns: the signature. */
static struct signature report_fit(const struct host_study *study, const struct host_points *points) {
  unsigned n = points->ranks;
  struct signature signature = fit(study, points->mean, n);
  double least = INFINITY, most = 0;
  for (unsigned seed = 0; seed < SEEDS; seed++) {
    double gamma = fit(study, points->cycles[seed], n).gamma;
    least = fmin(least, gamma);
    most = fmax(most, gamma);
  }
  double delta_ns = bench_ns(study->run, signature.delta);
  bench_report(study->run, "gamma", n, 0, signature.gamma, "ratio");
  bench_report(study->run, "gamma-least", n, 0, least, "ratio");
  bench_report(study->run, "gamma-most", n, 0, most, "ratio");
  bench_report(study->run, "delta", n, 0, delta_ns * 1e-6, "ms");
  bench_report(study->run, "exchange-delta", n, 0, delta_ns * 1e-6 * (n - 1), "ms");
  bench_report(study->run, "threshold", n, 0, (double)signature.threshold, "bytes");
  return signature;
}

/* Report what SIGNATURE says of POINTS, under names that tell the number of ranks FROM which it was taken. */
static void report_points(const struct host_study *study, const struct host_points *points,
                          const struct signature *signature, unsigned from) {
  unsigned n = points->ranks;
  for (size_t i = 0; i < study->sizes.n; i++) {
    size_t nbytes = study->sizes.values[i];
    double mean = points->mean[i], least = INFINITY, most = 0;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
      least = fmin(least, points->cycles[seed][i]);
      most = fmax(most, points->cycles[seed][i]);
    }
    double predicted = signature_predict(signature, n, nbytes);
    bench_report_ns(study->run, "simulated", n, nbytes, mean);
    bench_report(study->run, "spread", n, nbytes, most / least, "ratio");
    bench_report(study->run, text_brief("error-of-%u", from), n, nbytes, 100 * (predicted - mean) / mean,
                 "percent");
  }
}

/* Take the signature of RANKS ranks and predict other numbers of ranks. */
static int study_ranks(const struct host_study *study, unsigned ranks) {
  static const unsigned others[] = {4, 8, 16, 24, 32, 40, 48, 64};
  unsigned most = study->platform->node.count * study->platform->node.processes;
  bool wormhole = strcmp(study->platform->network.transport, "wormhole") == 0;
  SCOPED struct host_points *points = xcalloc(1, sizeof *points);
  struct signature signature = {0};
  points->ranks = ranks;
  int status = measure_hosts(study, points);
  if (status == 0 && bench_is_known(study->run)) {
    signature = report_fit(study, points);
    size_t i = VEC_INDEX(points->with_timeouts, study->sizes.n, 2 * *item > SEEDS);
    if (i < study->sizes.n) {
      bench_report(study->run, "timeouts-from", ranks, 0, (double)study->sizes.values[i], "bytes");
    }
    report_points(study, points, &signature, ranks);
  }
  for (size_t i = 0; i < VEC_LENGTH(others) && !study->run->no_others && status == 0; i++) {
    points->ranks = others[i];
    if (others[i] != ranks && others[i] <= (wormhole ? 64 : 40) && others[i] <= most) {
      status = measure_hosts(study, points);
      if (status == 0 && bench_is_known(study->run)) {
        report_points(study, points, &signature, ranks);
      }
    }
  }
  return status;
}

/* Choose the numbers of ranks to take signatures with: the given numbers, or 24 and 40 if the hosts have so
 * many processes.
 * returns: the count of numbers; 0 after an error. */
static size_t choose_ranks(const struct host_study *study, unsigned ranks[RANKS_MAX]) {
  static const unsigned usual[] = {24, 40};
  const struct units_list *asked = study->run->ranks;
  unsigned most = study->platform->node.count * study->platform->node.processes;
  size_t n = 0;
  for (size_t i = 0; asked && i < asked->n && i < RANKS_MAX; i++) {
    unsigned count = placement_ranks(asked->values[i], study->platform);
    if (count < LEAST_RANKS || count > most) {
      err_set(study->run->err, "signature: %u ranks on %s, expected %d to %u", count, study->platform->name,
              LEAST_RANKS, most);
      return 0;
    }
    ranks[n++] = count;
  }
  for (size_t i = 0; (!asked || !asked->n) && i < VEC_LENGTH(usual); i++) {
    if (i == 0 || usual[i] <= most) {
      ranks[n++] = MIN(usual[i], most);
    }
  }
  return n;
}

/* Take the signatures of the network of RUN's platform for the numbers of ranks asked for, and predict
 * others.
 * errors: as fabric_new; more ranks than the hosts have processes; too few sizes. */
static int run_on_hosts(struct bench_run *run) {
  struct host_study study = {.run = run, .platform = machine_platform(run->machine)};
  unsigned ranks[RANKS_MAX];
  size_t n = choose_ranks(&study, ranks);
  if (n == 0 || choose_sizes(run, &usual_messages, &study.sizes) != 0 || check_hosts(&study) != 0 ||
      measure_messages(run, 2, &study.sizes, &study.message) != 0) {
    return -1;
  }
  int status = 0;
  for (size_t i = 0; i < n && status == 0; i++) {
    status = study_ranks(&study, ranks[i]);
  }
  count_exchange(&study, ranks[n - 1]);
  return status;
}

/* --- the benchmark --- */

static int run(struct bench_run *run) {
  const struct platform *platform = machine_platform(run->machine);
  if (!platform_has_spes(platform)) {
    return run_on_hosts(run);
  }
  if (run->counts) {
    return err_set(run->err, "signature: --counters on platform %s, expected a platform of hosts",
                   platform->name);
  }
  struct study study = {.run = run, .chip.ranks = platform->spes_per_chip, .machine.ranks = platform->nspes};
  bool one_chip = study.chip.ranks == study.machine.ranks;
  if (choose_own_sizes(&study) != 0 || take_signature(&study, &study.chip) != 0 ||
      (!one_chip && take_signature(&study, &study.machine) != 0)) {
    return -1;
  }
  for (unsigned ranks = 2; ranks <= study.machine.ranks; ranks++) {
    for (size_t i = 0; i < study.sizes.n; i++) {
      if (compare(&study, ranks, i) != 0) {
        return -1;
      }
    }
  }
  report_errors(run, &study.chip);
  if (!one_chip) {
    report_errors(run, &study.machine);
  }
  return 0;
}

const struct bench bench_signature = {
  .name = "signature",
  .source = "ali2010",
  .doc = "contention signatures of complete exchanges and their predictions for other numbers of ranks",
  .least_spes = 2,
  .of_hosts = true,
  .counts_network = true,
  .in_parts = true,
  .run = run,
};
