/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks that share main memory, against times worked out by hand from what one SPE takes while others do the same. */
#include "algos/cost/memory_model.h"

#include <check.h>

Suite *memory_model_suite(void);

enum { SPES = 8 };

/* What N SPEs take for reads of so many bytes (the numbers only choose a case), and across for reads and writes. */
static double
parameter(const struct cost *cost, enum cost_parameter parameter, size_t m, unsigned packed)
{
  double n = cost_unpack_movers(packed).spes;
  (void)cost;
  if (parameter == COST_READ2 || parameter == COST_WRITE2) {
    return fmax(5000, 1000 + n * 1000); /* the link is the bottleneck */
  }
  if (parameter == COST_WRITE1 || m == 32) {
    return 1200 + n * 0; /* nothing but latency */
  }
  return m == 64 ? 1200 + n * 300 : fmax(2500 + (n - 1) * 300, 1200 + n * 600);
}

static struct memory_model
empty(void)
{
  static const struct cost cost = {.p = 16, .spes_per_chip = SPES, .parameter = parameter};
  struct memory_model model;
  memory_model_begin(&model, &cost);
  return model;
}

static struct memory_task
read_of(unsigned rank, size_t nbytes, double delay)
{
  return (struct memory_task){
    .kind = COST_READ1, .rank = rank, .nbytes = nbytes, .after = MEMORY_MODEL_AT_ONCE, .delay = delay};
}

static void
expect_end(const struct memory_model *model, int task, double expected)
{
  ck_assert_double_eq_tol(model->tasks[task].end, expected, 0.01);
}

START_TEST(equal_tasks_take_what_was_measured)
{
  for (unsigned n = 1; n <= SPES; n++) {
    struct memory_model model = empty();
    for (unsigned r = 0; r < n; r++) {
      memory_model_add(&model, read_of(r, 4096, 50));
    }
    ck_assert(memory_model_run(&model));
    expect_end(&model, 0, 50 + fmax(2500 + (n - 1) * 300, 1200 + n * 600));
    expect_end(&model, (int)n - 1, 50 + fmax(2500 + (n - 1) * 300, 1200 + n * 600));
  }
}
END_TEST

/* The second burst begins at 1300, when 200 cycles of the first one are left. */
START_TEST(a_later_burst_waits_for_an_earlier_one)
{
  struct memory_model model = empty();
  memory_model_add(&model, read_of(0, 64, 0));
  memory_model_add(&model, read_of(1, 64, 100));
  memory_model_add(&model, read_of(2, 64, 2000));
  ck_assert(memory_model_run(&model));
  expect_end(&model, 0, 1500);
  expect_end(&model, 1, 1800);
  expect_end(&model, 2, 3500);
}
END_TEST

START_TEST(a_task_starts_when_all_it_waits_for_has_ended)
{
  struct memory_model model = empty();
  int first = memory_model_add(&model, read_of(0, 32, 0)),
      second = memory_model_add(&model, read_of(1, 32, 500));
  struct memory_task task = read_of(0, 32, 10);
  task.after = first;
  task.also = second + 1;
  task.also_delay = 7;
  int third = memory_model_add(&model, task);
  task.earliest = 4000;
  int fourth = memory_model_add(&model, task);
  task = read_of(0, 0, 25);
  task.after = third;
  int empty_one = memory_model_add(&model, task);
  ck_assert(memory_model_run(&model));
  expect_end(&model, third, 1700 + 7 + 1200);
  expect_end(&model, fourth, 4000 + 1200);
  expect_end(&model, empty_one, 1700 + 7 + 1200 + 25);
}
END_TEST

/* Six at once keep one direction of the link busy for 6000 cycles, whatever goes the other way. */
START_TEST(the_directions_of_the_link_do_not_share)
{
  struct memory_model model = empty();
  for (unsigned i = 0; i < 12; i++) {
    struct memory_task task = read_of(SPES + i % 6, 32, 0);
    task.kind = i < 6 ? COST_READ1 : COST_WRITE1;
    memory_model_add(&model, task);
  }
  ck_assert(memory_model_run(&model));
  expect_end(&model, 0, 1000 + 6 * 1000);
  expect_end(&model, 11, 1000 + 6 * 1000);
}
END_TEST

/* Reads of 4096 bytes on the chip use 600 cycles each; across, 1000 of the link and nothing of the controller. */
START_TEST(the_busiest_resource_counts)
{
  struct memory_model model = empty();
  for (unsigned r = 0; r < 3; r++) {
    memory_model_add(&model, read_of(r, 4096, 0));
  }
  ck_assert_double_eq_tol(memory_model_busy(&model), 3 * 600, 0.01);
  memory_model_add(&model, read_of(SPES, 32, 0));
  ck_assert_double_eq_tol(memory_model_busy(&model), 3 * 600, 0.01);
  memory_model_add(&model, read_of(SPES + 1, 32, 0));
  ck_assert_double_eq_tol(memory_model_busy(&model), 2 * 1000, 0.01);
}
END_TEST

START_TEST(too_many_tasks_have_no_end)
{
  struct memory_model model = empty();
  for (unsigned i = 0; i <= MEMORY_MODEL_TASKS_MAX; i++) {
    memory_model_add(&model, read_of(0, 32, 0));
  }
  ck_assert(!memory_model_run(&model));
}
END_TEST

Suite *
memory_model_suite(void)
{
  Suite *suite = suite_create("share");
  TCase *tests = tcase_create("share");
  tcase_add_test(tests, equal_tasks_take_what_was_measured);
  tcase_add_test(tests, a_later_burst_waits_for_an_earlier_one);
  tcase_add_test(tests, a_task_starts_when_all_it_waits_for_has_ended);
  tcase_add_test(tests, the_directions_of_the_link_do_not_share);
  tcase_add_test(tests, the_busiest_resource_counts);
  tcase_add_test(tests, too_many_tasks_have_no_end);
  suite_add_tcase(suite, tests);
  return suite;
}
