/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers, sizes, lists and ranges as typed. */
#include "sim/base/units.h"
#include "tests/suite.h"

typedef int list_parser(const char *text, struct units_list *list, struct err *err);

/* Check that PARSE reads TEXT as the numbers EXPECTED, separated by blanks. */
static void expect_list(list_parser *parse, const char *text, const char *expected) {
  struct err err = {0};
  struct units_list list;
  char found[512] = "";
  ck_assert_msg(parse(text, &list, &err) == 0, "%s: %s", text, err.text);
  for (size_t i = 0; i < list.n; i++) {
    size_t used = strlen(found);
    snprintf(found + used, sizeof found - used, "%s%llu", i ? " " : "", (unsigned long long)list.values[i]);
  }
  ck_assert_str_eq(found, expected);
  units_list_fini(&list);
}

/* Check that PARSE refuses TEXT with a message that contains both FOUND and "expected". */
static void expect_refusal(list_parser *parse, const char *text, const char *found) {
  struct err err = {0};
  struct units_list list;
  ck_assert_msg(parse(text, &list, &err) == -1, "%s was accepted", text);
  ck_assert_uint_eq(list.n, 0);
  ck_assert_ptr_null(list.values);
  ck_assert_msg(strstr(err.text, found) && strstr(err.text, "expected"), "%s: %s", text, err.text);
}

TESTS(units);

TEST(counts_are_listed_and_counted_by_one) {
  expect_list(units_parse_count_list, "8", "8");
  expect_list(units_parse_count_list, "2,4,8", "2 4 8");
  expect_list(units_parse_count_list, "2..5", "2 3 4 5");
  expect_list(units_parse_count_list, "9,2..3,7..7,0", "9 2 3 7 0");
}

TEST(sizes_are_listed_and_doubled) {
  expect_list(units_parse_bytes_list, "4,1KiB,16KiB", "4 1024 16384");
  expect_list(units_parse_bytes_list, "64..512", "64 128 256 512");
  expect_list(units_parse_bytes_list, "8KiB..32KiB", "8192 16384 32768");
  expect_list(units_parse_bytes_list, "3..24", "3 6 12 24");
  expect_list(units_parse_bytes_list, "100..6400", "100 200 400 800 1600 3200 6400");
  expect_list(units_parse_bytes_list, "0,1MiB,2GiB", "0 1048576 2147483648");
  expect_list(units_parse_bytes_list, "1K,2k,3M,1G,1k..4KiB", "1024 2048 3145728 1073741824 1024 2048 4096");
}

TEST(a_range_ends_at_the_largest_number_there_is) {
  expect_list(units_parse_bytes_list, "4611686018427387904..9223372036854775808",
              "4611686018427387904 9223372036854775808");
  expect_list(units_parse_count_list, "4294967294..4294967295", "4294967294 4294967295");
}

TEST(ranks_are_counts_or_all) {
  expect_list(units_parse_ranks_list, "2..4,all,8", "2 3 4 18446744073709551615 8");
  expect_refusal(units_parse_ranks_list, "2..all", "'all' is not a count");
  expect_refusal(units_parse_ranks_list, "al", "'al' is not a count");
  expect_refusal(units_parse_ranks_list, "18446744073709551615", "too large");
  expect_refusal(units_parse_count_list, "all", "'all' is not a count");
}

/* Check that the values TEXT of a parameter are EXPECTED with all values of ranges. */
static void expect_values(const char *text, const char *expected) {
  struct err err = {0};
  char *found = units_expand_ranges(text, &err);
  ck_assert_msg(found, "%s: %s", text, err.text);
  ck_assert_str_eq(found, expected);
  free(found);
}

TEST(ranges_of_values_double) {
  expect_values("5..40", "5,10,20,40");
  expect_values("1,0.1..0.8,7", "1,0.1,0.2,0.4,0.8,7");
  expect_values("25.6..51.2,3..3", "25.6,51.2,3");
  expect_values("../a,b..c,0.0.0,,1..", "../a,b..c,0.0.0,,1..");
  expect_values("", "");
}

