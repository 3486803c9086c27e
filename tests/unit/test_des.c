/* SPDX-License-Identifier: BSD-3-Clause
 * The event core: programs and events in simulated time. */
#include "tests/bed.h"

#include <fenv.h>

/* The events of a run, as words; programs write here and tests compare after the run. */
static char story[1024];

static void tell(const char *what) {
  size_t used = strlen(story);
  snprintf(story + used, sizeof story - used, "%s%s@%llu", used ? " " : "", what,
           (unsigned long long)des_now());
}

static struct des_node *node;

static void start(void) {
  bed_start();
  node = des_node_new();
  story[0] = '\0';
}

static void finish(void) {
  des_node_free(node);
}

/* Let EVENT happen at cycle AT of the next run. */
static void plan(struct event *event, uint64_t at, enum des_phase phase, unsigned number) {
  des_schedule_on(node, event, at, des_order(phase, number));
}

/* Run PROGRAM as NUMBER; the argument is the program's name. */
static struct des_actor *spawn(void (*program)(void *), const char *name, unsigned number, uint64_t at) {
  struct des_job job = {
    .program = program, .argument = (void *)(uintptr_t)name, .name = name, .number = number};
  return des_spawn(node, &job, at);
}

/* Run to the end, check its cycle and the story (NULL: any), and begin a new story. */
static void expect(uint64_t cycles, const char *expected) {
  struct des_result result = des_run(node);
  ck_assert_ptr_null(des_self());
  ck_assert_uint_eq(result.cycles, cycles);
  ck_assert_ptr_null(result.stuck);
  ck_assert(!des_interrupted());
  if (expected) {
    ck_assert_str_eq(story, expected);
    story[0] = '\0';
  }
}

/* --- time of programs --- */

static void charge_twice(void *name) {
  struct des_actor *self = des_self();
  des_charge(self, 7);
  des_charge(self, 5);
  ck_assert_str_eq(des_name(self), name);
  tell(des_local(self) == des_now() + 12 ? "ahead" : "wrong");
  des_sync(self);
  tell(des_local(self) == des_now() ? "level" : "wrong");
  des_charge(self, 30);
}

TESTS(des, .start = start, .stop = finish);

/* Charged time is the program's own until a sync; time owed at the program's end passes as well. */
TEST(charged_time_passes_at_the_next_sync) {
  spawn(charge_twice, "a", 0, 100);
  expect(100 + 12 + 30, "ahead@100 level@112");
}

static void say_name(void *name) {
  tell(name);
}

static void round_upward(void *name) {
  tell(fegetround() == FE_TONEAREST ? name : "wrong");
  fesetround(FE_UPWARD);
}

/* Each program begins with the first program's rounding mode, also on a stack used before. */
TEST(programs_leave_their_rounding_to_nobody) {
  spawn(round_upward, "a", 0, 0);
  expect(0, NULL);
  spawn(round_upward, "b", 0, 0);
  spawn(round_upward, "c", 1, 5);
  expect(5, "a@0 b@0 c@5");
  ck_assert_int_eq(fegetround(), FE_TONEAREST);
}

TEST(programs_of_one_cycle_run_by_ascending_number) {
  spawn(say_name, "third", 9, 5);
  spawn(say_name, "first", 2, 5);
  spawn(say_name, "second", 4, 5);
  spawn(say_name, "zeroth", 30, 4);
  expect(5, "zeroth@4 first@5 second@5 third@5");
}

static void sleep_thrice(void *name) {
  for (unsigned i = 0; i < 3; i++) {
    des_charge(des_self(), 10);
    des_sync(des_self());
    tell(name);
  }
}

/* Simultaneous wake-ups come by number every time, in any order of sleeping. */
TEST(simultaneous_wakeups_come_by_number) {
  spawn(sleep_thrice, "b", 2, 0);
  spawn(sleep_thrice, "a", 1, 0);
  expect(30, "a@10 b@10 a@20 b@20 a@30 b@30");
}

/* --- events and waits --- */

struct device {
  struct event event;
  struct des_actor *sleeper;
  unsigned kinds;
  int value;
};
static struct device device;

static void set_value(struct event *event) {
  struct device *m = EVENT_OWNER(event, struct device, event);
  m->value++;
  des_poke(m->sleeper, m->kinds);
  if (m->value < 4) {
    des_schedule(event, des_now() + 100, DES_DELIVER, 0);
  }
}

static bool value_is_three(const struct des_wait *wait) {
  return device.value >= 3;
}

static void describe_value(const struct des_wait *wait, char *text, size_t size) {
  snprintf(text, size, "waits for a value of three");
}

static struct des_wait until_three = {.kinds = 2, .ready = value_is_three, .describe = describe_value};

static void wait_for_three(void *name) {
  des_wait(des_self(), &until_three);
  tell(name);
}

static void start_device(unsigned kinds) {
  device = (struct device){.event.run = set_value, .kinds = kinds};
  plan(&device.event, 100, DES_DELIVER, 0);
}

