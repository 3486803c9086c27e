/* SPDX-License-Identifier: BSD-3-Clause
 * Large blocks: zero again, whatever was touched, and how much room they then take. */
#include "sim/base/pages.h"

#include <check.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

Suite *pages_suite(void);

enum { MIB = 1 << 20 };

/* Return how many of the NBYTES at BYTES take room. */
static size_t
resident(uint8_t *bytes, size_t nbytes)
{
  static unsigned char touched[65536];
  size_t size = (size_t)sysconf(_SC_PAGESIZE), npages = (nbytes + size - 1) / size, count = 0;
  ck_assert_uint_le(npages, sizeof touched);
  ck_assert_int_eq(mincore(bytes, nbytes, touched), 0);
  for (size_t i = 0; i < npages; i++) {
    count += (touched[i] & 1) * size;
  }
  return count;
}

static void
check_zero(const uint8_t *bytes, size_t nbytes)
{
  ck_assert_uint_eq(bytes[0], 0);
  ck_assert_mem_eq(bytes, bytes + 1, nbytes - 1);
}

/* The last page is not a whole one; what lies behind USED is cleared as well. */
START_TEST(all_is_zero_again)
{
  size_t nbytes = 9 * MIB + 100;
  uint8_t *bytes = pages_new(nbytes, "a test");
  check_zero(bytes, nbytes);
  for (size_t used = 0; used <= nbytes; used += 3 * MIB + 1) {
    for (size_t i = 0; i < nbytes; i += 5000) {
      bytes[i] = 1;
    }
    bytes[nbytes - 1] = 1;
    pages_clear(bytes, nbytes, used);
    check_zero(bytes, nbytes);
  }
  pages_free(bytes, nbytes);
}
END_TEST

START_TEST(what_was_not_touched_takes_no_room)
{
  uint8_t *bytes = pages_new(200 * MIB, "a test");
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  bytes[0] = bytes[150 * MIB] = 1;
  pages_clear(bytes, 200 * MIB, 200 * MIB);
  ck_assert_uint_le(resident(bytes, 200 * MIB), 2 * page);
  pages_free(bytes, 200 * MIB);
}
END_TEST

/* 20 of 100 MiB at most stay: the limit, and what the last chunk before it may add. */
START_TEST(only_a_part_of_the_room_is_kept)
{
  uint8_t *bytes = pages_new(100 * MIB, "a test");
  memset(bytes, 1, 100 * MIB);
  pages_clear(bytes, 100 * MIB, 100 * MIB);
  ck_assert_uint_le(resident(bytes, 100 * MIB), 20 * MIB);
  memset(bytes, 1, 100 * MIB);
  pages_clear(bytes, 100 * MIB, 0);
  ck_assert_uint_eq(resident(bytes, 100 * MIB), 0);
  pages_free(bytes, 100 * MIB);
}
END_TEST

Suite *
pages_suite(void)
{
  Suite *suite = suite_create("pages");
  TCase *tests = tcase_create("pages");
  tcase_add_test(tests, all_is_zero_again);
  tcase_add_test(tests, what_was_not_touched_takes_no_room);
  tcase_add_test(tests, only_a_part_of_the_room_is_kept);
  suite_add_tcase(suite, tests);
  return suite;
}
