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
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/xalloc.h"
#include "sim/node/machine.h"
#include "sim/net/fabric.h"
#include "sim/net/net.h"
#include "validate/bench/bench.h"
#include "validate/lab/placement.h"
#include "validate/model/measured/net_exchange.h"
#include "validate/model/measured/signature.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 256 B to 1 MiB. */
static const struct units_list usual_messages = {
  .values = (uint64_t[]){1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16,
                         1 << 17, 1 << 18, 1 << 19, 1 << 20},
  .n = 13};

enum { SIZES_MAX = SIGNATURE_SIZES_MAX, SEEDS = 10, LEAST_RANKS = 3, RANKS_MAX = 64 };

/* The exchanges of one number of ranks. */
struct points {
  unsigned ranks;
  double cycles[SEEDS][SIZES_MAX], mean[SIZES_MAX];
  /* the first exchange of the largest size reports the use of the network */
  bool counted;
  unsigned with_timeouts[SIZES_MAX]; /* number of exchanges with timeouts */
};

struct study {
  struct bench_run *run;
  const struct platform *platform;
  struct units_list sizes;
  struct net *nets[SEEDS];
  struct signature message; /* alpha and beta */
};

static int make_nets(struct study *study) {
  if (study->platform->node.count < 2) {
    return err_set(study->run->err, "signature: platform %s has one host, expected at least 2",
                   study->platform->name);
  }
  for (unsigned seed = 0; seed < SEEDS; seed++) {
    study->nets[seed] = net_new(study->platform, 1 + seed, study->run->err);
    if (!study->nets[seed]) {
      return -1;
    }
  }
  return fabric_check_routes(study->nets[0]->fabric, NULL, study->run->err);
}

/* Measure single messages, from the first host to the next one. */
static void measure_message(struct study *study) {
  struct signature_point points[SIZES_MAX];
  for (size_t i = 0; i < study->sizes.n; i++) {
    points[i] = (struct signature_point){
      study->sizes.values[i], (double)net_exchange_one(study->nets[0], study->sizes.values[i], 0, 1)};
  }
  signature_fit_message(&study->message, points, study->sizes.n);
  bench_report_ns(study->run, (struct bench_row){"alpha", 2, 0, study->message.alpha, "cycles"});
  bench_report(study->run,
               (struct bench_row){"beta", 2, 0, bench_ns(study->run, study->message.beta), "ns/byte"});
}

/* Run all exchanges of POINTS for its number of ranks. */
static int measure_hosts(const struct study *study, struct points *points) {
  for (size_t i = 0; i < study->sizes.n; i++) {
    points->mean[i] = 0;
    points->with_timeouts[i] = 0;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
      uint64_t ntimeouts;
      struct net_exchange exchange = {.platform = study->platform,
                                      .ranks = points->ranks,
                                      .nbytes = study->sizes.values[i],
                                      .seed = 1 + seed,
                                      .ntimeouts = &ntimeouts};
      bool counted = points->counted && i + 1 == study->sizes.n && seed == 0;
      if (counted) {
        bench_count(study->run, study->nets[seed]);
      }
      points->cycles[seed][i] = (double)net_exchange_all(study->nets[seed], &exchange);
      if (counted) {
        bench_counted(study->run, study->nets[seed], points->ranks, study->sizes.values[i]);
      }
      points->mean[i] += points->cycles[seed][i] / SEEDS;
      points->with_timeouts[i] += ntimeouts > 0;
      if (des_interrupted()) {
        return err_set(study->run->err, "signature: interrupted");
      }
    }
  }
  return 0;
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
static void report_timeouts(const struct study *study, const struct points *points) {
  size_t i = 0;
  while (i < study->sizes.n && 2 * points->with_timeouts[i] <= SEEDS) {
    i++;
  }
  if (i < study->sizes.n) {
    bench_report(study->run, (struct bench_row){"timeouts-from", points->ranks, 0,
                                                (double)study->sizes.values[i], "bytes"});
  }
}

/* Report the signature of POINTS.
 * returns: the signature. */
static struct signature report_fit(const struct study *study, const struct points *points) {
  unsigned n = points->ranks;
  struct signature signature = fit(study, points->mean, n);
  double least = INFINITY, most = 0;
  for (unsigned seed = 0; seed < SEEDS; seed++) {
    double gamma = fit(study, points->cycles[seed], n).gamma;
    least = fmin(least, gamma);
    most = fmax(most, gamma);
  }
  double delta_ns = bench_ns(study->run, signature.delta);
  const struct bench_row rows[] = {
    {"gamma", n, 0, signature.gamma, "ratio"},
    {"gamma-least", n, 0, least, "ratio"},
    {"gamma-most", n, 0, most, "ratio"},
    {"delta", n, 0, delta_ns * 1e-6, "ms"},
    {"exchange-delta", n, 0, delta_ns * 1e-6 * (n - 1), "ms"},
    {"threshold", n, 0, (double)signature.threshold, "bytes"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bench_report(study->run, rows[i]);
  }
  return signature;
}

/* Report what SIGNATURE says of POINTS, under names that tell the number of ranks FROM which it was taken. */
static void report_points(const struct study *study, const struct points *points,
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
    bench_report_ns(study->run, (struct bench_row){"simulated", n, nbytes, mean, "cycles"});
    bench_report(study->run, (struct bench_row){"spread", n, nbytes, most / least, "ratio"});
    bench_report(study->run,
                 (struct bench_row){error, n, nbytes, 100 * (predicted - mean) / mean, "percent"});
  }
}

/* Take the signature of RANKS ranks and predict other numbers of ranks. */
static int study_ranks(const struct study *study, unsigned ranks) {
  static const unsigned others[] = {4, 8, 16, 24, 32, 40, 48, 64};
  unsigned most = study->platform->node.count * study->platform->node.processes;
  bool wormhole = strcmp(study->platform->network.transport, "wormhole") == 0;
  struct points *points = xcalloc(1, sizeof *points);
  points->ranks = ranks;
  points->counted = true;
  int status = measure_hosts(study, points);
  points->counted = false;
  struct signature signature = {0};
  if (status == 0) {
    signature = report_fit(study, points);
    report_timeouts(study, points);
    report_points(study, points, &signature, ranks);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others && status == 0; i++) {
    points->ranks = others[i];
    if (!study->run->no_others && others[i] != ranks && others[i] <= (wormhole ? 64 : 40) &&
        others[i] <= most) {
      status = measure_hosts(study, points);
      report_points(study, points, &signature, ranks);
    }
  }
  free(points);
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
  int status =
    n == 0 || signature_choose_sizes(run, &usual_messages, &study.sizes) || make_nets(&study) ? -1 : 0;
  if (status == 0) {
    measure_message(&study);
  }
  for (size_t i = 0; i < n && status == 0; i++) {
    status = study_ranks(&study, ranks[i]);
  }
  for (unsigned seed = 0; seed < SEEDS; seed++) {
    net_free(study.nets[seed]);
  }
  return status;
}
