/* SPDX-License-Identifier: BSD-3-Clause
 * How a worker of jobs.h ended: by its item, or by something outside. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

enum { WORKER_END_SIZE = 600, WORKER_BUSY_SIZE = 560 };

/* What a worker itself tells of its end. */
enum worker_word { WORKER_SILENT, WORKER_NO_MEMORY };

struct worker_end {
  int status; /* of waitpid */
  enum worker_word word;
  const char *busy; /* the BUSY of worker_end_leave_word; NULL or empty: nothing was left */
};

/* In a worker: leave the word of this process's end, an enum worker_word, in WORD, and a text about the end
 * of its time in BUSY: the first fault of a program, if any, the limit, and the busy programs; or the place
 * of a crash. The parent sees both. */
void worker_end_leave_word(atomic_int *word, char busy[WORKER_BUSY_SIZE]);

/* After SECONDS more of processor time end this process: a worker by SIGVTALRM, another with a message. If
 * LINE is not NULL, write LINE and the busy programs to standard error then, and let a worker end after
 * LIMIT; 0: never. SECONDS = 0: do none of these. */
void worker_end_limit(double seconds, const char *line, double limit);

/* Tell whether a worker ended with END because of its item, and not because of something outside. */
bool worker_end_is_crash(struct worker_end end);

/* Write how a worker ended with END into HOW: the first fault of a program, if any; "its worker ...". */
void worker_end_tell(struct worker_end end, char how[WORKER_END_SIZE]);

/* Tell whether a worker, which ended as HOW tells, took too much processor time, or did so after a fault of a
 * program. */
bool worker_end_took_too_long(const char *how);
bool worker_end_is_faulty(const char *how);

/* --- signals that end this process because of its own work --- */

/* Signals that a program brings about itself. */
enum { CRASH_SIGNALS = 7 };
extern const int crash_signals[CRASH_SIGNALS];

/* Have TELL called when such a signal NUMBER comes, and then go on as if nobody had asked: to the debugger,
 * the sanitizer or the end. WHERE is what to add to the name of the signal: the running program and its step,
 * the address, the functions of plugins; or that the stack of a program was full. TELL may call only what is
 * safe in handlers of signals; each signal is told once. */
void crash_watch(void (*tell)(int number, const char *where));
