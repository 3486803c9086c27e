/* SPDX-License-Identifier: BSD-3-Clause
 * See worker_end.h. */
#include "sim/base/jobs/worker_end.h"

#include "sim/base/jobs/crash.h"
#include "sim/base/xalloc.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static const char TOO_LONG[] = " s of processor time: does it loop for ever?";

static atomic_int *own_word;

static void tell_crash(int number, bool full) {
  (void)number;
  if (full) {
    atomic_store(own_word, WORKER_STACK_FULL);
  }
}

static void tell_no_memory(void) {
  atomic_store(own_word, WORKER_NO_MEMORY);
}

void worker_end_leave_word(atomic_int *word) {
  own_word = word;
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

void worker_end_tell(struct worker_end end, unsigned seconds, char how[WORKER_END_SIZE]) {
  int number = WIFSIGNALED(end.status) ? WTERMSIG(end.status) : 0;
  if (end.word == WORKER_NO_MEMORY) {
    snprintf(how, WORKER_END_SIZE, "has found no more memory");
  } else if (number == SIGVTALRM) {
    snprintf(how, WORKER_END_SIZE, "was ended after %u%s", seconds, TOO_LONG);
  } else if (number) {
    snprintf(how, WORKER_END_SIZE, "was killed by signal %d (%s)%s", number, strsignal(number),
             end.word == WORKER_STACK_FULL ? CRASH_STACK_FULL : "");
  } else {
    snprintf(how, WORKER_END_SIZE, "ended with exit code %d", WEXITSTATUS(end.status));
  }
}

bool worker_end_took_too_long(const char *how) {
  return strstr(how, TOO_LONG);
}
