/* SPDX-License-Identifier: BSD-3-Clause
 * Signal notification registers. */
#include "sim/hw/snr.h"

#include <check.h>

Suite *snr_suite(void);

START_TEST(overwrite_mode_keeps_the_last_word) {
  struct snr snr = {0};
  snr_write(&snr, 5);
  snr_write(&snr, 2);
  ck_assert(snr.full);
  ck_assert_uint_eq(snr_read(&snr), 2);
}
END_TEST

START_TEST(or_mode_collects_bits) {
  struct snr snr = {.or_mode = true};
  snr_write(&snr, 5);
  snr_write(&snr, 2);
  ck_assert_uint_eq(snr_read(&snr), 7);
}
END_TEST

START_TEST(reading_clears) {
  struct snr snr = {.or_mode = true};
  snr_write(&snr, 8);
  snr_read(&snr);
  ck_assert(!snr.full);
  snr_write(&snr, 1);
  ck_assert_uint_eq(snr_read(&snr), 1);
}
END_TEST

START_TEST(a_zero_fills_the_register_as_well) {
  struct snr snr = {0};
  snr_write(&snr, 0);
  ck_assert(snr.full);
  ck_assert_uint_eq(snr_read(&snr), 0);
}
END_TEST

Suite *snr_suite(void) {
  Suite *suite = suite_create("snr");
  TCase *tests = tcase_create("snr");
  tcase_add_test(tests, overwrite_mode_keeps_the_last_word);
  tcase_add_test(tests, or_mode_collects_bits);
  tcase_add_test(tests, reading_clears);
  tcase_add_test(tests, a_zero_fills_the_register_as_well);
  suite_add_tcase(suite, tests);
  return suite;
}
