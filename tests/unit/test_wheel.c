/* SPDX-License-Identifier: BSD-3-Clause
 * The timing wheel: what comes out, and in which order. */
#include "sim/base/wheel.h"
#include "tests/bed.h"

#include <check.h>

Suite *wheel_suite(void);

static struct wheel wheel;

static void
start(void)
{
  wheel_init(&wheel);
}

static void
stop(void)
{
  wheel_fini(&wheel);
}

static void
add(struct event *event, uint64_t at, uint32_t order)
{
  event->order = order;
  wheel_add(&wheel, event, at);
}

/* Check that EVENT is the next one and happens at cycle AT. */
static void
expect(const struct event *event, uint64_t at)
{
  ck_assert_uint_eq(wheel_next(&wheel), at);
  wheel_advance(&wheel, at);
  ck_assert_ptr_eq(wheel_pop(&wheel), event);
  ck_assert(!event->pending);
}

static void
expect_nothing(void)
{
  ck_assert_uint_eq(wheel_next(&wheel), WHEEL_NEVER);
  ck_assert_ptr_null(wheel_pop(&wheel));
}

START_TEST(events_come_by_cycle_then_order_then_arrival)
{
  struct event e[6] = {{0}};
  add(&e[0], 9, 0);
  add(&e[1], 5, 7);
  add(&e[2], 5, 3);
  add(&e[3], 5, 7);
  add(&e[4], 5, 3);
  add(&e[5], 5, 9);
  expect(&e[2], 5);
  expect(&e[4], 5);
  expect(&e[1], 5);
  expect(&e[3], 5);
  expect(&e[5], 5);
  ck_assert_ptr_null(wheel_pop(&wheel));
  expect(&e[0], 9);
  expect_nothing();
}
END_TEST

START_TEST(an_event_may_be_added_to_the_cycle_that_is_running)
{
  struct event e[3] = {{0}};
  add(&e[0], 4, 5);
  add(&e[1], 4, 8);
  expect(&e[0], 4);
  add(&e[2], 4, 2);
  expect(&e[2], 4);
  expect(&e[1], 4);
}
END_TEST

/* Far events wait in the heap; those of one cycle still come by order and, for equal orders, by arrival, also when the
 * later ones were added after the clock had come near. */
START_TEST(far_events_keep_their_place)
{
  uint64_t far = 3 * WHEEL_SLOTS + 17;
  struct event e[5] = {{0}};
  add(&e[0], far, 4);
  add(&e[1], far, 4);
  add(&e[2], far, 1);
  add(&e[3], far - WHEEL_SLOTS / 2, 0);
  expect(&e[3], far - WHEEL_SLOTS / 2);
  add(&e[4], far, 4);
  expect(&e[2], far);
  expect(&e[0], far);
  expect(&e[1], far);
  expect(&e[4], far);
}
END_TEST

/* The first cycle that does not fit the slots is now + WHEEL_SLOTS: it would share the slot of now itself. */
/* All for the same slot: one that happens early, and is then the first of three late ones that come into it together, the last
 * one of another phase. */
START_TEST(a_late_event_is_not_looked_for_where_it_was_before)
{
  struct event first = {0}, second = {0}, third = {0};
  uint64_t soon = 100, late = soon + 2 * WHEEL_SLOTS;
  add(&first, soon, 1);
  expect(&first, soon);
  add(&third, late, UINT32_C(1) << WHEEL_PHASE_SHIFT);
  add(&second, late, 2);
  add(&first, late, 1);
  wheel_advance(&wheel, late - 1);
  expect(&first, late);
  expect(&second, late);
  expect(&third, late);
  expect_nothing();
}
END_TEST

START_TEST(the_last_slot_and_the_first_late_cycle_are_told_apart)
{
  struct event e[3] = {{0}};
  wheel_advance(&wheel, 100);
  add(&e[0], 100 + WHEEL_SLOTS, 0);
  add(&e[1], 100 + WHEEL_SLOTS - 1, 0);
  add(&e[2], 100, 0);
  expect(&e[2], 100);
  expect(&e[1], 100 + WHEEL_SLOTS - 1);
  expect(&e[0], 100 + WHEEL_SLOTS);
}
END_TEST

