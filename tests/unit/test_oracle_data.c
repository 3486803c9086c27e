/* SPDX-License-Identifier: BSD-3-Clause
 * The data of the oracle is the same for any part of a stream, kept or not. */
#include "sim/base/random.h"
#include "validate/lab/verify/oracle.h"
#include "tests/suite.h"

#include <math.h>

enum { WHOLE = 8000, TRIES = 2000 };

static uint8_t whole[WHOLE];
static union {
  uint8_t bytes[ORACLE_STRETCH];
  double aligned;
} scratch;

/* Return the beginning of a stream with SEED: of bytes, or of elements of TYPE. */
static struct oracle_range beginning(uint64_t seed, unsigned stream, enum coll_type type) {
  return (struct oracle_range){.seed = seed, .stream = stream, .type = type, .nbytes = WHOLE};
}

/* Compare TRIES parts of the stream that begins with PART, whole elements of SIZE bytes, with `whole`.
 * returns: how many of the parts were kept in DATA. */
static unsigned compare_ranges(const struct oracle_data *data, struct oracle_range range, size_t size) {
  uint64_t state = 5;
  unsigned kept = 0;
  for (unsigned i = 0; i < TRIES; i++) {
    range.first = random_next(&state) % (WHOLE / size) * size;
    range.nbytes = random_next(&state) % (ORACLE_STRETCH / size + 1) * size;
    range.nbytes = range.nbytes < WHOLE - range.first ? range.nbytes : WHOLE - range.first;
    const uint8_t *bytes = oracle_data_get(data, &range, scratch.bytes);
    ck_assert_int_eq(memcmp(bytes, whole + range.first, range.nbytes), 0);
    kept += bytes != scratch.bytes;
  }
  return kept;
}

TESTS(oracle_data);

TEST(parts_of_bytes_are_those_of_the_whole) {
  struct oracle_data data = {.kept = NULL};
  struct oracle_range all = beginning(7, ORACLE_IN + 3, TYPE_INT32);
  oracle_data_write(&all, whole);
  ck_assert_uint_eq(compare_ranges(&data, all, 1), 0);
  oracle_data_keep(&data, &all, whole);
  ck_assert_uint_eq(compare_ranges(&data, all, 1), TRIES);
  oracle_data_fini(&data);
}

TEST(parts_of_elements_are_those_of_the_whole) {
  struct oracle_data data = {.kept = NULL};
  for (enum coll_type type = 0; type < TYPE_COUNT; type++) {
    struct oracle_range all = beginning(7 + 2 * type, ORACLE_ELEMENTS + 3, type);
    all.rare = type == TYPE_FLOAT32 ? ORACLE_ZEROS : type == TYPE_FLOAT64 ? ORACLE_ALL : ORACLE_PLAIN;
    oracle_data_write(&all, whole);
    ck_assert_uint_eq(compare_ranges(&data, all, combine_size(type)), 0);
    oracle_data_keep(&data, &all, whole);
    ck_assert_uint_eq(compare_ranges(&data, all, combine_size(type)), TRIES);
  }
  oracle_data_fini(&data);
}

/* Zeros of equal and of other signs stand at the same places of two streams; NaN and infinities meet numbers.
 * A third of 1,000 groups has zeros: 333, standard deviation 15; half of these have equal signs. Another
 * third has NaN, where in half of the groups NaN meets a number. */
TEST(rare_numbers_meet) {
  double first[WHOLE / sizeof(double)], second[WHOLE / sizeof(double)];
  unsigned equal = 0, other = 0, nan = 0, infinite = 0;
  for (uint64_t seed = 0; seed < 8; seed++) {
    struct oracle_range range = beginning(seed, ORACLE_ELEMENTS, TYPE_FLOAT64);
    range.rare = ORACLE_ALL;
    oracle_data_write(&range, (uint8_t *)first);
    range.stream++;
    oracle_data_write(&range, (uint8_t *)second);
    for (size_t i = 0; i < WHOLE / sizeof(double); i++) {
      double a = first[i], b = second[i];
      ck_assert((a == 0) == (b == 0));
      equal += a == 0 && !signbit(a) == !signbit(b);
      other += a == 0 && !signbit(a) != !signbit(b);
      nan += isnan(a) != isnan(b);
      infinite += isinf(a) != isinf(b);
    }
  }
  ck_assert_msg(equal > 100 && other > 100 && nan > 100 && infinite > 100, "%u %u %u %u", equal, other, nan,
                infinite);
}

/* The call after the next one takes the place of a stream; the parts of this call are right all the same, and
 * an unkept stream is never mistaken for the kept one. */
TEST(another_call_or_rank_is_never_mistaken) {
  struct oracle_data data = {.kept = NULL};
  struct oracle_range first = beginning(7, 3, TYPE_INT32), later = beginning(9, 3, TYPE_INT32);
  oracle_data_write(&first, whole);
  oracle_data_keep(&data, &first, whole);
  oracle_data_write(&later, whole);
  oracle_data_keep(&data, &later, whole);
  ck_assert_uint_eq(compare_ranges(&data, later, 1), TRIES);
  oracle_data_write(&first, whole);
  ck_assert_uint_eq(compare_ranges(&data, first, 1), 0);
  for (unsigned rank = 4; rank < 2000; rank += 499) {
    struct oracle_range other = beginning(9, rank, TYPE_INT32);
    oracle_data_write(&other, whole);
    ck_assert_uint_eq(compare_ranges(&data, other, 1), 0);
  }
  oracle_data_fini(&data);
}