TEST(ranges_of_values_end_on_a_doubling) {
  static const char *const cases[][2] = {
    {"5..41", "a range doubles, and 41 is not 5 times a power of two, expected 5..80 or 5,41"},
    {"0.1..1", "a range doubles, and 1 is not 0.1 times a power of two, expected 0.1..1.6 or 0.1,1"},
    {"0..8", "range 0..8 never grows by doubling, expected a start above 0"},
    {"8..4", "range 8..4 falls, expected the smaller end first"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct err err = {0};
    ck_assert_ptr_null(units_expand_ranges(cases[i][0], &err));
    ck_assert_str_eq(err.text, cases[i][1]);
  }
}

TEST(malformed_counts_are_refused) {
  static const char *const texts[] = {"",   "x",    "-1",  "+1",   " 1",
                                      "1 ", "0x10", "1.5", "1KiB", "18446744073709551616"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char found[64];
    snprintf(found, sizeof found, "'%s' is not a count", texts[i]);
    expect_refusal(units_parse_count_list, texts[i], found);
  }
  expect_refusal(
    units_parse_count_list, "2-8",
    "'2-8' is not a count, expected a whole number such as 8; a list can have a range such as 2..16");
  expect_refusal(units_parse_count_list, "-8", "'-8' is not a count, expected a whole number such as 8");
  expect_refusal(units_parse_count_list, "1,,2", "'' is not a count");
  expect_refusal(units_parse_count_list, "1,", "'' is not a count");
  expect_refusal(units_parse_count_list, "2..", "'' is not a count");
  expect_refusal(units_parse_count_list, "2...4", "'.4' is not a count");
  expect_refusal(units_parse_count_list, "4294967296", "too large");
}

TEST(malformed_sizes_are_refused) {
  static const char *const texts[] = {"",     "16m",   "4kib", "4 KiB",         "KiB",
                                      "1TiB", "1KiBx", "1KB2", "17179869184GiB"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char found[64];
    snprintf(found, sizeof found, "'%s' is not a size", texts[i]);
    expect_refusal(units_parse_bytes_list, texts[i], found);
  }
  expect_refusal(units_parse_bytes_list, "1kB", "'1kB' is not a size, expected 1K (1KiB) or 1000");
  expect_refusal(units_parse_bytes_list, "64,16KB", "'16KB' is not a size, expected 16K (16KiB) or 16000");
  expect_refusal(units_parse_bytes_list, "2MB", "expected 2M (2MiB) or 2000000");
  expect_refusal(units_parse_bytes_list, "3GB", "expected 3G (3GiB) or 3000000000");
  expect_refusal(units_parse_bytes_list, "18446744073709551615GB", "expected bytes such as 64, 4KiB or 1MiB");
}

TEST(ranges_that_make_no_sense_are_refused) {
  expect_refusal(units_parse_count_list, "4..2", "range 4..2 falls");
  expect_refusal(units_parse_bytes_list, "2KiB..1KiB", "range 2KiB..1KiB falls");
  expect_refusal(units_parse_bytes_list, "0..64", "never grows");
  expect_refusal(units_parse_bytes_list, "64..100",
                 "a range doubles, and 100 is not 64 times a power of two, expected 64..128 or 64,100");
  expect_refusal(units_parse_bytes_list, "1KiB..100KiB",
                 "100KiB is not 1KiB times a power of two, expected 1KiB..128KiB or 1KiB,100KiB");
  expect_refusal(units_parse_bytes_list, "9223372036854775808..18446744073709551615", "a power of two");
  expect_refusal(units_parse_count_list, "1..100000", "more than 65536 values");
}

TEST(sizes_are_printed_in_the_largest_unit_that_divides_them) {
  static const struct {
    uint64_t nbytes;
    const char *text;
  } cases[] = {{0, "0"},       {64, "64"},       {1000, "1000"},    {1024, "1KiB"},
               {1536, "1536"}, {32768, "32KiB"}, {1048576, "1MiB"}, {3221225472, "3GiB"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_str_eq(units_format_bytes(cases[i].nbytes), cases[i].text);
  }
}