START_TEST(slots_are_found_round_the_corner)
{
  for (uint64_t now = 0; now < 3 * WHEEL_SLOTS; now += 61) {
    struct event e[2] = {{0}};
    uint64_t far = now + 1 + now * 7 % (WHEEL_SLOTS - 1);
    wheel_advance(&wheel, now);
    add(&e[0], far, 0);
    ck_assert_uint_eq(wheel_next(&wheel), far);
    add(&e[1], now + 1, 0);
    ck_assert_uint_eq(wheel_next(&wheel), now + 1);
    wheel_remove(&wheel, &e[1]);
    wheel_remove(&wheel, &e[0]);
    expect_nothing();
  }
}
END_TEST

START_TEST(events_can_be_taken_back_from_anywhere)
{
  struct event e[7] = {{0}};
  add(&e[0], 6, 1);
  add(&e[1], 6, 2);
  add(&e[2], 6, 3);
  add(&e[3], 6, 4);
  for (unsigned i = 4; i < 7; i++) {
    add(&e[i], 10000 + i, 0);
  }
  wheel_remove(&wheel, &e[0]); /* first of its slot */
  wheel_remove(&wheel, &e[2]); /* amid */
  wheel_remove(&wheel, &e[3]); /* last */
  wheel_remove(&wheel, &e[4]); /* top of the heap */
  ck_assert(!e[0].pending && !e[2].pending && !e[3].pending && !e[4].pending);
  add(&e[3], 6, 2);
  expect(&e[1], 6);
  expect(&e[3], 6);
  expect(&e[5], 10005);
  wheel_remove(&wheel, &e[6]);
  expect_nothing();
}
END_TEST

START_TEST(a_reset_wheel_is_empty_and_at_cycle_0)
{
  struct event e[2] = {{0}}, other = {0};
  add(&e[0], 5, 0);
  add(&e[1], 50000, 0);
  wheel_advance(&wheel, 5);
  wheel_reset(&wheel);
  expect_nothing();
  add(&other, 0, 0);
  expect(&other, 0);
}
END_TEST

enum { POOL = 200 };

/* The naive model: return the index of the event that must come next, -1 for none. Arrival numbers break ties. */
static int
naive_next(const struct event *events, const uint64_t *arrival)
{
  int best = -1;
  for (int i = 0; i < POOL; i++) {
    const struct event *e = &events[i], *b = best < 0 ? NULL : &events[best];
    if (e->pending && (!b || e->at < b->at || (e->at == b->at && e->order < b->order) ||
                       (e->at == b->at && e->order == b->order && arrival[i] < arrival[best]))) {
      best = i;
    }
  }
  return best;
}

/* Loop test: the index is the seed. */
START_TEST(a_naive_list_agrees_over_random_operations)
{
  struct event events[POOL] = {{0}};
  uint64_t arrival[POOL] = {0}, serial = 0;
  struct dice dice = {(uint64_t)_i};
  for (unsigned step = 0; step < 20000; step++) {
    unsigned i = (unsigned)dice_below(&dice, POOL);
    if (!events[i].pending) {
      uint64_t span = dice_below(&dice, 4) ? 40 : 3 * WHEEL_SLOTS;
      arrival[i] = serial++;
      add(&events[i], wheel.now + dice_below(&dice, span), (uint32_t)dice_below(&dice, 5));
    } else if (dice_below(&dice, 3) == 0) {
      wheel_remove(&wheel, &events[i]);
    } else {
      int next = naive_next(events, arrival);
      uint64_t at = events[next].at;
      ck_assert_msg(wheel_next(&wheel) == at, "seed %d, step %u", _i, step);
      wheel_advance(&wheel, at);
      ck_assert_msg(wheel_pop(&wheel) == &events[next], "seed %d, step %u", _i, step);
    }
  }
}
END_TEST

Suite *
wheel_suite(void)
{
  Suite *suite = suite_create("wheel");
  TCase *tests = tcase_create("wheel");
  tcase_add_checked_fixture(tests, start, stop);
  tcase_add_test(tests, events_come_by_cycle_then_order_then_arrival);
  tcase_add_test(tests, an_event_may_be_added_to_the_cycle_that_is_running);
  tcase_add_test(tests, far_events_keep_their_place);
  tcase_add_test(tests, a_late_event_is_not_looked_for_where_it_was_before);
  tcase_add_test(tests, the_last_slot_and_the_first_late_cycle_are_told_apart);
  tcase_add_test(tests, slots_are_found_round_the_corner);
  tcase_add_test(tests, events_can_be_taken_back_from_anywhere);
  tcase_add_test(tests, a_reset_wheel_is_empty_and_at_cycle_0);
  tcase_add_loop_test(tests, a_naive_list_agrees_over_random_operations, 1, 6);
  suite_add_tcase(suite, tests);
  return suite;
}
