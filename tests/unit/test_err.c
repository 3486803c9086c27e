/* SPDX-License-Identifier: BSD-3-Clause
 * Errors: the first message survives. */
#include "sim/base/err.h"

#include <check.h>
#include <string.h>

Suite *err_suite(void);

START_TEST(setting_an_error_returns_minus_one_and_keeps_the_message) {
  struct err err = {0};
  ck_assert_int_eq(err_set(&err, "line %d: %s", 7, "what"), -1);
  ck_assert_str_eq(err.text, "line 7: what");
}
END_TEST

START_TEST(the_first_message_survives_later_ones) {
  struct err err = {0};
  err_set(&err, "cause");
  ck_assert_int_eq(err_set(&err, "consequence"), -1);
  ck_assert_str_eq(err.text, "cause");
}
END_TEST

START_TEST(a_message_that_is_too_long_is_cut) {
  struct err err = {0};
  char endless[2 * sizeof err.text];
  memset(endless, 'x', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  err_set(&err, "%s", endless);
  ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
}
END_TEST

Suite *err_suite(void) {
  Suite *suite = suite_create("err");
  TCase *tests = tcase_create("messages");
  tcase_add_test(tests, setting_an_error_returns_minus_one_and_keeps_the_message);
  tcase_add_test(tests, the_first_message_survives_later_ones);
  tcase_add_test(tests, a_message_that_is_too_long_is_cut);
  suite_add_tcase(suite, tests);
  return suite;
}
