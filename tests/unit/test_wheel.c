/* SPDX-License-Identifier: BSD-3-Clause
 * The timing wheel: the events, and the order of events. */
#include "sim/base/engine/wheel.h"
#include "tests/bed.h"

enum { POOL = 200 };

static struct wheel wheel;
static struct event e[POOL];
static char story[POOL];       /* past events: the indices, as digits */
static void (*then)(unsigned); /* called with the index of each event at its cycle; or NULL */

static void happen(struct event *event) {
  unsigned index = (unsigned)(event - e);
  size_t used = strlen(story);
  if (event->pending || event->at != wheel.now) {
    ck_abort_msg("event %u of cycle %llu happens at %llu", index, (unsigned long long)event->at,
                 (unsigned long long)wheel.now);
  }
  if (used + 1 < sizeof story) {
    story[used] = (char)('0' + index);
    story[used + 1] = '\0';
  }
  if (then) {
    then(index);
  }
}

static void start(void) {
  memset(&wheel, 0, sizeof wheel);
  wheel_reset(&wheel);
  for (unsigned i = 0; i < POOL; i++) {
    e[i] = (struct event){.run = happen};
  }
  story[0] = '\0';
  then = NULL;
}

static void stop(void) {
  wheel_fini(&wheel);
}

/* Let event INDEX happen at cycle AT with ORDER. */
static void add(unsigned index, uint64_t at, uint32_t order) {
  e[index].order = order;
  wheel_add(&wheel, &e[index], at);
}

/* Run all events and check the order EXPECTED: one digit for each event. */
static void expect(const char *expected) {
  while (wheel_run(&wheel, UINT64_MAX)) {
  }
  ck_assert_str_eq(story, expected);
  story[0] = '\0';
}

TESTS(wheel, .start = start, .stop = stop);

TEST(events_come_by_cycle_then_order_then_arrival) {
  add(0, 9, 0);
  add(1, 5, 7);
  add(2, 5, 3);
  add(3, 5, 7);
  add(4, 5, 3);
  add(5, 5, 9);
  expect("241350");
  ck_assert_uint_eq(wheel.now, 9);
}

/* Event 3 comes before the first event of its slot, but an equal event is further behind. */
TEST(what_comes_before_the_first_comes_after_its_equals) {
  add(0, 7, 2);
  add(1, 7, 9);
  add(2, 7, 5);
  add(4, 7, 8);
  wheel_remove(&wheel, &e[0]);
  add(3, 7, 5);
  expect("2341");
}

/* --- events added while others happen --- */

static void add_to_this_cycle(unsigned index) {
  if (index == 0) {
    add(2, wheel.now, 2); /* before the current event: next turn */
    add(3, wheel.now, 9);
    add(4, wheel.now, 8);
    add(5, wheel.now, 5);
  }
  if (index == 3) {
    add(6, wheel.now, 0); /* nothing else is left */
  }
}

TEST(events_may_be_added_to_the_cycle_that_is_running) {
  then = add_to_this_cycle;
  add(0, 4, 5);
  add(1, 4, 8);
  add(7, 5, 0);
  expect("02514367");
}

static void add_between(unsigned index) {
  if (index == 0) {
    for (unsigned i = 3; i < 8; i++) {
      add(i, wheel.now, i + 3); /* 6, 7, 8, 9, 10 */
    }
  } else if (index == 3) {
    wheel_remove(&wheel, &e[6]); /* before the event's turn */
  } else if (index == 1) {
    ck_assert_ptr_eq(wheel_take_same(&wheel, &e[1]), &e[4]); /* comes behind its equal, at once */
    ck_assert_ptr_null(wheel_take_same(&wheel, &e[1]));
  }
}

TEST(what_is_added_to_a_cycle_in_order_comes_in_its_places) {
  then = add_between;
  add(0, 4, 5);
  add(1, 4, 7);
  add(2, 4, 9);
  expect("031527");
}

static const uint64_t far = 3 * WHEEL_SLOTS + 17;