/* The value is 1, 2, 3 at cycles 100, 200, 300; pokes before the condition holds wake nobody. */
TEST(a_wait_ends_when_its_condition_holds) {
  start_device(2);
  device.sleeper = spawn(wait_for_three, "woken", 0, 10);
  expect(300, "woken@300");
}

static void compute_then_wait(void *name) {
  des_charge(des_self(), 350);
  des_wait(des_self(), &until_three);
  tell(name);
}

/* The condition holds from 300 on, but the program's own time is 350 then. */
TEST(a_wait_does_not_end_before_the_programs_own_time) {
  start_device(2);
  device.sleeper = spawn(compute_then_wait, "late", 0, 0);
  expect(350, "late@350");
}

static void wait_from_250(void *name) {
  des_charge(des_self(), 250);
  des_wait(des_self(), &until_three);
  tell(name);
}

TEST(a_wait_goes_on_when_the_own_time_comes_first) {
  start_device(2);
  device.sleeper = spawn(wait_from_250, "woken", 0, 0);
  expect(300, "woken@300");
}

TEST(a_poke_of_another_kind_ends_no_wait) {
  start_device(1 | 4);
  device.sleeper = spawn(wait_for_three, "never", 0, 10);
  struct des_result result = des_run(node);
  ck_assert_str_eq(result.stuck, "never waits for a value of three since cycle 10\n");
  ck_assert_str_eq(story, "");
  free(result.stuck);
}

static void cancel_device(struct event *event) {
  des_cancel(&device.event);
}

TEST(a_cancelled_event_does_not_happen) {
  struct event canceller = {.run = cancel_device};
  start_device(2);
  plan(&canceller, 60, DES_DELIVER, 0);
  spawn(say_name, "only", 0, 500);
  expect(500, NULL);
  ck_assert_int_eq(device.value, 0);
}

/* Phases and numbers of one cycle. */
static struct event ordered[4];

static void tell_index(struct event *event) {
  static const char *const names[] = {"0", "1", "2", "3"};
  tell(names[event - ordered]);
}

TEST(events_of_one_cycle_come_by_phase_then_number) {
  static const enum des_phase phases[] = {DES_ARBITRATE, DES_DELIVER, DES_ARBITRATE, DES_COMPLETE};
  static const unsigned numbers[] = {7, 9, 3, 0};
  for (unsigned i = 0; i < 4; i++) {
    ordered[i] = (struct event){.run = tell_index};
    plan(&ordered[i], 40, phases[i], numbers[i]);
  }
  spawn(say_name, "program", 0, 40);
  expect(40, "1@40 3@40 2@40 0@40 program@40");
}

static void poke_and_tell(struct event *event) {
  device.value = 3;
  des_poke(device.sleeper, 2);
  tell("poke");
  ordered[1] = (struct event){.run = tell_index};
  des_schedule(&ordered[1], des_now(), DES_LINK, 0);
}

/* A woken program goes on after all events of the cycle, also after events added in that cycle. */
TEST(a_woken_program_goes_on_after_all_events) {
  device = (struct device){.event.run = poke_and_tell};
  ordered[0] = (struct event){.run = tell_index};
  plan(&device.event, 40, DES_DELIVER, 0);
  plan(&ordered[0], 40, DES_ARBITRATE, 0);
  device.sleeper = spawn(wait_for_three, "woken", 0, 0);
  spawn(say_name, "timer", 1, 40);
  expect(40, "poke@40 0@40 1@40 woken@40 timer@40");
}

/* --- how runs end --- */

TEST(many_runs_in_one_process_are_all_alike) {
  for (unsigned i = 0; i < 200; i++) {
    story[0] = '\0';
    spawn(sleep_thrice, "b", 1 + i % 3, i % 5);
    spawn(sleep_thrice, "a", 0, i % 5);
    expect(30 + i % 5, NULL);
    ck_assert_msg(strncmp(story, "a@1", 3) == 0, "run %u: %s", i, story);
    ck_assert_uint_eq(des_now(), 0);
  }
}

static void wait_after_42(void *name) {
  des_charge(des_self(), 42);
  des_wait(des_self(), &until_three);
}

TEST(a_deadlock_names_who_waits_for_what_since_when) {
  device = (struct device){0};
  spawn(wait_after_42, "rank 0", 0, 0);
  spawn(say_name, "rank 1", 1, 0);
  spawn(wait_for_three, "rank 2", 2, 77);
  struct des_result result = des_run(node);
  ck_assert_uint_eq(result.cycles, 77);
  ck_assert_str_eq(result.stuck, "rank 0 waits for a value of three since cycle 42\n"
                                 "rank 2 waits for a value of three since cycle 77\n");
  free(result.stuck);
  spawn(say_name, "after", 0, 3);
  story[0] = '\0';
  expect(3, "after@3");
}

static void park(void *name) {
  tell(name);
  des_park(des_self());
}

