/* SPDX-License-Identifier: BSD-3-Clause
 * Several concurrent streams between any units: the patterns of traffic on the rings, and their bandwidth. By
 * default SPEs of chip 0 that are neighbours on the ring form pairs, and the first SPE of a pair reads from
 * the second.
 * source: cellmark (public measurements on a PS3, 2026), with measurements of such patterns. */
#include "platform/parameters.h"
#include "sim/base/err.h"
#include "sim/base/vec.h"
#include "validate/bench/bench.h"
#include "validate/bench/stream.h"
#include "validate/lab/rig/rig.h"

#include <math.h>

enum { TAGS = 32, DMA_BYTES = 16384, TOTAL_BYTES = 1 << 20 };

/* Pair the SPEs of chip 0 in ring order. */
static void pair_neighbours(const struct blade *blade, struct pattern *pattern) {
  unsigned left = 0, have = 0;
  for (unsigned unit = 0; unit < blade_parameters(blade)->ring.nunits; unit++) {
    for (unsigned spe = 0; spe < blade_spes_per_chip(blade); spe++) {
      if (blade_unit_of(blade, spe) == unit && have++ % 2 == 0) {
        left = spe;
      } else if (blade_unit_of(blade, spe) == unit) {
        pattern_add(pattern, (struct pattern_stream){.rank = left, .other = spe});
      }
    }
  }
}

/* Return the largest number of streams of one rank of PATTERN. */
static unsigned most_of_a_rank(const struct pattern *pattern) {
  unsigned most = 1;
  VEC_EACH(stream, pattern->streams, pattern->n) {
    unsigned n = 0;
    VEC_EACH(other, pattern->streams, pattern->n) {
      n += other->rank == stream->rank;
    }
    RAISE(most, n);
  }
  return most;
}

/* Return the depth of each stream of PATTERN with DMAs of NBYTES: the depth asked for, or the maximum for a
 * queue of 16, the tags and the local store.
 * errors: 0: more DMAs under way than tags or room. */
static unsigned choose_depth(const struct bench_run *run, const struct pattern *pattern, size_t nbytes) {
  unsigned nstreams = most_of_a_rank(pattern), tags = TAGS / nstreams, wanted = run->depth;
  const struct platform *platform = machine_platform(run->machine);
  size_t room = rig_room(platform, platform->nspes), places = room / nbytes / nstreams;
  unsigned most = places < tags ? (unsigned)places : tags;
  if (most == 0 || wanted > most) {
    err_set(run->err,
            "%u DMAs of %zu bytes under way in each of %u streams of a rank, expected at most %u: there "
            "are %d tags and %zu bytes of local store",
            wanted ? wanted : 1, nbytes, nstreams, most, TAGS, room);
    return 0;
  }
  return wanted ? wanted : MIN(most, STREAM_DEPTH);
}

/* Measure PATTERN with COUNT DMAs of NBYTES in each stream, DEPTH of them under way, and report each stream
 * and all together. */
static int measure_streams(struct bench_run *run, const struct pattern *pattern, size_t nbytes,
                           unsigned depth, unsigned count) {
  const struct blade *blade = machine_blade(run->machine, 0);
  SCOPED struct stream *streams = xcalloc(pattern->n, sizeof *streams);
  for (size_t i = 0; i < pattern->n; i++) {
    const struct pattern_stream *from = &pattern->streams[i];
    streams[i] = (struct stream){.label = from->label,
                                 .rank = from->rank,
                                 .other = from->other,
                                 .chip = blade_data_chip(blade, from->rank),
                                 .put = from->put,
                                 .nbytes = (uint32_t)nbytes,
                                 .depth = depth,
                                 .count = count};
  }
  double total = stream_run(run, streams, pattern->n);
  if (isnan(total)) {
    return -1;
  }
  VEC_EACH(stream, streams, pattern->n) {
    unsigned ends = stream->other == PATTERN_MEMORY ? 1 : 2;
    bench_report(run, stream->label, ends, nbytes, stream_rate(run, stream, 1), "GB/s");
  }
  unsigned ranks = 0; /* with a stream */
  for (unsigned rank = 0; rank < blade_nspes(blade); rank++) {
    ranks += VEC_FIND(pattern->streams, pattern->n, item->rank == rank || item->other == rank) != NULL;
  }
  bench_report(run, "total", ranks, nbytes, total, "GB/s");
  return 0;
}

/* Measure PATTERN with DMAs of all sizes.
 * errors: a stream with a rank that does not exist. */
static int measure_sizes(struct bench_run *run, const struct pattern *pattern) {
  uint64_t total = run->total ? run->total : TOTAL_BYTES;
  const struct platform *platform = machine_platform(run->machine);
  unsigned nspes = platform->nspes;
  const struct pattern_stream *bad =
    VEC_FIND(pattern->streams, pattern->n,
             item->rank >= nspes || (item->other >= nspes && item->other != PATTERN_MEMORY));
  if (bad) {
    return err_set(run->err, "stream %s on platform %s, expected ranks 0 to %u", bad->label, platform->name,
                   nspes - 1);
  }
  VEC_EACH(size, run->bytes->values, run->bytes->n) {
    unsigned depth = choose_depth(run, pattern, *size);
    if (!depth || measure_streams(run, pattern, *size, depth, (unsigned)((total + *size - 1) / *size)) != 0) {
      return -1;
    }
  }
  return 0;
}

static int run(struct bench_run *run) {
  if (run->pattern && run->pattern->n) {
    return measure_sizes(run, run->pattern);
  }
  struct pattern pattern = {0};
  pair_neighbours(machine_blade(run->machine, 0), &pattern);
  int status =
    pattern.n
      ? measure_sizes(run, &pattern)
      : err_set(run->err, "eib-pattern: platform %s has one SPE on each chip, expected two, or --streams",
                machine_platform(run->machine)->name);
  pattern_fini(&pattern);
  return status;
}

const struct bench bench_eib_pattern = {
  .name = "eib-pattern",
  .source = "velamati2007",
  .doc = "streams at once between any local stores and memories; see --streams",
  .sizes = &(const struct units_list)UNITS_OF(DMA_BYTES),
  .check = bench_check_dma_sizes,
  .run = run,
};
