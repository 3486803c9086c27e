/* SPDX-License-Identifier: BSD-3-Clause
 * Complete exchanges load the machine as the geometry requires, and contention signatures predict the
 * exchanges within the range of the theory.
 * source: Steffenel, Martinasso, Trystram 2007, sections 5 and 6. */
#include "tests/bed.h"
#include "validate/bench/bench.h"

enum { RANKS_MAX = 64 };

/* The rows of `bench signature` for a machine. */
struct signature_rows {
  struct bench_run run;
  struct {
    double alike_points, alike_error, apart_points, apart_error; /* of a network with so many ranks */
    double load;                                                 /* with the largest blocks */
  } of[RANKS_MAX + 1];
};

static void look(struct signature_rows *rows, const struct result_row *row) {
  const struct {
    const char *parameter;
    double *value;
  } wanted[] = {{"alike-points", &rows->of[row->ranks].alike_points},
                {"alike-error", &rows->of[row->ranks].alike_error},
                {"saturated-points", &rows->of[row->ranks].apart_points},
                {"saturated-apart-error", &rows->of[row->ranks].apart_error},
                {"load", &rows->of[row->ranks].load}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    if (strcmp(row->parameter, wanted[i].parameter) == 0) {
      *wanted[i].value = row->value;
    }
  }
}

/* Run the benchmark on the platform called NAME with SETTINGS. Sizes ascend, so that the load kept is the
 * load of the largest blocks. */
static struct signature_rows rows_of(const char *name, const char *settings) {
  bed_use(name, settings);
  struct err err = {""};
  const struct bench *bench = bench_find("signature", &err);
  ck_assert_msg(bench != NULL, "%s", err.text);
  struct signature_rows rows = {.run = {.machine = bed.machine,
                                        .profile = rig_profile(bed.platform, NULL, bench->source, &err),
                                        .err = &err}};
  ck_assert_msg(rows.run.profile && bench_run(bench, &rows.run) == 0, "%s", err.text);
  for (struct result_row row; result_take(&rows.run.rows, &row);) {
    look(&rows, &row);
  }
  pack_fini(&rows.run.rows);
  return rows;
}

/* The published finding holds where every rank adds the same load to the saturated part. */
static void expect_claim(const struct signature_rows *rows, unsigned ranks) {
  ck_assert_double_gt(rows->of[ranks].alike_points, 0);
  ck_assert_double_lt(rows->of[ranks].alike_error, 10);
}

TESTS(exchanges, .start = bed_start, .stop = bed_end);

/* On one chip the ramp of an SPE is saturated. A rank sends n blocks, one of them to itself, for n - 1
 * messages; the fit has 8 for 7. Flags add less than 2 % with the largest blocks. */
TEST(on_one_chip_the_ramps_carry_n_blocks) {
  struct signature_rows rows = rows_of("cell", "");
  for (unsigned n = 2; n <= 8; n++) {
    double expected = 100 * (n / (n - 1.0)) / (8 / 7.0);
    ck_assert_double_eq_tol(rows.of[n].load, expected, 0.02 * expected);
  }
  expect_claim(&rows, 8);
  ck_assert_double_gt(rows.of[8].apart_points, 0);
  ck_assert_double_lt(rows.of[8].apart_error, 10);
}

/* Between two chips the link is saturated: 8 (n - 8) blocks cross in either direction. */
TEST(between_two_chips_the_link_carries_8_times_n_minus_8_blocks) {
  struct signature_rows rows = rows_of("qs20", "");
  for (unsigned n = 10; n <= 16; n++) {
    double expected = 100 * ((n - 8) / (n - 1.0)) / (8 / 15.0);
    ck_assert_double_eq_tol(rows.of[n].load, expected, 0.02 * expected);
  }
  expect_claim(&rows, 16);
}

/* With the link of the platform no part of four chips is in use for two thirds of the time, and the theory
 * has nothing to say. */
TEST(the_claim_holds_on_four_chips) {
  struct signature_rows rows = rows_of("quad-mesh", "bif.overhead=26 bif.mfc-requests=0");
  expect_claim(&rows, 32);
}

/* With the window and the limit of the platform the extension fails: the two hold up ranks on a chip with few
 * others, whose puts all cross. */
TEST(with_a_larger_window_the_extension_holds_on_two_chips) {
  struct signature_rows rows = rows_of("qs20", "mfc.window=64 bif.mfc-requests=0");
  ck_assert_double_gt(rows.of[16].apart_points, 0);
  ck_assert_double_lt(rows.of[16].apart_error, 10);
}
