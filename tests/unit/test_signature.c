/* SPDX-License-Identifier: BSD-3-Clause
 * Contention signatures are found again in times made from the signatures. */
#include "validate/model/measured/signature.h"
#include "tests/suite.h"

enum { POINTS = 8, RANKS = 12 };

/* Write times of sizes from 64 bytes on, doubling, of RANKS ranks under TRUTH; with RANKS 0 the times of
 * single messages. */
static void make(const struct signature *truth, unsigned ranks, struct signature_point points[POINTS]) {
  for (size_t i = 0; i < POINTS; i++) {
    size_t nbytes = (size_t)64 << i;
    points[i].nbytes = nbytes;
    points[i].cycles =
      ranks ? signature_predict(truth, ranks, nbytes) : truth->alpha + truth->beta * (double)nbytes;
  }
}

static void expect_found(struct signature truth) {
  struct signature_point points[POINTS];
  struct signature found = {0};
  make(&truth, 0, points);
  signature_fit_message(&found, points, POINTS);
  ck_assert_double_eq_tol(found.alpha, truth.alpha, 1e-6);
  ck_assert_double_eq_tol(found.beta, truth.beta, 1e-9);
  make(&truth, RANKS, points);
  signature_fit(&found, points, POINTS, RANKS);
  ck_assert_double_eq_tol(found.gamma, truth.gamma, 1e-6);
  ck_assert_double_eq_tol(found.delta, truth.delta, 1e-3);
  for (size_t i = 0; i < POINTS; i++) {
    double wanted = signature_predict(&truth, 3, points[i].nbytes);
    ck_assert_double_eq_tol(signature_predict(&found, 3, points[i].nbytes), wanted, 1e-3);
  }
}

TESTS(signature);

TEST(what_times_were_made_from_is_found_again) {
  expect_found((struct signature){.alpha = 1000, .beta = 0.5, .gamma = 2, .delta = 300, .threshold = 1024});
  expect_found((struct signature){.alpha = 10, .beta = 2, .gamma = 1, .delta = 0, .threshold = 0});
  expect_found((struct signature){.alpha = 500, .beta = 0.1, .gamma = 4, .delta = -40, .threshold = 0});
}

/* Equation 5 by hand: 3 (100 + 10 x 2 x 3) = 480 below the threshold, 3 (100 + 20 x 2 x 3 + 7) = 681 from the
 * threshold on. */
TEST(a_prediction_is_equation_5) {
  struct signature signature = {.alpha = 100, .beta = 2, .gamma = 3, .delta = 7, .threshold = 20};
  ck_assert_double_eq(signature_predict(&signature, 4, 10), 480);
  ck_assert_double_eq(signature_predict(&signature, 4, 20), 681);
}

/* Times without an exact signature: the relative errors of the fit must not all have one sign. */
TEST(a_fit_lies_between_the_points) {
  struct signature_point points[POINTS];
  struct signature found = {.alpha = 100, .beta = 1};
  unsigned above = 0;
  for (size_t i = 0; i < POINTS; i++) {
    points[i].nbytes = (size_t)64 << i;
    points[i].cycles = (RANKS - 1) * (100 + 1.5 * (double)points[i].nbytes) * (i % 2 ? 1.05 : 0.95);
  }
  signature_fit(&found, points, POINTS, RANKS);
  for (size_t i = 0; i < POINTS; i++) {
    double predicted = signature_predict(&found, RANKS, points[i].nbytes);
    above += predicted > points[i].cycles;
    ck_assert_double_le(predicted / points[i].cycles, 1.15);
    ck_assert_double_ge(predicted / points[i].cycles, 0.85);
  }
  ck_assert_uint_gt(above, 0);
  ck_assert_uint_lt(above, POINTS);
}

/* Chip of 8: 10 for each message and 1 for each byte. Machine of 24: 20 + 5 and 4. Blocks of 80 bytes.
 *   n = 4   stay   3 x 10 + 7 x 4 / 8 x 80 = 310
 *   n = 9   stay   8 x 10 + 7 x 9 / 8 x 80 = 710
 *           leave  8 x 25 + 23 x 1 / 16 x 80 x 4 = 660
 *   n = 12  leave  11 x 25 + 23 x 4 / 16 x 80 x 4 = 2115
 *           stay   11 x 10 + 7 x 12 / 8 x 80 = 950 */
TEST(bytes_that_stay_and_bytes_that_leave_count_apart) {
  const struct signature chip = {.alpha = 10, .beta = 1, .gamma = 1},
                         machine = {.alpha = 20, .beta = 1, .gamma = 4, .delta = 5};
  const struct signature_pair pair = {&chip, &machine, .chip_ranks = 8, .machine_ranks = 24};
  ck_assert_double_eq_tol(signature_pair_predict(&pair, 4, 80), 310, 1e-9);
  ck_assert_double_eq_tol(signature_pair_predict(&pair, 9, 80), 710, 1e-9);
  ck_assert_double_eq_tol(signature_pair_predict(&pair, 12, 80), 2115, 1e-9);
  ck_assert_double_eq_tol(signature_pair_predict(&pair, 8, 80), signature_predict(&chip, 8, 80), 1e-9);
  ck_assert_double_eq_tol(signature_pair_predict(&pair, 24, 80), signature_predict(&machine, 24, 80), 1e-9);
}
