/* SPDX-License-Identifier: BSD-3-Clause
 * The refined cost of data in main memory, against times worked out by hand. */
#include "algos/catalogue.h"
#include "algos/cost/memory_cost.h"
#include "sim/base/err.h"

#include <check.h>

Suite *memory_cost_suite(void);

/* Return when a get that begins at START and takes ALONE ends beside a task from BEGIN on, which takes 1000 cycles, the last
 * request 200 of them. */
static double
end_beside(double start, double alone, double begin)
{
  struct memory_task task = {.start = begin, .end = begin + 1000};
  struct memory_get get = {.start = start, .alone = alone, .end = start + alone};
  memory_cost_beside(&task, 200, &get);
  return get.end;
}

START_TEST(a_get_waits_for_requests_that_are_sent_beside_it)
{
  ck_assert_double_eq_tol(end_beside(300, 1000, 0), 1300 + 500, 1e-6); /* requests from 300 to 800 */
  ck_assert_double_eq_tol(end_beside(0, 1000, 500), 1000 + 400, 1e-6); /* half of the get, so half of 800 */
}
END_TEST

START_TEST(a_get_before_or_behind_all_requests_is_not_held_up)
{
  ck_assert_double_eq(end_beside(800, 1000, 0), 1800);
  ck_assert_double_eq(end_beside(0, 1000, 1000), 1000);
}
END_TEST

static double
half_a_cycle_per_byte(const struct cost *cost)
{
  ck_assert_uint_le(cost->m, 400);
  return 1000 + (double)cost->m / 2;
}

/* Up to four pieces of 100 bytes are known. */
START_TEST(more_pieces_take_as_long_as_the_last_one)
{
  static const struct {
    size_t m;
    double busy, expected;
  } cases[] = {{350, 0, 1175}, {400, 90, 1200}, {1000, 0, 1500}, {950, 0, 1475}, {1000, 80, 1200 + 6 * 80}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct memory_stream stream = {
      .piece = 100, .most = 4, .few = half_a_cycle_per_byte, .busy = cases[i].busy};
    ck_assert_double_eq(memory_cost_stream(&(struct cost){.m = cases[i].m}, &stream), cases[i].expected);
  }
}
END_TEST

static double
of_the_ppe(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned n)
{
  (void)cost, (void)n;
  switch (parameter) {
  case COST_MAIL:
    return 1000;
  case COST_HEAR:
    return 100;
  case COST_ANSWER:
    return 10;
  case COST_PPE_COPY:
    return (double)m;
  case COST_L:
    return 20;
  case COST_ISSUE:
    return 5;
  case COST_HANDLE:
    return 3;
  default:
    ck_abort_msg("parameter %d", (int)parameter);
  }
}

/* Rank r is told at 1000 + 2 (100 + 500) + 10 r. 2 raises its flag at 2220, which 0 hears at 2240; 1, which has done so at 2210,
 * hears 0 at 2260; 0 goes on at 2240 + 5 + 3 and raises the flag that 2 hears at 2268. */
START_TEST(the_ppe_does_one_thing_after_the_other)
{
  struct algo_call call;
  struct err err = {""};
  ck_assert_int_eq(catalogue_find("bcast:mm-ppe", &call, &err), 0);
  struct cost cost = {.p = 3, .m = 500, .spes_per_chip = 8, .refined = true, .parameter = of_the_ppe};
  ck_assert_double_eq(call.algo->refined(&cost), 2268);
}
END_TEST

Suite *
memory_cost_suite(void)
{
  Suite *suite = suite_create("memory_cost");
  TCase *tests = tcase_create("memory_cost");
  tcase_add_test(tests, a_get_waits_for_requests_that_are_sent_beside_it);
  tcase_add_test(tests, a_get_before_or_behind_all_requests_is_not_held_up);
  tcase_add_test(tests, more_pieces_take_as_long_as_the_last_one);
  tcase_add_test(tests, the_ppe_does_one_thing_after_the_other);
  suite_add_tcase(suite, tests);
  return suite;
}
