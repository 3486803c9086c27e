/* SPDX-License-Identifier: BSD-3-Clause
 * The usual numbers of ranks of a machine: up to all SPEs. */
#include "validate/lab/call/usual_ranks.h"
#include "tests/suite.h"

static void expect(unsigned nspes, bool every, size_t n, const uint64_t *expected) {
  uint64_t ranks[USUAL_RANKS_MAX];
  ck_assert_uint_eq(usual_ranks(nspes, every, ranks), n);
  for (size_t i = 0; i < n; i++) {
    ck_assert_uint_eq(ranks[i], expected[i]);
  }
}

TESTS(usual_ranks);

TEST(a_blade_has_those_of_the_paper) {
  expect(16, false, 4, (uint64_t[]){2, 4, 8, 16});
  expect(16, true, 15, (uint64_t[]){2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
}

TEST(other_machines_have_theirs) {
  expect(6, false, 3, (uint64_t[]){2, 4, 6});
  expect(6, true, 5, (uint64_t[]){2, 3, 4, 5, 6});
  expect(48, false, 6, (uint64_t[]){2, 4, 8, 16, 32, 48});
  expect(64, true, 17, (uint64_t[]){2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64});
  expect(1, true, 0, NULL);
}

TEST(the_largest_machine_fits) {
  uint64_t ranks[USUAL_RANKS_MAX];
  ck_assert_uint_le(usual_ranks(1U << 20, true, ranks), USUAL_RANKS_MAX);
}
