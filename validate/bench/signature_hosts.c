/* SPDX-License-Identifier: BSD-3-Clause
 * The benchmark signature on hosts. Every point is the mean of several exchanges, with all messages at
 * once. The exchanges of a point differ in their seeds: random decisions of the network, random starts of
 * the hosts.
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
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "sim/node/machine.h"
#include "sim/net/fabric.h"
#include "sim/net/net.h"
#include "validate/bench/bench.h"
#include "validate/lab/call/placement.h"
#include "validate/model/measured/net_exchange.h"
#include "validate/model/measured/signature.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 256 B to 1 MiB. */
static const struct units_list usual_messages =
  UNITS_OF(1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18,
           1 << 19, 1 << 20);

enum { SIZES_MAX = SIGNATURE_SIZES_MAX, SEEDS = 10, LEAST_RANKS = 3, RANKS_MAX = 64 };

/* The exchanges of one number of ranks. */
struct host_points {
  unsigned ranks;
  double cycles[SEEDS][SIZES_MAX], mean[SIZES_MAX];
  unsigned with_timeouts[SIZES_MAX]; /* number of exchanges with timeouts */
};

struct study {
  struct bench_run *run;
  const struct platform *platform;
  struct units_list sizes;
  struct signature message; /* alpha and beta */
};

static int check_hosts(const struct study *study) {
  if (study->platform->node.count < 2) {
    return err_set(study->run->err, "signature: platform %s has one host, expected at least 2",
                   study->platform->name);
  }
  struct net *net = net_new(study->platform, 1, study->run->err);
  int status = net ? fabric_check_routes(net->fabric, NULL, study->run->err) : -1;
  net_free(net);
  return status;
}

/* Measure single messages. */
static int measure_messages(struct study *study) {
  struct signature_point points[SIZES_MAX];
  for (size_t i = 0; i < study->sizes.n; i++) {
    size_t nbytes = study->sizes.values[i];
    points[i] = (struct signature_point){nbytes, bench_message(study->run, 2, nbytes, 0)};
    if (points[i].cycles < 0) {
      return -1;
    }
  }
  if (bench_is_known(study->run)) {
    signature_fit_message(&study->message, points, study->sizes.n);
    bench_report_ns(study->run, "alpha", 2, 0, study->message.alpha);
    bench_report(study->run, "beta", 2, 0, bench_ns(study->run, study->message.beta), "ns/byte");
  }
  return 0;
}

/* Ask for all exchanges of POINTS for its number of ranks.
 * errors: as net_new. */
static int measure_hosts(const struct study *study, struct host_points *points) {
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
static void count_exchange(const struct study *study, unsigned ranks) {
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
static struct signature fit(const struct study *study, const double cycles[], unsigned ranks) {
  struct signature signature = study->message;
  struct signature_point points[SIZES_MAX];
  for (size_t i = 0; i < study->sizes.n; i++) {
    points[i] = (struct signature_point){study->sizes.values[i], cycles[i]};
  }
  signature_fit(&signature, points, study->sizes.n, ranks);
  return signature;
}

/* Report the least size at which exchanges of POINTS have timeouts, if there is such a size. */
static void report_timeouts(const struct study *study, const struct host_points *points) {
  size_t i = VEC_INDEX(points->with_timeouts, study->sizes.n, 2 * *item > SEEDS);
  if (i < study->sizes.n) {
    bench_report(study->run, "timeouts-from", points->ranks, 0, (double)study->sizes.values[i], "bytes");
  }
}

/* Report the signature of POINTS.
 * returns: the signature. */
static struct signature report_fit(const struct study *study, const struct host_points *points) {
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
static void report_points(const struct study *study, const struct host_points *points,
                          const struct signature *signature, unsigned from) {
  char error[32];
  unsigned n = points->ranks;
  snprintf(error, sizeof error, "error-of-%u", from);
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
    bench_report(study->run, error, n, nbytes, 100 * (predicted - mean) / mean, "percent");
  }
}

/* Take the signature of RANKS ranks and predict other numbers of ranks. */
static int study_ranks(const struct study *study, unsigned ranks) {
  static const unsigned others[] = {4, 8, 16, 24, 32, 40, 48, 64};
  unsigned most = study->platform->node.count * study->platform->node.processes;
  bool wormhole = strcmp(study->platform->network.transport, "wormhole") == 0;
  SCOPED struct host_points *points = xcalloc(1, sizeof *points);
  struct signature signature = {0};
  points->ranks = ranks;
  int status = measure_hosts(study, points);
  if (status == 0 && bench_is_known(study->run)) {
    signature = report_fit(study, points);
    report_timeouts(study, points);
    report_points(study, points, &signature, ranks);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others && !study->run->no_others && status == 0; i++) {
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
static size_t choose_ranks(const struct study *study, unsigned ranks[RANKS_MAX]) {
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
  for (size_t i = 0; (!asked || !asked->n) && i < sizeof usual / sizeof *usual; i++) {
    if (i == 0 || usual[i] <= most) {
      ranks[n++] = usual[i] < most ? usual[i] : most;
    }
  }
  return n;
}

int signature_hosts_run(struct bench_run *run) {
  struct study study = {.run = run, .platform = machine_platform(run->machine)};
  unsigned ranks[RANKS_MAX];
  size_t n = choose_ranks(&study, ranks);
  if (n == 0 || signature_choose_sizes(run, &usual_messages, &study.sizes) != 0 || check_hosts(&study) != 0 ||
      measure_messages(&study) != 0) {
    return -1;
  }
  int status = 0;
  for (size_t i = 0; i < n && status == 0; i++) {
    status = study_ranks(&study, ranks[i]);
  }
  count_exchange(&study, ranks[n - 1]);
  return status;
}
