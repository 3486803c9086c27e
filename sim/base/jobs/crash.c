/* SPDX-License-Identifier: BSD-3-Clause
 * See crash.h. */
#include "sim/base/jobs/crash.h"

#include "sim/base/engine/actor_stack.h"
#include "sim/base/engine/coroutine.h"

#include <signal.h>
#include <stddef.h>

_Static_assert(ACTOR_STACK_PLACE == 128 * 1024, "CRASH_STACK_FULL says so");

const int crash_signals[CRASH_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

static struct sigaction before[CRASH_SIGNALS];
static void (*tell_of)(int number, bool full);

/* The handler runs here if it has no other stack, such as one that SimGrid gives it: that of a program may be
 * full. */
static char own_stack[32 * 1024];

/* Tell whether signal NUMBER, with the si_code CODE, comes again by itself, as the instruction that has
 * caused it is tried again. */
static bool comes_again(int number, int code) {
  return code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL);
}

static void on_crash(int number, siginfo_t *info, void *unused) {
  (void)unused;
  for (size_t i = 0; i < CRASH_SIGNALS; i++) {
    if (crash_signals[i] == number) {
      sigaction(number, &before[i], NULL);
    }
  }
  tell_of(number, info->si_code > 0 && coroutine_overflows(info->si_addr));
  if (!comes_again(number, info->si_code)) {
    raise(number);
  }
}

void crash_watch(void (*tell)(int number, bool full)) {
  struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_DISABLE) {
    sigaltstack(&(stack_t){.ss_sp = own_stack, .ss_size = sizeof own_stack}, NULL);
  }
  bool watched = tell_of != NULL;
  tell_of = tell;
  for (size_t i = 0; i < CRASH_SIGNALS && !watched; i++) {
    sigaction(crash_signals[i], &action, &before[i]);
  }
}
