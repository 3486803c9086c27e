/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements across chips are made with a chip next to chip 0, of any number: a machine with other numbers
 * of chips gives the same figures. */
#include "tests/bed.h"
#include "validate/bench/bench.h"

enum { ROWS_MAX = 512 };

/* The rows of a benchmark. */
struct figures {
  unsigned n;
  double values[ROWS_MAX];
};

/* Run benchmark NAME on three chips with the links TOPOLOGY. */
static struct figures measure(const char *name, const char *topology) {
  char settings[64];
  snprintf(settings, sizeof settings, "blade.chips=3;blade.topology=%s", topology);
  bed_use("qs20", settings);
  struct err err = {""};
  struct units_list bytes = {.values = (uint64_t[]){1024}, .n = 1};
  const struct bench *bench = bench_find(name, &err);
  struct bench_run run = {.machine = bed.machine, .bytes = &bytes, .err = &err};
  struct figures figures = {.n = 0};
  run.profile = rig_profile(bed.platform, NULL, bench->source, &err);
  ck_assert_msg(bench_run(bench, &run) == 0, "%s", err.text);
  for (struct result_row row; result_take(&run.rows, &row);) {
    ck_assert_uint_lt(figures.n, ROWS_MAX);
    figures.values[figures.n++] = row.value;
  }
  pack_fini(&run.rows);
  return figures;
}

TESTS(neighbours, .start = bed_start, .stop = bed_end);

TEST(the_next_chip_is_one_next_to_chip_0) {
  static const char *const names[] = {"signal", "memory",         "dma-latency", "dma-bandwidth",
                                      "plogp",  "bif-congestion", "mailbox",     "atomic"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct figures expected = measure(names[i], "0-1 1-2"), figures = measure(names[i], "0-2 1-2");
    ck_assert_uint_eq(figures.n, expected.n);
    for (unsigned row = 0; row < figures.n; row++) {
      ck_assert_msg(figures.values[row] == expected.values[row], "%s, row %u: %g, expected %g", names[i], row,
                    figures.values[row], expected.values[row]);
    }
  }
}
