/* SPDX-License-Identifier: BSD-3-Clause
 * A server with a service time of a fractional number of cycles. */
#include "sim/base/engine/rate_server.h"
#include "tests/suite.h"

TESTS(server);

/* Services of 17.3 cycles back to back: the n-th starts at the first whole cycle after 17.3 n. */
TEST(a_busy_server_carries_the_remainder) {
  struct rate_server server = {0};
  for (uint64_t n = 0; n < 1000; n++) {
    uint64_t at = rate_server_ready(&server, 0);
    ck_assert_uint_eq(at, (17300 * n + 999) / 1000);
    rate_server_take(&server, at, rate_interval(17300));
  }
}

TEST(an_idle_server_starts_afresh) {
  struct rate_server server = {0};
  rate_server_take(&server, 0, rate_interval(17300));
  ck_assert_uint_eq(rate_server_ready(&server, 100), 100);
  rate_server_take(&server, 100, rate_interval(17300));
  ck_assert_uint_eq(rate_server_ready(&server, 0), 118); /* 117.3 */
  rate_server_take(&server, 118, rate_interval(17300));
  ck_assert_uint_eq(rate_server_ready(&server, 0), 135); /* 134.6 */
}

/* Free at 17.3: a request at 18 was late by rounding only, a request at 19 was late itself. */
TEST(less_than_one_cycle_of_idleness_is_rounding) {
  struct rate_server server = {0};
  rate_server_take(&server, 0, rate_interval(17300));
  rate_server_take(&server, 18, rate_interval(10000));
  ck_assert_uint_eq(rate_server_free_mcyc(&server), 27300);
  server = (struct rate_server){0};
  rate_server_take(&server, 0, rate_interval(17300));
  rate_server_take(&server, 19, rate_interval(10000));
  ck_assert_uint_eq(rate_server_free_mcyc(&server), 29000);
}

TEST(whole_intervals_stay_whole) {
  struct rate_server server = {0};
  rate_server_take(&server, 5, rate_interval(16000));
  ck_assert_uint_eq(rate_server_ready(&server, 5), 21);
  ck_assert_uint_eq(rate_server_ready(&server, 21), 21);
  ck_assert_uint_eq(rate_server_ready(&server, 22), 22);
}
