/* SPDX-License-Identifier: BSD-3-Clause
 * A server whose service time is no whole number of cycles. */
#include "sim/hw/pace.h"

#include <check.h>

Suite *pace_suite(void);

/* Services of 17.3 cycles back to back: the n-th starts at the first whole cycle after 17.3 n. */
START_TEST(a_busy_server_carries_the_remainder)
{
  struct pace pace = {0};
  for (uint64_t n = 0; n < 1000; n++) {
    uint64_t at = pace_ready(&pace, 0);
    ck_assert_uint_eq(at, (17300 * n + 999) / 1000);
    pace_take(&pace, at, pace_interval(17300));
  }
}
END_TEST

START_TEST(an_idle_server_starts_afresh)
{
  struct pace pace = {0};
  pace_take(&pace, 0, pace_interval(17300));
  ck_assert_uint_eq(pace_ready(&pace, 100), 100);
  pace_take(&pace, 100, pace_interval(17300));
  ck_assert_uint_eq(pace_ready(&pace, 0), 118); /* 117.3 */
  pace_take(&pace, 118, pace_interval(17300));
  ck_assert_uint_eq(pace_ready(&pace, 0), 135); /* 134.6 */
}
END_TEST

/* Free at 17.3: whoever comes at 18 was late by rounding only, whoever comes at 19 was late himself. */
START_TEST(less_than_one_cycle_of_idleness_is_rounding)
{
  struct pace pace = {0};
  pace_take(&pace, 0, pace_interval(17300));
  pace_take(&pace, 18, pace_interval(10000));
  ck_assert_uint_eq(pace_free_mcyc(&pace), 27300);
  pace = (struct pace){0};
  pace_take(&pace, 0, pace_interval(17300));
  pace_take(&pace, 19, pace_interval(10000));
  ck_assert_uint_eq(pace_free_mcyc(&pace), 29000);
}
END_TEST

START_TEST(whole_intervals_stay_whole)
{
  struct pace pace = {0};
  pace_take(&pace, 5, pace_interval(16000));
  ck_assert_uint_eq(pace_ready(&pace, 5), 21);
  ck_assert_uint_eq(pace_ready(&pace, 21), 21);
  ck_assert_uint_eq(pace_ready(&pace, 22), 22);
}
END_TEST

Suite *
pace_suite(void)
{
  Suite *suite = suite_create("pace");
  TCase *tests = tcase_create("pace");
  tcase_add_test(tests, a_busy_server_carries_the_remainder);
  tcase_add_test(tests, an_idle_server_starts_afresh);
  tcase_add_test(tests, less_than_one_cycle_of_idleness_is_rounding);
  tcase_add_test(tests, whole_intervals_stay_whole);
  suite_add_tcase(suite, tests);
  return suite;
}
