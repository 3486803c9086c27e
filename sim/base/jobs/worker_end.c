/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/jobs/worker_end.h"

#include "sim/base/engine/des.h"
#include "sim/base/engine/simgrid_actor.h"
#include "sim/base/xalloc.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- signals of this process --- */

_Static_assert(ACTOR_STACK_PLACE == 128 * 1024, "CRASH_STACK_FULL says so");

const int crash_signals[CRASH_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

static struct sigaction before[CRASH_SIGNALS];
static void (*crash_tell)(int number, bool full);

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
  crash_tell(number, info->si_code > 0 && coroutine_overflows(info->si_addr));
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
  bool watched = crash_tell != NULL;
  crash_tell = tell;
  for (size_t i = 0; i < CRASH_SIGNALS && !watched; i++) {
    sigaction(crash_signals[i], &action, &before[i]);
  }
}

/* --- the end of a worker --- */

static const char TOO_LONG[] = " s of processor time: does it loop for ever?";
static const char BUSY[] = "computing or polling: ";
static const char FAULTY[] = "; its worker was ended after ";

static atomic_int *own_word;
static char *own_busy;
static const char *long_line; /* NULL: this process ends after its time */
static double time_limit;     /* seconds */

static void tell_crash(int number, bool full) {
  (void)number;
  if (full) {
    atomic_store(own_word, WORKER_STACK_FULL);
  }
}

static void tell_no_memory(void) {
  atomic_store(own_word, WORKER_NO_MEMORY);
}

static void tell_busy(const char *fault, const char *who) {
  char line[800];
  worker_end_limit(0, long_line);
  if (!long_line) {
    snprintf(own_busy, WORKER_BUSY_SIZE, "%s%s%g%s %s%s", fault, FAULTY + (*fault ? 0 : strlen("; ")),
             time_limit, TOO_LONG, BUSY, who);
    signal(SIGVTALRM, SIG_DFL);
    raise(SIGVTALRM);
    return;
  }
  int length =
    snprintf(line, sizeof line, "%.350s%s%s%s%.100s\n", long_line, fault, *fault ? "; " : "", BUSY, who);
  (void)!write(STDERR_FILENO, line, (size_t)length);
}

static void on_long(int number) {
  (void)number;
  des_tell_busy(tell_busy);
}

void worker_end_limit(double seconds, const char *line) {
  /* the second signal is for a program that never comes back to the engine */
  const time_t whole = (time_t)seconds;
  const struct itimerval limit = {
    .it_value = {.tv_sec = whole, .tv_usec = (suseconds_t)(1e6 * (seconds - (double)whole))},
    .it_interval.tv_usec = seconds > 0 ? 100000 : 0};
  const struct sigaction action = {.sa_handler = on_long, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigaction(SIGVTALRM, &action, NULL);
  long_line = line;
  time_limit = seconds > 0 ? seconds : time_limit;
  setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

void worker_end_leave_word(atomic_int *word, char busy[WORKER_BUSY_SIZE]) {
  own_word = word;
  own_busy = busy;
  crash_watch(tell_crash);
  xalloc_tell_by(tell_no_memory);
}

bool worker_end_is_crash(struct worker_end end) {
  if (!WIFSIGNALED(end.status)) {
    return end.word != WORKER_NO_MEMORY;
  }
  bool is = WTERMSIG(end.status) == SIGVTALRM;
  for (size_t i = 0; i < CRASH_SIGNALS; i++) {
    is |= WTERMSIG(end.status) == crash_signals[i];
  }
  return is;
}

void worker_end_tell(struct worker_end end, char how[WORKER_END_SIZE]) {
  int number = WIFSIGNALED(end.status) ? WTERMSIG(end.status) : 0;
  if (end.word == WORKER_NO_MEMORY) {
    snprintf(how, WORKER_END_SIZE, "its worker has found no more memory");
  } else if (number == SIGVTALRM && end.busy && *end.busy) {
    snprintf(how, WORKER_END_SIZE, "%s", end.busy);
  } else if (number) {
    snprintf(how, WORKER_END_SIZE, "its worker was killed by signal %d (%s)%s", number, strsignal(number),
             end.word == WORKER_STACK_FULL ? CRASH_STACK_FULL : "");
  } else {
    snprintf(how, WORKER_END_SIZE, "its worker ended with exit code %d", WEXITSTATUS(end.status));
  }
}

bool worker_end_took_too_long(const char *how) {
  return strstr(how, TOO_LONG);
}

bool worker_end_is_faulty(const char *how) {
  return strstr(how, FAULTY);
}
