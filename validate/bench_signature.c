/* SPDX-License-Identifier: BSD-3-Clause
 * The contention signature of the machine for complete exchanges, and how well it predicts those of fewer ranks than it
 * was taken with: all SPEs, all messages started at once.
 *
 * Rows: alpha, beta, gamma, delta and the threshold M; then for each number of ranks and size the simulated and the predicted
 * time and the error of the prediction in percent of the simulated time.
 * source: Steffenel, Martinasso, Trystram 2007, sections 5 and 6. */
#include "validate/signature.h"

#include "sim/base/err.h"
#include "sim/hw/blade.h"
#include "validate/bench.h"
#include "validate/rig.h"

enum { SIZES_MAX = 32, LEAST_SIZES = 4, STEPS = 8 };

static const char all_at_once[] = "alltoall:direct:ports=15";

static void
report_signature(struct bench_run *run, const struct signature *signature)
{
  unsigned n = run->blade->nspes;
  const struct bench_row rows[] = {
    {"alpha", 2, 0, bench_ns(run, signature->alpha), "ns"},
    {"beta", 2, 0, bench_ns(run, signature->beta), "ns/byte"},
    {"gamma", n, 0, signature->gamma, "ratio"},
    {"delta", n, 0, bench_ns(run, signature->delta), "ns"},
    {"threshold", n, 0, (double)signature->threshold, "bytes"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bench_report(run, rows[i]);
  }
}

/* Predict the exchange of RANKS ranks and compare. */
static int
report_prediction(struct bench_run *run, const struct signature *signature, unsigned ranks, size_t nbytes)
{
  double simulated = bench_call(run, all_at_once, ranks, nbytes),
         predicted = signature_predict(signature, ranks, nbytes);
  if (simulated < 0) {
    return -1;
  }
  bench_report(run, (struct bench_row){"simulated", ranks, nbytes, bench_ns(run, simulated), "ns"});
  bench_report(run, (struct bench_row){"predicted", ranks, nbytes, bench_ns(run, predicted), "ns"});
  double error = 100 * (predicted - simulated) / simulated;
  bench_report(run, (struct bench_row){"error", ranks, nbytes, error, "percent"});
  return 0;
}

/* Write the sizes to measure into SIZES: those asked for, or doubling as long as all blocks of all ranks fit.
 * returns: their number. */
static size_t
choose_sizes(const struct bench_run *run, uint64_t sizes[SIZES_MAX])
{
  size_t room = rig_room(run->blade, run->blade->nspes) / 2 / run->blade->nspes, n = 0;
  if (run->bytes && run->bytes->n) {
    for (; n < run->bytes->n && n < SIZES_MAX; n++) {
      sizes[n] = run->bytes->values[n];
    }
    return n;
  }
  for (size_t nbytes = 64; nbytes <= room && n < SIZES_MAX; nbytes *= 2) {
    sizes[n++] = nbytes;
  }
  return n;
}

/* Measure and fit SIGNATURE with COUNT SIZES. */
static int
take_signature(const struct bench_run *run, struct signature *signature, const uint64_t *sizes, size_t count)
{
  struct signature_point messages[SIZES_MAX], exchanges[SIZES_MAX];
  for (size_t i = 0; i < count; i++) {
    messages[i] = (struct signature_point){sizes[i], bench_message(run, run->blade->nspes, sizes[i])};
    exchanges[i] =
      (struct signature_point){sizes[i], bench_call(run, all_at_once, run->blade->nspes, sizes[i])};
    if (exchanges[i].cycles < 0) {
      return -1;
    }
  }
  signature_fit_message(signature, messages, count);
  signature_fit(signature, exchanges, count, run->blade->nspes);
  return 0;
}

static int
run(struct bench_run *run)
{
  uint64_t sizes[SIZES_MAX];
  size_t count = choose_sizes(run, sizes);
  struct signature signature;
  if (count < LEAST_SIZES) {
    return err_set(run->err, "signature: %zu sizes, expected at least %d", count, LEAST_SIZES);
  }
  if (take_signature(run, &signature, sizes, count) != 0) {
    return -1;
  }
  report_signature(run, &signature);
  unsigned n = run->blade->nspes, step = (n + STEPS - 1) / STEPS;
  for (unsigned ranks = n; ranks >= 2; ranks -= step < ranks ? step : ranks) {
    for (size_t i = 0; i < count; i++) {
      if (report_prediction(run, &signature, ranks, sizes[i]) != 0) {
        return -1;
      }
    }
  }
  return 0;
}

const struct bench bench_signature = {
  .name = "signature",
  .source = "ali2010",
  .doc = "contention signature of complete exchanges and its predictions for fewer ranks",
  .least_spes = 2,
  .least_chips = 1,
  .run = run,
};
