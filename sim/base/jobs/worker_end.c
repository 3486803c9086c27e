/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/jobs/worker_end.h"

#include "sim/base/engine/coroutine.h"
#include "sim/base/engine/des.h"
#include "sim/base/engine/simgrid_actor.h"
#include "sim/base/outfile.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- signals of this process --- */

_Static_assert(ACTOR_STACK_PLACE == 128 * 1024, "describe_crash says so");

const int crash_signals[CRASH_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

static struct sigaction before[CRASH_SIGNALS];
static void (*crash_tell)(int number, const char *where);
static char crash_where[400];

/* In a worker: what the parent is told, WORKER_BUSY_SIZE bytes; else NULL. */
static char *own_busy;

/* The handler runs here if it has no other stack, such as one that SimGrid gives it: that of a program may be
 * full. */
static char own_stack[32 * 1024];

/* Tell whether signal NUMBER, with the si_code CODE, comes again by itself, as the instruction that has
 * caused it is tried again. */
static bool comes_again(int number, int code) {
  return code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL);
}

__attribute__((format(printf, 1, 2))) static void add_where(const char *format, ...) {
  size_t used = strlen(crash_where);
  va_list values;
  va_start(values, format);
  vsnprintf(crash_where + used, sizeof crash_where - used, format, values);
  va_end(values);
}

/* Add the functions of plugins on the stack, the last called first: the object of this code and the
 * libraries of the system have none. */
static void add_functions(void) {
  static const char *const others[] = {"/libc.so", "/libgcc_s.so", "/libstdc++.so", "/libsimgrid.so",
                                       "/ld-linux"};
  enum { DEPTH = 32, SHOWN = 4 };
  void *frames[DEPTH];
  Dl_info own = {0}, at;
  dladdr((void *)(uintptr_t)crash_watch, &own);
  int n = backtrace(frames, DEPTH), shown = 0;
  for (int i = 0; i < n && shown < SHOWN; i++) {
    bool is_known = dladdr(frames[i], &at) != 0 && at.dli_fbase != own.dli_fbase;
    if (!is_known || VEC_FIND(others, VEC_LENGTH(others), strstr(at.dli_fname, *item))) {
      continue;
    }
    const char *slash = strrchr(at.dli_fname, '/'), *file = slash ? slash + 1 : at.dli_fname;
    add_where("%s%s%s%s+0x%tx", shown++ ? " < " : " in ", at.dli_sname ? at.dli_sname : "",
              at.dli_sname ? " of " : "", file, (char *)frames[i] - (char *)at.dli_fbase);
  }
}

/* Write where signal NUMBER with INFO has come. A second crash, on the way through the stack, ends the
 * process with the first words. */
static void describe_crash(int number, const siginfo_t *info) {
  unsigned step = 0;
  const char *program = des_running_program(&step);
  bool full = info->si_code > 0 && coroutine_overflows(info->si_addr);
  if (full) {
    add_where(": the stack of a rank, 128 KiB, was full");
  }
  if (program) {
    add_where(step ? ", %s in step %u" : ", %s", program, step);
  }
  if (!full && comes_again(number, info->si_code)) {
    add_where(" at address %p", info->si_addr);
  }
  if (own_busy) {
    memcpy(own_busy, crash_where, sizeof crash_where);
  }
  if (!full) {
    add_functions();
  }
}

static void on_crash(int number, siginfo_t *info, void *unused) {
  (void)unused;
  for (size_t i = 0; i < CRASH_SIGNALS; i++) {
    if (crash_signals[i] == number) {
      sigaction(number, &before[i], NULL);
    }
  }
  describe_crash(number, info);
  crash_tell(number, crash_where);
  if (!comes_again(number, info->si_code)) {
    raise(number);
  }
}

void crash_watch(void (*tell)(int number, const char *where)) {
  struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_DISABLE) {
    sigaltstack(&(stack_t){.ss_sp = own_stack, .ss_size = sizeof own_stack}, NULL);
  }
  void *frame;
  backtrace(&frame, 1); /* the first call loads a library */
  bool watched = crash_tell != NULL;
  crash_tell = tell;
  for (size_t i = 0; i < CRASH_SIGNALS && !watched; i++) {
    sigaction(crash_signals[i], &action, &before[i]);
  }
}

/* --- the end of a worker --- */

/* Of a process without a parent that would tell, as JOBS_ENDED_EXIT. */
enum { ENDED_EXIT = 4 };

static const char TOO_LONG[] = " s of processor time: does it loop for ever?";
static const char BUSY[] = "computing or polling: ";
static const char FAULTY[] = "; its worker was ended after ";

static atomic_int *own_word;
static const char *long_line; /* NULL: this process ends after its time */
static double time_limit;     /* seconds */
static double end_limit;      /* seconds, after a long line; 0: none */

static void tell_crash(int number, const char *where) {
  (void)number;
  snprintf(own_busy, WORKER_BUSY_SIZE, "%s", where);
}

static void tell_no_memory(void) {
  atomic_store(own_word, WORKER_NO_MEMORY);
}

static void tell_busy(const char *fault, const char *who) {
  char line[800];
  if (!long_line && own_busy) {
    snprintf(own_busy, WORKER_BUSY_SIZE, "%s%s%g%s %s%s", fault, FAULTY + (*fault ? 0 : strlen("; ")),
             time_limit, TOO_LONG, BUSY, who);
    signal(SIGVTALRM, SIG_DFL);
    raise(SIGVTALRM);
    return;
  }
  if (!long_line) {
    int length = snprintf(line, sizeof line,
                          "cellcoll: %s%sended after %g%s %s%.300s; --timeout SECONDS gives more time\n",
                          fault, *fault ? "; " : "", time_limit, TOO_LONG, BUSY, who);
    (void)!write(STDERR_FILENO, line, (size_t)length);
    outfile_remove_unfinished();
    _exit(ENDED_EXIT);
  }
  int length =
    snprintf(line, sizeof line, "%.350s%s%s%s%.100s\n", long_line, fault, *fault ? "; " : "", BUSY, who);
  (void)!write(STDERR_FILENO, line, (size_t)length);
  bool ends = own_busy && end_limit > time_limit;
  worker_end_limit(ends ? end_limit - time_limit : 0, ends ? NULL : long_line, 0);
  time_limit = ends ? end_limit : time_limit;
}

static void on_long(int number) {
  (void)number;
  des_tell_busy(tell_busy);
}

void worker_end_limit(double seconds, const char *line, double limit) {
  /* the second signal is for a program that never comes back to the engine */
  const time_t whole = (time_t)seconds;
  const struct itimerval timer = {
    .it_value = {.tv_sec = whole, .tv_usec = (suseconds_t)(1e6 * (seconds - (double)whole))},
    .it_interval.tv_usec = seconds > 0 ? 100000 : 0};
  const struct sigaction action = {.sa_handler = on_long, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigaction(SIGVTALRM, &action, NULL);
  long_line = line;
  time_limit = seconds > 0 ? seconds : time_limit;
  end_limit = limit > 0 ? limit : end_limit;
  setitimer(ITIMER_VIRTUAL, &timer, NULL);
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
             end.busy ? end.busy : "");
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
