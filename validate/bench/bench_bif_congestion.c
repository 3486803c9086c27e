/* SPDX-License-Identifier: BSD-3-Clause
 * Congestion of the link between two chips: time of a get while n messages cross it (n / 2 pairs, both ways),
 * and how much more that is than with n = 2. The column `ranks` is n.
 *   time, increase               gets in loops, as the paper measured: the mean of a steady state
 *   burst-time, burst-increase   one get each, all of which start in one cycle
 * source: Ali, Midkiff, Pai 2010, sections 3.3 and 7.1, figure 8. */
#include "sim/node/machine.h"
#include "validate/bench/bench.h"
#include "validate/lab/call/usual_ranks.h"
#include "validate/model/measured/plogp.h"

/* Report the time of N messages of M bytes for PARAMETER, and the increase over two messages. */
static void report(struct bench_run *run, enum cost_parameter parameter, size_t m, unsigned n) {
  bool burst = parameter == COST_BURST_C;
  struct plogp plogp;
  plogp_init(&plogp, run->machine, run->profile);
  double time = plogp_crossing_time(&plogp, parameter, m, n);
  double increase = 100 * (time / plogp_crossing_time(&plogp, parameter, m, 2) - 1);
  bench_report_ns(run, burst ? "burst-time" : "time", n, m, time);
  bench_report(run, burst ? "burst-increase" : "increase", n, m, increase, "percent");
  plogp_fini(&plogp);
}

static int run(struct bench_run *run) {
  unsigned most = 2 * machine_platform(run->machine)->spes_per_chip;
  for (size_t i = 0; i < run->bytes->n; i++) {
    for (unsigned n = 2; n <= most; n += 2) {
      report(run, COST_C, run->bytes->values[i], n);
      report(run, COST_BURST_C, run->bytes->values[i], n);
    }
  }
  return 0;
}

const struct bench bench_bif_congestion = {
  .name = "bif-congestion",
  .source = "ali2010",
  .doc = "time of a get while n messages cross between two chips, in loops and in bursts",
  .least_chips = 2,
  .sizes = &usual_bytes,
  .check = bench_check_sizes,
  .run = run,
};
