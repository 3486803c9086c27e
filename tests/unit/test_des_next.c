/* SPDX-License-Identifier: BSD-3-Clause
 * Waits in a row: the event core sees to what comes after a wait, in the cycles in which the program would, and lets the program go on
 * after the last one. */
#include "sim/base/des.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

Suite *des_next_suite(void);

static struct des_node *node;

static void
begin(void)
{
  des_init();
  node = des_node_new();
}

static void
finish(void)
{
  des_node_free(node);
}

/* A device that counts, every 100 cycles, up to LAST, and tells the program of each. */
static struct device {
  struct event event;
  struct des_actor *program;
  int value, last;
} device;

static void
count(struct event *event)
{
  device.value++;
  des_poke(device.program, 1);
  if (device.value < device.last) {
    des_schedule(event, des_now() + 100, DES_DELIVER, 0);
  }
}

/* A wait for the device to come to VALUE. */
struct value_wait {
  struct des_wait wait; /* first */
  int value;
};

static bool
is_reached(const struct des_wait *wait)
{
  return device.value >= ((const struct value_wait *)wait)->value;
}

static void
describe(const struct des_wait *wait, char *text, size_t size)
{
  snprintf(text, size, "waits for %d", ((const struct value_wait *)wait)->value);
}

/* What a program does that waits for 3, computes, and waits for 4, and when it did. */
struct story {
  bool in_a_row; /* the event core sees to what comes after the first wait */
  uint64_t start, computes;
  uint64_t between, end; /* cycles in which the first wait was over and the second one */
};

static struct story story;
static struct value_wait first, second;

static struct des_wait *
compute(struct des_wait *wait)
{
  ck_assert_ptr_eq(wait, &first.wait);
  ck_assert_ptr_eq(des_self(), device.program);
  ck_assert_uint_eq(des_local(des_self()), des_now());
  story.between = des_now();
  des_charge(des_self(), story.computes);
  return &second.wait;
}

static void
wait_for_both(void *argument)
{
  (void)argument;
  first = second = (struct value_wait){.wait = {.kinds = 1, .ready = is_reached, .describe = describe}};
  first.value = 3;
  second.value = 4;
  if (story.in_a_row) {
    first.wait.next = compute;
    des_wait(des_self(), &first.wait);
  } else {
    des_wait(des_self(), &first.wait);
    des_wait(des_self(), compute(&first.wait));
  }
  ck_assert_uint_eq(des_local(des_self()), des_now());
  story.end = des_now();
}

/* Let the program of `story` run while the device counts from cycle 100 on up to LAST. */
static struct des_result
run(int last)
{
  device = (struct device){.event.run = count, .last = last};
  des_schedule_on(node, &device.event, 100, des_order(DES_DELIVER, 0));
  struct des_job job = {.program = wait_for_both, .name = "program"};
  device.program = des_spawn(node, &job, story.start);
  return des_run(node);
}

/* 3 is reached at cycle 300, 4 at 400. */
START_TEST(waits_in_a_row_end_when_those_of_the_program_would)
{
  static const uint64_t starts[] = {0, 300, 301, 420}, computes[] = {0, 1, 99, 100, 101, 250};
  for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {
    for (unsigned k = 0; k < sizeof computes / sizeof *computes; k++) {
      uint64_t between = starts[i] > 300 ? starts[i] : 300, end = between + computes[k];
      for (unsigned in_a_row = 0; in_a_row < 2; in_a_row++) {
        story = (struct story){.in_a_row = in_a_row, .start = starts[i], .computes = computes[k]};
        struct des_result result = run(4);
        ck_assert_uint_eq(result.stuck, 0);
        ck_assert_uint_eq(story.between, between);
        ck_assert_uint_eq(story.end, end > 400 ? end : 400);
        ck_assert_uint_eq(result.cycles, story.end);
      }
    }
  }
}
END_TEST

START_TEST(a_deadlock_names_the_wait_that_was_reached)
{
  for (unsigned in_a_row = 0; in_a_row < 2; in_a_row++) {
    story = (struct story){.in_a_row = in_a_row, .computes = 7};
    struct des_result result = run(3);
    ck_assert_uint_eq(result.stuck, 1);
    ck_assert_str_eq(result.stuck_report, "program waits for 4 since cycle 307\n");
    free(result.stuck_report);
  }
}
END_TEST

Suite *
des_next_suite(void)
{
  Suite *suite = suite_create("des_next");
  TCase *tests = tcase_create("des_next");
  tcase_add_checked_fixture(tests, begin, finish);
  tcase_add_test(tests, waits_in_a_row_end_when_those_of_the_program_would);
  tcase_add_test(tests, a_deadlock_names_the_wait_that_was_reached);
  suite_add_tcase(suite, tests);
  return suite;
}