static void add_to_far(unsigned index) {
  if (index == 3) {
    add(4, far, 4);
  }
}

/* Far events wait in the heap; events of one cycle still come by order and, for equal orders, by arrival,
 * also when the later ones were added after the clock had come near. */
TEST(far_events_keep_their_place) {
  then = add_to_far;
  add(0, far, 4);
  add(1, far, 4);
  add(2, far, 1);
  add(3, far - WHEEL_SLOTS / 2, 0);
  expect("32014");
  ck_assert_uint_eq(wheel.now, far);
}

/* All of one slot: event 0 happens early, and is then the first of three events added to the slot
 * together. */
TEST(an_event_can_come_again_in_the_same_slot) {
  uint64_t soon = 100, late = soon + 2 * WHEEL_SLOTS;
  add(0, soon, 1);
  expect("0");
  add(2, late, 100);
  add(1, late, 2);
  add(0, late, 1);
  expect("012");
}

static void add_around_the_horizon(unsigned index) {
  if (index == 0) { /* cycle 100 is in the block from 64 on */
    add(1, 64 + WHEEL_SLOTS, 0);
    add(2, 64 + WHEEL_SLOTS - 1, 0);
    add(3, 100 + WHEEL_SLOTS, 0);
    add(4, 100 + WHEEL_SLOTS - 1, 0);
    add(5, 64 + 2 * WHEEL_SLOTS, 0);
  }
}

TEST(cycles_that_share_a_slot_are_told_apart) {
  then = add_around_the_horizon;
  add(0, 100, 0);
  expect("021435");
}

static unsigned hops;

static void hop_on(unsigned index) {
  if (hops-- > 0) {
    add(1 - index, wheel.now + 1 + hops * 7 % (WHEEL_SLOTS + 100), 0);
  }
}

TEST(slots_are_found_round_the_corner) {
  uint64_t end = 0;
  hops = 1000;
  for (unsigned i = 0; i < hops; i++) {
    end += 1 + i * 7 % (WHEEL_SLOTS + 100);
  }
  then = hop_on;
  add(0, 0, 0);
  while (wheel_run(&wheel, UINT64_MAX)) {
  }
  ck_assert_uint_eq(hops, UINT32_MAX);
  ck_assert_uint_eq(wheel.now, end);
}

/* --- events taken back --- */

TEST(events_can_be_taken_back_from_anywhere) {
  for (unsigned i = 0; i < 4; i++) {
    add(i, 6, 1 + i);
  }
  for (unsigned i = 4; i < 8; i++) {
    add(i, 10000 + i, 0);
  }
  add(8, 70, 0);
  wheel_remove(&wheel, &e[0]); /* first in the slot */
  wheel_remove(&wheel, &e[2]); /* amid */
  wheel_remove(&wheel, &e[3]); /* last */
  wheel_remove(&wheel, &e[4]); /* top of the heap */
  wheel_remove(&wheel, &e[7]); /* end of the heap */
  wheel_remove(&wheel, &e[8]); /* alone in the slot */
  ck_assert(!e[0].pending && !e[2].pending && !e[3].pending && !e[4].pending && !e[7].pending &&
            !e[8].pending);
  add(3, 6, 2);
  expect("1356");
  add(0, 20000, 0);
  wheel_remove(&wheel, &e[0]);
  expect("");
  ck_assert_uint_eq(wheel.now, 10006);
}

/* A heap of some levels; every third event of the heap is taken back, in an order other than the order of
 * cycles. */
TEST(any_of_many_far_events_can_be_taken_back) {
  char expected[POOL] = "";
  for (unsigned i = 0; i < POOL; i++) {
    add(i, far + i * 37 % POOL * 3, 0); /* 37 has no divisor in common with POOL */
  }
  for (unsigned i = 0; i < POOL; i += 3) {
    wheel_remove(&wheel, &e[i]);
  }
  for (unsigned place = 0; place < POOL; place++) {
    for (unsigned i = 0; i < POOL; i++) {
      if (i * 37 % POOL == place && i % 3) {
        expected[strlen(expected)] = (char)('0' + i);
      }
    }
  }
  expect(expected);
}

