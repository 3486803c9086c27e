/* SPDX-License-Identifier: BSD-3-Clause
 * Published rows by role: medians, largest errors, what was expected. */
#include "sim/base/reals.h"
#include "tests/suite.h"
#include "validate/papers/published.h"

/* Made up: the errors of the tests are 2, 4, 10 and 30 %, of which the expectation excepts the largest; the
 * errors of the fits 1 and 10.5. */
static const struct published_row rows[] = {
  {.id = "first", .role = PUBLISHED_TEST, .error = -4},
  {.id = "second", .role = PUBLISHED_FIT, .error = 10.5},
  {.id = "third", .role = PUBLISHED_TEST, .error = 10},
  {.id = PUBLISHED_EXCEPTED, .role = PUBLISHED_TEST, .error = 30},
  {.id = "fifth", .role = PUBLISHED_FIT, .error = -1},
  {.id = "sixth", .role = PUBLISHED_TEST, .error = 2},
  {.id = "a bound", .role = PUBLISHED_TEST, .bound = PUBLISHED_AT_MOST},
};
enum { NROWS = sizeof rows / sizeof *rows };

TESTS(published_summary);

TEST(rows_of_another_role_do_not_count) {
  struct published_summary test = published_summarize(rows, NROWS, PUBLISHED_TEST);
  struct published_summary fit = published_summarize(rows, NROWS, PUBLISHED_FIT);
  ck_assert_uint_eq(test.n, 4);
  ck_assert_double_eq(test.median, 7); /* of 2 4 10 30 */
  ck_assert_uint_eq(test.within_10, 3);
  ck_assert_uint_eq(fit.n, 2);
  ck_assert_double_eq(fit.median, 5.75);
  ck_assert_uint_eq(fit.within_10, 1);
  ck_assert_uint_eq(published_summarize(rows, NROWS, PUBLISHED_DERIVED).n, 0);
}

TEST(the_largest_error_is_that_of_all_rows) {
  struct published_summary test = published_summarize(rows, NROWS, PUBLISHED_TEST);
  ck_assert_double_eq(test.largest, 30);
  ck_assert_str_eq(test.worst->id, PUBLISHED_EXCEPTED);
  ck_assert_str_eq(published_summarize(rows, NROWS, PUBLISHED_FIT).worst->id, "second");
  ck_assert_ptr_null(published_summarize(rows, NROWS, PUBLISHED_DERIVED).worst);
}

TEST(what_was_expected_is_said_of_its_tests_only) {
  char text[PUBLISHED_TEXT_SIZE];
  struct published_summary summary = published_summarize(rows, NROWS, PUBLISHED_TEST);
  published_say(&summary, PUBLISHED_TEST, text);
  ck_assert_str_eq(text, "test: 4 rows: median error 7.0 %, largest 30.0 % (bcast-mm-1m-16), 3 within 10 %; "
                         "expected: median at most 8 %, largest 25 % but for bcast-mm-1m-16");
  summary = published_summarize(rows, 3, PUBLISHED_TEST); /* of another machine, without the excepted row */
  published_say(&summary, PUBLISHED_TEST, text);
  ck_assert_str_eq(text, "test: 2 rows: median error 7.0 %, largest 10.0 % (third), 2 within 10 %");
  summary = published_summarize(rows, NROWS, PUBLISHED_FIT);
  published_say(&summary, PUBLISHED_FIT, text);
  ck_assert_str_eq(text, "fit: 2 rows: median error 5.8 %, largest 10.5 % (second), 1 within 10 %");
}

TEST(a_median_of_an_odd_number_is_in_the_middle) {
  ck_assert_double_eq(reals_median((double[]){9, 1, 4}, 3), 4);
  ck_assert_double_eq(reals_median((double[]){9}, 1), 9);
}
