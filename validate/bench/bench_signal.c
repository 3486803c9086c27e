/* SPDX-License-Identifier: BSD-3-Clause
 * Round trip of a signal between two SPEs.
 * source: Gaona, Fernandez, Acacio 2009, section 4.1. */
#include "platform/platform.h"
#include "sim/node/machine.h"
#include "validate/bench/bench.h"
#include "validate/lab/rig/rig.h"

static int run(struct bench_run *run) {
  static const struct profile bare = {0};
  struct rig_pair pair = rig_pingpong(PINGPONG_SIGNAL, 0, &bare);
  bench_report_ns(run, "round-trip-same-chip", 2, 4, rig_mean_of_pairs(run->machine, pair, false));
  if (machine_platform(run->machine)->blade.chips > 1) {
    bench_report_ns(run, "round-trip-across", 2, 4, rig_mean_of_pairs(run->machine, pair, true));
  }
  return 0;
}

const struct bench bench_signal = {
  .name = "signal",
  .source = "gaona2009",
  .doc = "round trip of a signal between two SPEs on a chip and across chips",
  .least_spes = 2,
  .run = run,
};
