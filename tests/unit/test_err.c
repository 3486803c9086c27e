/* SPDX-License-Identifier: BSD-3-Clause
 * Errors: the first message survives. */
#include "tests/suite.h"

TESTS(err);

TEST(setting_an_error_returns_minus_one_and_keeps_the_message) {
  struct err err = {0};
  ck_assert_int_eq(err_set(&err, "line %d: %s", 7, "what"), -1);
  ck_assert_str_eq(err.text, "line 7: what");
}

TEST(the_first_message_survives_later_ones) {
  struct err err = {0};
  err_set(&err, "cause");
  ck_assert_int_eq(err_set(&err, "consequence"), -1);
  ck_assert_str_eq(err.text, "cause");
}

TEST(a_message_that_is_too_long_is_cut) {
  struct err err = {0};
  char endless[2 * sizeof err.text];
  memset(endless, 'x', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  err_set(&err, "%s", endless);
  ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
}
