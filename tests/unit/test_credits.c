/* SPDX-License-Identifier: BSD-3-Clause
 * Credits: the cycles from which on credits can be held, in ascending order, however they are given back. */
#include "sim/hw/bus/credits.h"
#include "sim/base/random.h"
#include "tests/suite.h"

TESTS(credits);

TEST(places_are_shared_out_one_after_the_other) {
  uint64_t all[16] = {0}, *places = all;
  struct credits three = credits_at(&places, 3), none = credits_at(&places, 0), one = credits_at(&places, 1);
  ck_assert_ptr_eq(three.free_at, all);
  ck_assert_ptr_null(none.free_at);
  ck_assert_ptr_eq(one.free_at, all + credits_room(3) + credits_room(0));
  ck_assert_ptr_eq(places, one.free_at + credits_room(1));
}

TEST(without_a_limit_there_is_always_a_credit) {
  uint64_t all[1] = {0}, *places = all;
  struct credits credits = credits_at(&places, 0);
  for (unsigned i = 0; i < 5; i++) {
    credits_take(&credits);
    ck_assert_uint_eq(credits.from, 0);
    ck_assert_uint_eq(credits_taken_from(&credits), 0);
  }
  ck_assert(!credits_give(&credits, 3, 10, 20));
  ck_assert_uint_eq(credits.from, 0);
}

TEST(credits_are_given_back_at_even_intervals) {
  uint64_t all[4] = {0}, *places = all;
  struct credits credits = credits_at(&places, 3);
  for (unsigned i = 0; i < 3; i++) {
    ck_assert_uint_eq(credits.from, 0);
    credits_take(&credits);
  }
  ck_assert_uint_eq(credits.from, UINT64_MAX);
  ck_assert(credits_give(&credits, 3, 10, 20));
  for (unsigned i = 0; i < 3; i++) {
    ck_assert_uint_eq(credits.from, 10 + 5 * i);
    credits_take(&credits);
    ck_assert_uint_eq(credits_taken_from(&credits), 10 + 5 * i);
  }
}

/* Written naively: take the earliest of all credits that have been given back. */
TEST_EACH(the_earliest_credit_is_taken_first, 1, 10) {
  unsigned n = (unsigned)_i, held = 0;
  uint64_t all[16] = {0}, *places = all, given[10] = {0};
  struct credits credits = credits_at(&places, n);
  for (unsigned step = 0; step < 1000; step++) {
    uint64_t drawn = random_at(n, step);
    if (held == n || (held > 0 && drawn % 2)) {
      ck_assert_int_eq(credits_give(&credits, 1, drawn % 1000, drawn % 1000), held == n);
      given[n - held--] = drawn % 1000;
    } else {
      unsigned earliest = 0;
      for (unsigned i = 1; i < n - held; i++) {
        earliest = given[i] < given[earliest] ? i : earliest;
      }
      ck_assert_uint_eq(credits.from, given[earliest]);
      credits_take(&credits);
      ck_assert_uint_eq(credits_taken_from(&credits), given[earliest]);
      given[earliest] = given[n - ++held];
    }
    ck_assert(held < n || credits.from == UINT64_MAX);
  }
}
