/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid's actors: an actor entered by the engine goes on at its last suspension, also with calls of SimGrid
 * on its way; each stack has room for a program, and an end. */
#include "sim/base/engine/coroutine.h"
#include "sim/base/engine/simgrid_actor.h"
#include "tests/bed.h"

#include <signal.h>
#include <simgrid/actor.h>
#include <unistd.h>

/* More than share the stack of an actor of SimGrid. */
enum { ACTORS = 18, ROUNDS = 20, RUNS = 3 };

/* An actor that counts its continuations. */
struct counter {
  struct coroutine *actor;
  unsigned ngone;     /* continuations since the beginning */
  unsigned nreturned; /* from SimGrid */
};

static struct counter counters[ACTORS];

static void count(void *argument) {
  struct counter *counter = argument;
  for (unsigned own = 1;; own++) {
    counter->ngone = own;
    if (own % 3 == 0) {
      sg_actor_yield();
      counter->nreturned++;
    }
    coroutine_leave(counter->actor);
  }
}

static void add(void (*body)(void *argument)) {
  for (unsigned i = 0; i < ACTORS; i++) {
    counters[i] = (struct counter){.actor = simgrid_actor_new(body, &counters[i])};
  }
}

/* The engine in run number ARGUMENT enters each actor ROUNDS times. */
static void enter_all(void *argument) {
  unsigned run = *(unsigned *)argument;
  for (unsigned round = 1; round <= ROUNDS; round++) {
    for (unsigned i = 0; i < ACTORS; i++) {
      simgrid_actor_enter(counters[i].actor);
      ck_assert_uint_eq(counters[i].ngone, run * ROUNDS + round);
      ck_assert_uint_eq(counters[i].nreturned, counters[i].ngone / 3);
    }
  }
}

TESTS(simgrid_actor);

TEST(an_actor_goes_on_where_it_has_left_until_it_is_forgotten) {
  simgrid_actors_init(NULL);
  add(count);
  for (unsigned life = 0; life < 2; life++) {
    for (unsigned run = 0; run < RUNS; run++) {
      simgrid_actors_drive(enter_all, &run);
    }
    for (unsigned i = 0; i < ACTORS; i++) {
      ck_assert_uint_eq(counters[i].ngone, RUNS * ROUNDS);
      counters[i].nreturned = 0;
      coroutine_forget(counters[i].actor);
    }
  }
}

/* The first actor makes the second one. */
static void make_another(void *argument) {
  struct counter *counter = argument;
  counters[1].actor = simgrid_actor_new(count, &counters[1]);
  for (;;) {
    counter->ngone++;
    coroutine_leave(counter->actor);
  }
}

static void enter_two(void *argument) {
  simgrid_actor_enter(counters[0].actor);
  simgrid_actor_enter(counters[1].actor);
  simgrid_actor_enter(counters[0].actor);
}

TEST(an_actor_makes_another) {
  simgrid_actors_init(NULL);
  counters[0].actor = simgrid_actor_new(make_another, &counters[0]);
  simgrid_actors_drive(enter_two, NULL);
  ck_assert_uint_eq(counters[0].ngone, 2);
  ck_assert_uint_eq(counters[1].ngone, 1);
}

/* Fill nearly all of the program's part of the stack. */
static void fill(void *argument) {
  struct counter *counter = argument;
  volatile uint8_t room[120 * 1024];
  uint8_t own = (uint8_t)(counter - counters);
  memset((void *)(uintptr_t)room, own, sizeof room);
  for (;;) {
    sg_actor_yield();
    counter->ngone += room[0] == own && room[sizeof room - 1] == own;
    coroutine_leave(counter->actor);
  }
}

static void enter_twice(void *argument) {
  for (unsigned i = 0; i < 2 * ACTORS; i++) {
    simgrid_actor_enter(counters[i % ACTORS].actor);
  }
}

TEST(stacks_do_not_meet) {
  simgrid_actors_init(NULL);
  add(fill);
  simgrid_actors_drive(enter_twice, NULL);
  for (unsigned i = 0; i < ACTORS; i++) {
    ck_assert_uint_eq(counters[i].ngone, 2);
  }
}

static unsigned sink(volatile unsigned *depth) {
  volatile uint8_t room[1024];
  room[0] = (uint8_t)(*depth)++;
  return *depth < 1U << 20 ? sink(depth) + room[0] : 0;
}

static unsigned too_deep; /* the number of the actor that recurs */

static void recur(void *argument) {
  struct counter *counter = argument;
  if (counter == &counters[too_deep]) {
    sink(&counter->ngone);
  }
  for (;;) {
    coroutine_leave(counter->actor);
  }
}

/* Let an access that ends the process do so only just below the running program's stack. */
static void look_where(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  if (!coroutine_overflows(info->si_addr)) {
    _exit(0);
  }
}

/* Beyond the stack's end lies a page without access, not the stack of another actor. */
TEST_ENDED_BY(a_stack_that_is_too_small_ends_the_process, 0, !BED_SANITIZED ? ACTORS : 0, SIGSEGV) {
  simgrid_actors_init(NULL);
  static uint8_t handlers_stack[1 << 16];
  sigaltstack(&(stack_t){.ss_sp = handlers_stack, .ss_size = sizeof handlers_stack}, NULL);
  sigaction(SIGSEGV,
            &(struct sigaction){.sa_sigaction = look_where,
                                .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)},
            NULL);
  too_deep = (unsigned)_i;
  add(recur);
  simgrid_actors_drive(enter_twice, NULL);
}

static void sleep_long(void *argument) {
  sg_actor_sleep_for(1);
}

TEST_ENDED_BY(a_program_that_waits_for_time_of_simgrid_ends_the_process, 0, 1, SIGABRT) {
  simgrid_actors_init(NULL);
  add(sleep_long);
  simgrid_actors_drive(enter_twice, NULL);
}
