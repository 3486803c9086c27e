/* SPDX-License-Identifier: BSD-3-Clause
 * How tests are written. A file of tests says once which suite its tests are in, then come the tests:
 *
 *   TESTS(channels, .start = bed_begin, .stop = bed_end);
 *   TEST(tags_are_handed_out_once) { ... }
 *   TEST_EACH(a_condition_is_kept, 0, 4) { ... _i ... }
 *
 * Nothing else lists tests: tests/unit/main.c finds all tests of its program. */
#pragma once

#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs and observers of tests have the parameters of their kind, used or not. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The message of a call that must not fail but has failed, and the check that CALL, which tells `failure`,
 * returns 0. */
extern struct err failure;
#define SUCCEEDS(call) ck_assert_msg((call) == 0, "%s", failure.text)

/* Check that CALL, which tells `failure`, returns -1 and says MESSAGE. */
#define FAILS(call, message) \
  do { \
    failure = (struct err){""}; \
    ck_assert_int_eq(call, -1); \
    ck_assert_str_eq(failure.text, message); \
    failure = (struct err){""}; \
  } while (0)

/* What holds for the tests that follow in the same file, up to the next TESTS. */
struct test_group {
  const char *suite, *file;
  int line;
  void (*start)(void); /* called before each test, NULL: nothing */
  void (*stop)(void);  /* called after each test that passes, NULL: nothing */
};

/* A test, or one for each number from first() to below end(). */
struct test {
  const TTest *const *test;
  const char *file;
  int line;
  int (*first)(void), (*end)(void);
  int signal; /* with which the test must end; 0: none */
};

/* Note a group or a test, before main begins. */
void test_add_group(const struct test_group *group);
void test_add(const struct test *test);

#define TEST_PASTE(a, b) a##b
#define TEST_OF_LINE(name, line) TEST_PASTE(name, line)

/* Begin the tests of SUITE_NAME, with other members of struct test_group. */
#define TESTS(suite_name, ...) \
  static const struct test_group TEST_OF_LINE(group_, __LINE__); \
  __attribute__((constructor)) static void TEST_OF_LINE(add_group_, __LINE__)(void) { \
    test_add_group(&TEST_OF_LINE(group_, __LINE__)); \
  } \
  static const struct test_group TEST_OF_LINE(group_, __LINE__) = { \
    .suite = #suite_name, .file = __FILE__, .line = __LINE__, __VA_ARGS__}

/* A test that signal SIGNAL ends, for each _i from FIRST to below END. */
#define TEST_ENDED_BY(name, first_i, end_i, signal_number) \
  static const TTest *name; \
  static int name##_first(void) { \
    return (int)(first_i); \
  } \
  static int name##_end(void) { \
    return (int)(end_i); \
  } \
  __attribute__((constructor)) static void name##_add(void) { \
    static const struct test test = {.test = &name, \
                                     .file = __FILE__, \
                                     .line = __LINE__, \
                                     .first = name##_first, \
                                     .end = name##_end, \
                                     .signal = signal_number}; \
    test_add(&test); \
  } \
  START_TEST(name)

/* A test for each _i from FIRST to below END. */
#define TEST_EACH(name, first_i, end_i) TEST_ENDED_BY(name, first_i, end_i, 0)

#define TEST(name) TEST_EACH(name, 0, 1)
