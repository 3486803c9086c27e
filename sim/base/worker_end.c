/* SPDX-License-Identifier: BSD-3-Clause
 * See worker_end.h. */
#include "sim/base/worker_end.h"

#include "sim/base/xalloc.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

bool
worker_end_is_crash(int status)
{
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGVTALRM};
  for (size_t i = 0; WIFSIGNALED(status) && i < sizeof signals / sizeof *signals; i++) {
    if (WTERMSIG(status) == signals[i]) {
      return true;
    }
  }
  return WIFEXITED(status) && WEXITSTATUS(status) != XALLOC_EXIT;
}

void
worker_end_tell(int status, unsigned seconds, char how[WORKER_END_SIZE])
{
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM) {
    snprintf(how, WORKER_END_SIZE, "was ended after %u s of processor time: does it loop for ever?", seconds);
  } else if (WIFSIGNALED(status)) {
    snprintf(how, WORKER_END_SIZE, "was killed by signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  } else if (WEXITSTATUS(status) == XALLOC_EXIT) {
    snprintf(how, WORKER_END_SIZE, "has found no more memory");
  } else {
    snprintf(how, WORKER_END_SIZE, "ended with exit code %d", WEXITSTATUS(status));
  }
}
