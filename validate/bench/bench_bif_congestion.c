/* SPDX-License-Identifier: BSD-3-Clause
 * Congestion of the link between two chips: time of a get while n messages cross the link (n / 2 pairs, both
 * ways), and the increase over the time with n = 2. The column `ranks` is n.
 * source: Ali, Midkiff, Pai 2010, sections 3.3 and 7.1, figure 8. */
#include "sim/hw/blade.h"
#include "validate/bench/bench.h"
#include "validate/lab/usual_ranks.h"
#include "validate/model/plogp.h"

static int run(struct bench_run *run) {
  const struct units_list *sizes = bench_sizes(run, &usual_bytes);
  unsigned most = 2 * blade_spes_per_chip(run->blade);
  if (bench_check_sizes(run, sizes) != 0) {
    return -1;
  }
  struct plogp plogp;
  plogp_init(&plogp, run->blade, run->profile);
  for (size_t i = 0; i < sizes->n; i++) {
    size_t m = sizes->values[i];
    double base = plogp_crossing_time(&plogp, m, 2);
    for (unsigned n = 2; n <= most; n += 2) {
      double time = plogp_crossing_time(&plogp, m, n);
      bench_report_ns(run, (struct bench_row){"time", n, m, time, "cycles"});
      bench_report(run, (struct bench_row){"increase", n, m, 100 * (time - base) / base, "percent"});
    }
  }
  plogp_fini(&plogp);
  return 0;
}

const struct bench bench_bif_congestion = {
  .name = "bif-congestion",
  .source = "ali2010",
  .doc = "time of a get while n messages cross between two chips",
  .least_spes = 1,
  .least_chips = 2,
  .run = run,
};
