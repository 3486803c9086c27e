/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers by code: what was kept is found, also after growth and where codes are equal. */
#include "sim/base/hash.h"
#include "sim/base/random.h"
#include "tests/suite.h"

enum { MANY = 5000 };

TESTS(hash);

TEST(numbers_are_found_by_code_after_growth) {
  struct hash hash = {0};
  for (size_t i = 1; i <= MANY; i++) {
    struct hash_place *place = hash_find(&hash, random_mix(i));
    ck_assert_uint_eq(place->number, 0);
    hash_add(&hash, place, random_mix(i), i);
  }
  for (size_t i = 1; i <= MANY; i++) {
    ck_assert_uint_eq(hash_find(&hash, random_mix(i))->number, i);
  }
  ck_assert_uint_eq(hash_find(&hash, random_mix(MANY + 1))->number, 0);
  ck_assert_uint_eq(hash.n, MANY);
  ck_assert_uint_ge(hash.room, 2 * MANY);
  hash_fini(&hash);
}

/* All codes have the low bits of one place; some are equal. */
TEST(equal_codes_keep_all_their_numbers) {
  struct hash hash = {0};
  size_t seen = 0;
  for (size_t i = 1; i <= 200; i++) {
    uint64_t code = (uint64_t)(i % 3) << 32;
    struct hash_place *place = hash_find(&hash, code);
    while (place->number) {
      place = hash_next(&hash, place, code);
    }
    hash_add(&hash, place, code, i);
  }
  for (struct hash_place *place = hash_find(&hash, 0); place->number; place = hash_next(&hash, place, 0)) {
    ck_assert_uint_eq(place->number % 3, 0);
    seen++;
  }
  ck_assert_uint_eq(seen, 66); /* 3, 6, ... 198 */
  hash_fini(&hash);
}