TEST(a_parked_program_is_neither_stuck_nor_in_the_way) {
  spawn(park, "parked", 0, 8);
  spawn(sleep_thrice, "other", 1, 0);
  expect(30, "parked@8 other@10 other@20 other@30");
  spawn(say_name, "again", 0, 1);
  expect(1, "again@1");
}

/* --- programs that poll --- */

static bool polled_for;

/* Poll every 1,000 cycles. */
static void poll(void *name) {
  (void)name;
  while (!polled_for) {
    des_charge(des_self(), 1000);
    des_sync(des_self());
  }
}

static void act_late(void *name) {
  (void)name;
  des_charge(des_self(), UINT64_C(2000000000));
  des_sync(des_self());
  polled_for = true;
}

static void act_late_as_event(struct event *event) {
  (void)event;
  polled_for = true;
}

static void poll_a_clock(void *name) {
  (void)name;
  while (des_local(des_self()) < UINT64_C(2000000000)) {
    des_note_change();
    des_charge(des_self(), 1000);
    des_sync(des_self());
  }
  polled_for = true;
}

static void act_and_poll(void *name) {
  (void)name;
  for (unsigned i = 0; i < 2000000; i++) {
    if (i % 1000 == 0) {
      des_note_change();
    }
    des_charge(des_self(), 1000);
    des_sync(des_self());
  }
  polled_for = true;
}

/* Own times that have come: two at cycle 0, one every 1,000 cycles. The first look, after 4,096 own times,
 * knows no earlier look; the second look, after 8,192, in cycle 8,190,000, finds that nothing has changed. */
TEST(a_program_that_polls_for_ever_is_named) {
  device = (struct device){0};
  spawn(wait_for_three, "rank 0", 0, 0);
  spawn(poll, "rank 1", 1, 0);
  struct des_result result = des_run(node);
  ck_assert_str_eq(result.stuck, "rank 0 waits for a value of three since cycle 0\n"
                                 "rank 1 polls for ever: nothing has changed since cycle 8190000\n");
  free(result.stuck);
  spawn(say_name, "after", 0, 3);
  expect(3, "after@3");
}

/* 2,000,000 looks, while another program computes, reads a clock or acts, or an event is pending. */
TEST(a_program_that_polls_for_long_is_not_named) {
  static void (*const others[])(void *name) = {act_late, poll_a_clock, act_and_poll};
  for (unsigned i = 0; i < 4; i++) {
    struct event event = {.run = act_late_as_event};
    polled_for = false;
    spawn(poll, "rank 0", 0, 0);
    if (i < 3) {
      spawn(others[i], "rank 1", 1, 0);
    } else {
      plan(&event, UINT64_C(2000000000), DES_DELIVER, 0);
    }
    struct des_result result = des_run(node);
    ck_assert_ptr_null(result.stuck);
    ck_assert_uint_ge(result.cycles, UINT64_C(2000000000));
  }
}

static void interrupt_at_20(void *name) {
  des_charge(des_self(), 20);
  des_sync(des_self());
  tell(name);
  des_interrupt();
}

TEST(an_interrupt_ends_this_run_and_all_later_ones) {
  spawn(interrupt_at_20, "stop", 0, 0);
  spawn(interrupt_at_20, "soon", 1, 1);
  spawn(interrupt_at_20, "late", 2, 100);
  struct des_result result = des_run(node);
  ck_assert(des_interrupted());
  ck_assert_ptr_null(result.stuck);
  spawn(say_name, "after", 0, 6);
  result = des_run(node);
  ck_assert(des_interrupted());
  ck_assert_ptr_null(result.stuck);
  ck_assert_str_eq(story, "stop@20");
}

/* An event of the machine in each cycle up to ENDLESS; the first one interrupts the run. */
enum { ENDLESS = 100000 };
static uint64_t last;

static void repeat(struct event *event) {
  last = des_now();
  des_interrupt();
  if (last < ENDLESS) {
    plan(event, last + 1, DES_COMPLETE, 0);
  }
}

TEST(an_interrupt_ends_a_run_without_programs) {
  struct event event = {.run = repeat};
  plan(&event, 1, DES_COMPLETE, 0);
  des_run(node);
  ck_assert_uint_lt(last, ENDLESS);
}

/* --- a stop in the cycle of a wake-up --- */

static struct des_actor *victim;

static void poke_and_stop(struct event *event) {
  des_poke(victim, 1);
  ck_assert(des_stop(victim));
  ck_assert(!des_stop(victim));
}

static bool always(const struct des_wait *wait) {
  return des_now() >= 10;
}

static void wait_then_tell(void *name) {
  struct des_wait wait = {.kinds = 1, .ready = always};
  des_wait(des_self(), &wait);
  tell("went on");
}

/* A poke has woken the program already, but the program would go on only after all events of the cycle. */
TEST(a_program_that_is_stopped_in_the_cycle_of_its_wakeup_does_not_go_on) {
  struct event event = {.run = poke_and_stop};
  victim = spawn(wait_then_tell, "a", 0, 0);
  plan(&event, 10, DES_DELIVER, 0);
  expect(10, "");
}
