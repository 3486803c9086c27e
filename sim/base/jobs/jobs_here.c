/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/jobs/jobs_here.h"

#include "sim/base/jobs/worker_end.h"
#include "sim/base/outfile.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is being done: it has its name before, as who tells of a crash can allocate nothing. */
static struct {
  const struct jobs *jobs; /* NULL: nothing */
  size_t item;
  char name[256];
} now;

static pid_t named; /* the process whose death is told; 0: none */

/* Say that this process ends by the formatted text, and by which item; nothing half written is left. */
__attribute__((format(printf, 1, 2))) static void tell_end(const char *format, ...) {
  char how[128], line[512];
  va_list values;
  va_start(values, format);
  vsnprintf(how, sizeof how, format, values);
  va_end(values);
  outfile_remove_unfinished();
  int length =
    now.jobs ? snprintf(line, sizeof line, "cellcoll: item %zu of %zu, %s: crash: it ended this process %s\n",
                        now.item + 1, now.jobs->count, now.name, how)
             : snprintf(line, sizeof line,
                        "cellcoll: crash: a plugin, or a defect of cellcoll, ended this process %s\n", how);
  if (length > 0 && write(STDERR_FILENO, line, (size_t)length) != length) {
    return; /* nobody listens */
  }
}

/* This process ends with exit code STATUS: do not let that pass for success. */
static void tell_exit(int status, void *unused) {
  (void)unused;
  if (named == getpid()) {
    tell_end("with exit code %d", status);
    _exit(JOBS_ENDED_EXIT);
  }
}

static void tell_crash(int number, bool full) {
  if (named == getpid()) {
    tell_end("by signal %d (%s)%s", number, sigdescr_np(number), full ? CRASH_STACK_FULL : "");
  }
}

void jobs_name_deaths(void) {
  named = getpid();
  on_exit(tell_exit, NULL);
  crash_watch(tell_crash);
}

void jobs_end_endless(int number) {
  if (named == getpid()) {
    tell_end("by not ending for long after signal %d (%s): does it loop for ever?", number,
             sigdescr_np(number));
    signal(number, SIG_DFL);
    raise(number);
  }
}

void jobs_forget_deaths(void) {
  named = 0;
}

/* Whether an item is being done. */
static bool at_work;

/* End a copy of the program, or of a worker, that a plugin has forked. A copy that went on would fork again
 * in each call. */
static void end_copy(void) {
  if (at_work) {
    _exit(0);
  }
}

int jobs_do(const struct jobs *jobs, size_t i, struct pack *result) {
  static bool prepared;
  static char line[512];
  if (!prepared) {
    pthread_atfork(NULL, NULL, end_copy);
    prepared = true;
  }
  bool told = jobs->seconds > 0 && jobs->told;
  if (named || told) {
    now.jobs = jobs;
    now.item = i;
    jobs->describe(jobs->context, i, now.name, sizeof now.name);
    snprintf(line, sizeof line, "cellcoll: item %zu of %zu, %s: %g s of processor time; ", i + 1, jobs->count,
             now.name, jobs->seconds);
  }
  if (jobs->seconds > 0) {
    worker_end_limit(jobs->seconds, told ? line : NULL);
  }
  at_work = true;
  int status = jobs->work(jobs->context, i, result);
  at_work = false;
  now.jobs = NULL;
  return status;
}

/* Let what is printed on standard output go to standard error, if this process is the program.
 * returns: a copy of standard output for restore_output; negative: nothing has changed. */
static int divert_output(void) {
  if (!named) {
    return -1;
  }
  fflush(stdout);
  int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (kept >= 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  return kept;
}

static void restore_output(int kept) {
  if (kept >= 0) {
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
  }
}

int jobs_run_here(const struct jobs *jobs) {
  struct pack result = {0};
  int status = 0, kept = divert_output();
  jobs_show_progress(jobs, 0);
  for (size_t i = 0; i < jobs->count && status == 0 && !jobs_interrupted(jobs); i++) {
    pack_clear(&result);
    if (jobs_do(jobs, i, &result) != 0) {
      break;
    }
    status = jobs->deliver(jobs->context, i, &result) ? -1 : 0;
    jobs_show_progress(jobs, i + 1);
  }
  if (jobs->seconds > 0) {
    worker_end_limit(0, NULL);
  }
  restore_output(kept);
  pack_fini(&result);
  return status;
}
