/* SPDX-License-Identifier: BSD-3-Clause
 * Signal notification registers. */
#include "sim/hw/spe/spe.h"
#include "tests/suite.h"

TESTS(snr);

TEST(overwrite_mode_keeps_the_last_word) {
  struct snr snr = {0};
  snr_write(&snr, 5);
  snr_write(&snr, 2);
  ck_assert(snr.full);
  ck_assert_uint_eq(snr_read(&snr), 2);
}

TEST(or_mode_collects_bits) {
  struct snr snr = {.or_mode = true};
  snr_write(&snr, 5);
  snr_write(&snr, 2);
  ck_assert_uint_eq(snr_read(&snr), 7);
}

TEST(reading_clears) {
  struct snr snr = {.or_mode = true};
  snr_write(&snr, 8);
  snr_read(&snr);
  ck_assert(!snr.full);
  snr_write(&snr, 1);
  ck_assert_uint_eq(snr_read(&snr), 1);
}

TEST(a_zero_fills_the_register_as_well) {
  struct snr snr = {0};
  snr_write(&snr, 0);
  ck_assert(snr.full);
  ck_assert_uint_eq(snr_read(&snr), 0);
}
