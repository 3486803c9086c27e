/* SPDX-License-Identifier: BSD-3-Clause
 * Bandwidth of streams of DMAs between local stores, with the queue of the MFC kept full: one pair on a chip
 * and across chips, and several SPEs that read from one; `peak-from` is the smallest of several sizes of DMAs
 * with which one pair has almost its largest rate.
 * source: Velamati et al. 2007, section 2; cellmark (public measurements on a PS3, 2026). */
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"
#include "validate/bench/bench.h"
#include "validate/bench/stream.h"
#include "validate/lab/rig/rig.h"

/* SPEs first .. end - 1, each with a stream to or from SPE 0. */
struct readers {
  const char *parameter;
  unsigned first, end;
  bool put;
};

/* Measure READERS with DMAs of NBYTES and report the total rate.
 * returns: the rate in GB/s. */
static double report(struct bench_run *run, const struct readers *readers, size_t nbytes) {
  unsigned count = readers->end - readers->first;
  SCOPED struct stream *streams = xcalloc(count, sizeof *streams);
  for (unsigned i = 0; i < count; i++) {
    streams[i] = (struct stream){.rank = readers->first + i,
                                 .put = readers->put,
                                 .nbytes = (uint32_t)nbytes,
                                 .depth = stream_depth(run->machine, nbytes),
                                 .count = stream_count(nbytes)};
  }
  double total = stream_run(run, streams, count);
  bench_report(run, readers->parameter, count + 1, nbytes, total, "GB/s");
  return total;
}

/* Report the smallest of SIZES with almost the largest of RATES. */
static void report_peak(struct bench_run *run, const struct units_list *sizes, const double *rates) {
  const double almost = 1.15; /* as in findings, validate/papers/findings.c */
  double most = 0;
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < sizes->n; i++) {
    RAISE(most, rates[i]);
  }
  for (size_t i = 0; i < sizes->n; i++) {
    bool almost_most = almost * rates[i] >= most;
    least = almost_most && sizes->values[i] < least ? sizes->values[i] : least;
  }
  bench_report(run, "peak-from", 2, 0, (double)least, "bytes");
}

static int run(struct bench_run *run) {
  const struct units_list *sizes = run->bytes;
  unsigned chip = machine_platform(run->machine)->spes_per_chip, next = rig_next_chip(run->machine) * chip;
  SCOPED double *rates = xcalloc(sizes->n, sizeof *rates);
  for (size_t i = 0; i < sizes->n && chip > 1; i++) {
    size_t nbytes = sizes->values[i];
    report(run, &(struct readers){"put-same-chip", 1, 2, true}, nbytes);
    rates[i] = report(run, &(struct readers){"get-same-chip", 1, 2, false}, nbytes);
    for (unsigned end = 3; end <= chip; end++) {
      report(run, &(struct readers){"get-same-chip-readers", 1, end, false}, nbytes);
    }
    if (next) {
      report(run, &(struct readers){"get-across", next, next + 1, false}, nbytes);
      report(run, &(struct readers){"put-across", next, next + 1, true}, nbytes);
    }
  }
  if (sizes->n > 1 && chip > 1) {
    report_peak(run, sizes, rates);
  }
  return 0;
}

const struct bench bench_dma_bandwidth = {
  .name = "dma-bandwidth",
  .source = "velamati2007",
  .doc = "streams of DMAs between local stores: one pair and several readers of one",
  .least_spes = 2,
  .sizes = &(const struct units_list)UNITS_OF(128, 256, 512, 1024, 16384),
  .check = bench_check_dma_sizes,
  .run = run,
};
