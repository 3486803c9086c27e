/* SPDX-License-Identifier: BSD-3-Clause
 * Main memory seen by SPEs: latency of one DMA, bandwidth of one SPE and of all SPEs of a chip together, in
 * the memory of the SPEs' own chip; on several chips also the bandwidth of one SPE in the memory of the next
 * chip; and the bandwidth of one SPE's copy from memory to memory through two buffers.
 * source: Velamati et al. 2007, section 2; cellmark (public measurements on a PS3, 2026). */
#include "sim/base/vec.h"
#include "validate/bench/bench.h"
#include "validate/bench/stream.h"
#include "validate/lab/rig/rig.h"

#include <math.h>

enum { COPY_BYTES = 1 << 20 };

struct memory_case {
  const char *parameter;
  unsigned nspes; /* number of SPEs of chip 0 */
  unsigned chip;  /* chip with the memory */
  bool put;
  bool latency; /* measure the latency of a single DMA, in cycles; else bandwidth */
};

/* Measure CASE with DMAs of NBYTES and report the result.
 * errors: the memory is too small for the buffers. */
static int report(struct bench_run *run, const struct memory_case *measure, size_t nbytes) {
  SCOPED struct stream *streams = xcalloc(measure->nspes, sizeof *streams);
  for (unsigned i = 0; i < measure->nspes; i++) {
    streams[i] = (struct stream){.label = measure->parameter,
                                 .rank = i,
                                 .other = PATTERN_MEMORY,
                                 .chip = measure->chip,
                                 .put = measure->put,
                                 .nbytes = (uint32_t)nbytes,
                                 .depth = measure->latency ? 1 : stream_depth(run->machine, nbytes),
                                 .count = measure->latency ? 1 : stream_count(nbytes)};
  }
  double rate = stream_run(run, streams, measure->nspes);
  if (!isnan(rate)) {
    double cycles = (double)(streams[0].ended - streams[0].started);
    bench_report(run, .parameter = measure->parameter, .ranks = measure->nspes, .bytes = nbytes,
                 .value = measure->latency ? cycles : rate, .unit = measure->latency ? "cycles" : "GB/s");
  }
  return isnan(rate) ? -1 : 0;
}

static int run(struct bench_run *run) {
  const struct units_list *sizes = run->bytes;
  unsigned all = machine_platform(run->machine)->spes_per_chip, next = rig_next_chip(run->machine);
  const struct memory_case cases[] = {{"get-latency", 1, 0, false, true},
                                      {"put-latency", 1, 0, true, true},
                                      {"get", 1, 0, false, false},
                                      {"put", 1, 0, true, false},
                                      {"get", all, 0, false, false},
                                      {"put", all, 0, true, false},
                                      {"get-next-chip", 1, next, false, false},
                                      {"put-next-chip", 1, next, true, false}};
  size_t ncases = VEC_LENGTH(cases) - (next ? 0 : 2);
  VEC_EACH(test, cases, ncases) {
    VEC_EACH(size, sizes->values, sizes->n) {
      if (report(run, test, *size) != 0) {
        return -1;
      }
    }
  }
  for (size_t j = 0; j < sizes->n; j++) {
    size_t size = sizes->values[j], nbytes = (COPY_BYTES + size - 1) / size * size; /* in whole buffers */
    struct memory_copy copy = {.nbytes = nbytes, .buffer = size, .nbuffers = 2};
    double cycles = memory_copy_time(run->machine, run->profile, &copy, run->err);
    if (isnan(cycles)) {
      return -1;
    }
    bench_report(run, "copy", 1, size, bench_gigabytes(run, (double)nbytes, cycles), "GB/s");
  }
  return 0;
}

const struct bench bench_memory = {
  .name = "memory",
  .source = "velamati2007",
  .doc = "main memory: latency of a DMA, bandwidth of one and of all SPEs of a chip, copies",
  .sizes = &(const struct units_list)UNITS_OF(128, 256, 1024, 4096, 16384),
  .check = bench_check_dma_sizes,
  .run = run,
};
