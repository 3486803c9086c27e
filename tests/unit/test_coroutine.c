/* SPDX-License-Identifier: BSD-3-Clause
 * Coroutines: each goes on at the place of its last suspension, on a stack of its own. */
#include "sim/base/engine/coroutine.h"
#include "tests/suite.h"

#include <fenv.h>

enum { STACK_BYTES = 96 * 1024 };

/* A coroutine with a counter. */
struct counter {
  struct coroutine coroutine;
  unsigned count;
};

static void init(struct counter *counter, void (*body)(void *argument)) {
  *counter = (struct counter){.count = 0};
  counter->coroutine.body = body;
  counter->coroutine.argument = counter;
  counter->coroutine.stack = malloc(STACK_BYTES);
  counter->coroutine.nbytes = STACK_BYTES;
  ck_assert_ptr_nonnull(counter->coroutine.stack);
}

static void fini(struct counter *counter) {
  free(counter->coroutine.stack);
}

static void count(void *argument) {
  struct counter *counter = argument;
  for (unsigned own = 1;; own++) { /* on the coroutine's stack */
    counter->count = own;
    coroutine_leave(&counter->coroutine);
  }
}

TESTS(coroutine);

TEST(each_goes_on_where_it_has_left) {
  enum { MANY = 300, ROUNDS = 7 };
  static struct counter counters[MANY];
  for (unsigned i = 0; i < MANY; i++) {
    init(&counters[i], count);
  }
  for (unsigned round = 1; round <= ROUNDS; round++) {
    for (unsigned i = 0; i < MANY; i += 1 + round % 2) {
      unsigned before = counters[i].count;
      coroutine_enter(&counters[i].coroutine);
      ck_assert_uint_eq(counters[i].count, before + 1);
    }
  }
  for (unsigned i = 0; i < MANY; i++) {
    ck_assert_uint_eq(counters[i].count, i % 2 ? ROUNDS / 2 : ROUNDS);
    fini(&counters[i]);
  }
}

/* Fill most of the stack at the deepest place, again and again. */
static void fill(void *argument) {
  struct counter *counter = argument;
  volatile uint8_t room[64 * 1024];
  for (;;) {
    memset((void *)(uintptr_t)room, 0xa5, sizeof room);
    counter->count += room[sizeof room - 1] == 0xa5;
    coroutine_leave(&counter->coroutine);
  }
}

TEST(one_that_is_forgotten_begins_anew) {
  struct counter counter;
  init(&counter, count);
  for (unsigned i = 0; i < 100; i++) {
    counter.count = 0;
    counter.coroutine.body = i % 2 ? count : fill;
    coroutine_forget(&counter.coroutine);
    if (i % 3) {
      coroutine_enter(&counter.coroutine);
      coroutine_enter(&counter.coroutine);
    }
    ck_assert_uint_eq(counter.count, i % 3 ? 2 : 0);
  }
  fini(&counter);
}

static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
enum { NROUNDINGS = sizeof roundings / sizeof *roundings };

/* Set another rounding mode at each turn; `count`: the turns that began with the coroutine's own mode. */
static void turn(void *argument) {
  struct counter *counter = argument;
  int own = fegetround();
  for (unsigned i = 0;; i++) {
    counter->count += fegetround() == own;
    own = roundings[i % NROUNDINGS];
    fesetround(own);
    coroutine_leave(&counter->coroutine);
  }
}

/* The caller of coroutines keeps its own rounding mode too. */
TEST_EACH(each_rounds_in_its_own_way, 0, NROUNDINGS) {
  enum { TURNS = 3 * NROUNDINGS };
  struct counter counters[2];
  init(&counters[0], turn);
  init(&counters[1], turn);
  fesetround(roundings[_i]);
  for (unsigned i = 0; i < TURNS; i++) {
    coroutine_enter(&counters[0].coroutine);
    ck_assert_int_eq(fegetround(), roundings[_i]);
    coroutine_enter(&counters[i % 3 == 0].coroutine);
    ck_assert_int_eq(fegetround(), roundings[_i]);
  }
  fesetround(FE_TONEAREST);
  ck_assert_uint_eq(counters[0].count + counters[1].count, 2 * TURNS);
  fini(&counters[0]);
  fini(&counters[1]);
}

/* An address below a coroutine's stack is its overflow while the coroutine runs, and only then. */
static void look_below(void *argument) {
  struct counter *counter = argument;
  const uint8_t *stack = counter->coroutine.stack;
  counter->count += coroutine_overflows(stack - 1) && coroutine_overflows(stack - 4096);
  counter->count += !coroutine_overflows(stack) && !coroutine_overflows(NULL);
  coroutine_leave(&counter->coroutine);
}

TEST(an_overflow_is_told) {
  struct counter counter;
  init(&counter, look_below);
  coroutine_enter(&counter.coroutine);
  ck_assert_uint_eq(counter.count, 2);
  ck_assert(!coroutine_overflows((const uint8_t *)counter.coroutine.stack - 1));
  fini(&counter);
}
