/* SPDX-License-Identifier: BSD-3-Clause
 * Least squares within bounds, against problems solved by hand. */
#include "validate/evidence/least_squares.h"
#include "tests/suite.h"

/* Rows are known well enough for the bounds to make no difference in the first digits. */
static double sigma[] = {1e-6, 1e-6, 1e-6, 1e-6};
static double least[] = {-10, -10}, most[] = {10, 10};

TESTS(least_squares);

TEST(a_linear_toy_gives_its_parameters) {
  /* made with x = 2, y = -3: rows x, y and x + y */
  double slope[] = {1, 0, 0, 1, 1, 1}, residual[] = {-2, 3, 1};
  struct least_squares problem = {3, 2, slope, residual, sigma, NULL, least, most};
  struct least_squares_result result = least_squares_solve(&problem);
  ck_assert_double_eq_tol(result.x[0], 2, 1e-6);
  ck_assert_double_eq_tol(result.x[1], -3, 1e-6);
  ck_assert_double_eq_tol(result.effective, 2, 1e-6);
  ck_assert_double_eq_tol(least_squares_off(&problem, 2, result.x), 0, 1e-6);
  least_squares_fini(&result);
}

TEST(rows_that_disagree_are_averaged) {
  /* x is 1, 1 and 4, with equal weights: the mean; the misfit: the squares of 1, 1 and 2, over three rows
   * less one value */
  double slope[] = {1, 1, 1}, residual[] = {-1, -1, -4};
  struct least_squares problem = {3, 1, slope, residual, sigma, NULL, least, most};
  struct least_squares_result result = least_squares_solve(&problem);
  ck_assert_double_eq_tol(result.x[0], 2, 1e-6);
  ck_assert_double_eq_tol(result.scale / 1e6, sqrt(3), 1e-3);
  least_squares_fini(&result);
}

TEST(what_no_row_tells_stays_in_the_middle) {
  double slope[] = {1, 0}, residual[] = {-2}, low[] = {-10, 4}, high[] = {10, 10};
  struct least_squares problem = {1, 2, slope, residual, sigma, NULL, low, high};
  struct least_squares_result result = least_squares_solve(&problem);
  ck_assert_double_eq_tol(result.x[1], 7, 1e-9);
  ck_assert_double_eq_tol(result.determined[0], 1, 1e-6);
  ck_assert_double_eq_tol(result.determined[1], 0, 1e-9);
  ck_assert_double_eq_tol(result.covariance[3], 36.0 / 12, 1e-9); /* of a uniform distribution */
  least_squares_fini(&result);
}

TEST(a_value_stops_at_its_bounds_and_others_follow) {
  /* x + y = 30 and x - y = 2 have x = 16, beyond 10; with x = 10 the two rows want y = 20 and y = 8 */
  double slope[] = {1, 1, 1, -1}, residual[] = {-30, -2}, high[] = {10, 100}, low[] = {-10, -100};
  struct least_squares problem = {2, 2, slope, residual, sigma, NULL, low, high};
  struct least_squares_result result = least_squares_solve(&problem);
  ck_assert_double_eq_tol(result.x[0], 10, 1e-6);
  ck_assert_double_eq_tol(result.x[1], 14, 1e-6);
  least_squares_fini(&result);
}

TEST(one_row_left_out_is_predicted_from_the_others) {
  /* a made-up table: rows a, a and 2 a with a = 5, 5 and 8; without the last row a is 5, so 2 a is 10 instead
   * of 8 */
  double slope[] = {1, 1, 2}, residual[] = {-5, -5, -8};
  bool used[] = {true, true, false};
  struct least_squares problem = {3, 1, slope, residual, sigma, used, least, most};
  struct least_squares_result result = least_squares_solve(&problem);
  ck_assert_double_eq_tol(result.x[0], 5, 1e-6);
  ck_assert_double_eq_tol(least_squares_off(&problem, 2, result.x), 2, 1e-6);
  least_squares_fini(&result);
}

TEST(samples_have_the_covariance) {
  /* the root of [4 2; 2 5] is [2 0; 1 2] */
  const double covariance[] = {4, 2, 2, 5}, normal[] = {1, 3};
  double drawn[2];
  least_squares_sample(covariance, 2, normal, drawn);
  ck_assert_double_eq_tol(drawn[0], 2, 1e-12);
  ck_assert_double_eq_tol(drawn[1], 7, 1e-12);
}
