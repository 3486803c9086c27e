/* SPDX-License-Identifier: BSD-3-Clause
 * The order of turns. */
#include "sim/hw/bus/arbiter.h"
#include "tests/suite.h"

TESTS(arbiter);

TEST(turns_go_round) {
  uint32_t waiting = 1U << 2 | 1U << 5 | 1U << 9;
  ck_assert_uint_eq(arbiter_next(waiting, 0, 11), 2);
  ck_assert_uint_eq(arbiter_next(waiting, 0, 2), 5);
  ck_assert_uint_eq(arbiter_next(waiting, 0, 5), 9);
  ck_assert_uint_eq(arbiter_next(waiting, 0, 9), 2);
}

TEST(a_unit_that_waits_alone_is_served_again) {
  for (unsigned unit = 0; unit < 32; unit++) {
    ck_assert_uint_eq(arbiter_next(UINT32_C(1) << unit, 0, unit), unit);
  }
}

TEST(priority_comes_first_and_has_a_round_of_its_own) {
  uint32_t waiting = 0xff, priority = 1U << 1 | 1U << 6 | 1U << 20;
  ck_assert_uint_eq(arbiter_next(waiting, priority, 3), 6);
  ck_assert_uint_eq(arbiter_next(waiting, priority, 6), 1);
  ck_assert_uint_eq(arbiter_next(waiting & ~priority, priority, 3), 4);
}

/* Written naively: of the units of the first level with a waiting unit, count up from last + 1. */
static unsigned naive(uint32_t waiting, uint32_t priority, unsigned last) {
  for (bool first = true;; first = false) {
    for (unsigned step = 1; step <= 32; step++) {
      uint32_t unit = (last + step) % 32, bit = UINT32_C(1) << unit;
      if ((waiting & bit) && (!first || (priority & bit))) {
        return unit;
      }
    }
  }
}

TEST(counting_up_agrees_for_all_sets_of_six_units) {
  for (uint32_t waiting = 1; waiting < 64; waiting++) {
    for (uint32_t priority = 0; priority < 64; priority++) {
      for (unsigned last = 0; last < 6; last++) {
        for (unsigned shift = 0; shift <= 26; shift += 13) {
          ck_assert_uint_eq(arbiter_next(waiting << shift, priority << shift, last + shift),
                            naive(waiting << shift, priority << shift, last + shift));
        }
      }
    }
  }
}