static void take_back(unsigned index) {
  if (index == 0) {
    wheel_remove(&wheel, &e[1]);
    add(5, wheel.now, 2);
    add(4, wheel.now, 9);
    wheel_remove(&wheel, &e[5]); /* the event has come to the current cycle */
  } else if (index == 4) {
    add(5, wheel.now, 0);
    wheel_remove(&wheel, &e[5]); /* and was the only one */
  }
}

TEST(events_can_be_taken_back_in_their_cycle) {
  then = take_back;
  for (unsigned i = 0; i < 3; i++) {
    add(i, 6, i);
  }
  add(3, 7, 0);
  expect("0243");
}

TEST(a_reset_wheel_is_empty_and_at_cycle_0) {
  add(2, 1, 0);
  expect("2");
  add(0, 5, 0);
  add(1, 50000, 0);
  wheel_reset(&wheel);
  expect("");
  ck_assert_uint_eq(wheel.now, 0);
  add(3, 0, 0);
  expect("3");
}

/* --- against a naive list --- */

static struct dice dice;
static uint64_t arrival[POOL], serial; /* arrival numbers break ties */
static unsigned steps;                 /* left */

static bool comes_before(unsigned a, unsigned b) {
  if (e[a].at != e[b].at) {
    return e[a].at < e[b].at;
  }
  return e[a].order != e[b].order ? e[a].order < e[b].order : arrival[a] < arrival[b];
}

/* Add an event if not pending; else take the event back, but seldom. Many events share a cycle, also the
 * current one, and an order. */
static void change_one(void) {
  static const uint64_t spans[] = {2, 40, 40, 3 * WHEEL_SLOTS};
  unsigned i = (unsigned)dice_below(&dice, POOL);
  if (!e[i].pending) {
    arrival[i] = serial++;
    add(i, wheel.now + dice_below(&dice, spans[dice_below(&dice, 4)]), (uint32_t)dice_below(&dice, 9));
  } else if (dice_below(&dice, 6) == 0) {
    wheel_remove(&wheel, &e[i]);
  }
}

static void check_and_change(unsigned index) {
  for (unsigned i = 0; i < POOL; i++) {
    if (e[i].pending && comes_before(i, index)) {
      ck_abort_msg("step %u: %u comes before %u", steps, i, index);
    }
  }
  for (unsigned i = 0; i < 3 && steps > 0; i++) {
    steps--;
    change_one();
  }
}

/* Loop test: the index is the seed. */
TEST_EACH(a_naive_list_agrees_over_random_operations, 1, 6) {
  dice = (struct dice){(uint64_t)_i};
  serial = 0;
  steps = 20000;
  then = check_and_change;
  while (steps > 0) {
    change_one();
    while (wheel_run(&wheel, UINT64_MAX)) {
    }
  }
  for (unsigned i = 0; i < POOL; i++) {
    ck_assert_msg(!e[i].pending, "%u has not happened", i);
  }
}

/* All events in one cycle, in pieces of sorted events, as in a large machine. Loop test: the index is the
 * seed, and the number of pieces. */
TEST_EACH(many_events_of_one_cycle_come_in_order, 1, 12) {
  dice = (struct dice){(uint64_t)_i};
  steps = 0;
  then = check_and_change;
  for (unsigned i = 0; i < POOL; i++) {
    uint32_t piece = i % (POOL / (unsigned)_i);
    arrival[i] = i;
    add(i, 50, piece / 2 + (uint32_t)dice_below(&dice, 2));
  }
  ck_assert(wheel_run(&wheel, UINT64_MAX));
  ck_assert(!wheel_run(&wheel, UINT64_MAX));
  for (unsigned i = 0; i < POOL; i++) {
    ck_assert(!e[i].pending);
  }
}
