/* SPDX-License-Identifier: BSD-3-Clause
 * Coroutines: they go on where they have left, and each has a stack of its own. */
#include "sim/base/coroutine.h"
#include "tests/bed.h"

#include <check.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

Suite *coroutine_suite(void);

/* One that counts. */
struct counter {
  struct coroutine *coroutine;
  unsigned count;
};

static void
count(void *argument)
{
  struct counter *counter = argument;
  for (unsigned own = 1;; own++) { /* on its stack */
    counter->count = own;
    coroutine_leave(counter->coroutine);
  }
}

START_TEST(each_goes_on_where_it_has_left)
{
  enum { MANY = 300, ROUNDS = 7 };
  static struct counter counters[MANY];
  for (unsigned i = 0; i < MANY; i++) {
    counters[i].count = 0;
    counters[i].coroutine = coroutine_new(count, &counters[i]);
  }
  for (unsigned round = 1; round <= ROUNDS; round++) {
    for (unsigned i = 0; i < MANY; i += 1 + round % 2) {
      unsigned before = counters[i].count;
      coroutine_enter(counters[i].coroutine);
      ck_assert_uint_eq(counters[i].count, before + 1);
    }
  }
  for (unsigned i = 0; i < MANY; i++) {
    ck_assert_uint_eq(counters[i].count, i % 2 ? ROUNDS / 2 : ROUNDS);
    coroutine_free(counters[i].coroutine);
  }
}
END_TEST

START_TEST(one_that_was_never_entered_does_nothing)
{
  struct counter counter = {.count = 0};
  counter.coroutine = coroutine_new(count, &counter);
  coroutine_free(counter.coroutine);
  coroutine_free(NULL);
  ck_assert_uint_eq(counter.count, 0);
}
END_TEST

/* Fill half of the stack at the deepest place, again and again; the memory of a released one is used by the next. */
static void
fill(void *argument)
{
  struct counter *counter = argument;
  volatile uint8_t room[64 * 1024];
  for (;;) {
    memset((void *)(uintptr_t)room, 0xa5, sizeof room);
    counter->count += room[sizeof room - 1] == 0xa5;
    coroutine_leave(counter->coroutine);
  }
}

START_TEST(stacks_are_used_again)
{
  for (unsigned i = 0; i < 100; i++) {
    struct counter counter = {.count = 0};
    counter.coroutine = coroutine_new(i % 2 ? fill : count, &counter);
    coroutine_enter(counter.coroutine);
    coroutine_enter(counter.coroutine);
    ck_assert_uint_eq(counter.count, 2);
    coroutine_free(counter.coroutine);
  }
}
END_TEST

static unsigned
sink(volatile unsigned *depth)
{
  volatile uint8_t room[1024];
  room[0] = (uint8_t)(*depth)++;
  return *depth < 1U << 20 ? sink(depth) + room[0] : 0;
}

static void
recur(void *argument)
{
  struct counter *counter = argument;
  sink(&counter->count);
  coroutine_leave(counter->coroutine);
}

/* Beyond its end lies a page that nobody may touch, not the stack of another one. */
START_TEST(a_stack_that_is_too_small_ends_the_process)
{
  struct counter counter = {.count = 0};
  counter.coroutine = coroutine_new(recur, &counter);
  coroutine_enter(counter.coroutine);
}
END_TEST

Suite *
coroutine_suite(void)
{
  Suite *suite = suite_create("coroutine");
  TCase *tests = tcase_create("coroutine");
  tcase_add_test(tests, each_goes_on_where_it_has_left);
  tcase_add_test(tests, one_that_was_never_entered_does_nothing);
  tcase_add_test(tests, stacks_are_used_again);
  if (!BED_SANITIZED) {
    tcase_add_test_raise_signal(tests, a_stack_that_is_too_small_ends_the_process, SIGSEGV);
  }
  suite_add_tcase(suite, tests);
  return suite;
}
