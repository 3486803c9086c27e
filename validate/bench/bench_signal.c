/* SPDX-License-Identifier: BSD-3-Clause
 * Round trip of a signal between two SPEs.
 * source: Gaona, Fernandez, Acacio 2009, section 4.1. */
#include "platform/platform.h"
#include "sim/node/machine.h"
#include "validate/bench/bench.h"
#include "validate/lab/rig/rig.h"

static int run(struct bench_run *run) {
  static const struct profile bare = {0};
  struct pingpong pingpong = {.machine = run->machine, .profile = &bare, .kind = PINGPONG_SIGNAL};
  double cycles = pingpong_mean(&pingpong, false);
  bench_report_ns(run, "round-trip-same-chip", 2, 4, cycles);
  if (machine_platform(run->machine)->blade.chips > 1) {
    cycles = pingpong_mean(&pingpong, true);
    bench_report_ns(run, "round-trip-across", 2, 4, cycles);
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
