/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/sweep.h"

#include "algos/catalogue.h"
#include "cli/opts.h"
#include "platform/platform.h"
#include "sim/base/engine/des.h"
#include "sim/base/err.h"
#include "sim/base/jobs/jobs.h"
#include "sim/base/seconds.h"
#include "sim/base/text.h"
#include "sim/base/vec.h"
#include "validate/lab/ledger/ledger.h"
#include "validate/lab/rig/rig.h"

#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Seconds of processor time that the work may take after a signal that asks for an end until it asks whether
 * there was one: an endless loop of a plugin takes them. To wait for a store or a reader takes none. */
enum { PATIENCE = 10 };

/* Seconds within which another signal asks for the same end: timeout(1) signals its child and then all of its
 * group. */
static const double one_request = 1;

/* Seconds between lines of progress where standard error is no terminal. */
enum { LINE_SECONDS = 30 };

static volatile sig_atomic_t interrupted; /* the signal that has asked for an end; 0: none */
static pid_t program;                     /* this process, no worker */
static bool quiet, on_terminal, shown;

static const struct sweep_calls *named; /* on the command line; NULL: nothing is */
static size_t *left_out;                /* number of calls of each item of NAMED that do not apply */
static char *reason;                    /* for the first of these calls; NULL: there is none */

/* Return the index of the listed item of ALGO in CALLS; calls->n: there is none. */
static size_t find_listed(const struct sweep_calls *calls, const struct algo *algo) {
  return VEC_INDEX(calls->items, calls->n, item->algo == algo && !calls->words[item - calls->items]);
}

/* Append ALGORITHM, typed as WORD, or listed if WORD is NULL. An algorithm named in both ways has one item,
 * not a listed one. */
static void add_call(struct sweep_calls *calls, const struct algorithm *algorithm, const char *word) {
  const struct algorithm standard = catalogue_call(algorithm->algo);
  size_t listed = find_listed(calls, algorithm->algo);
  bool has_params = memcmp(&standard, algorithm, sizeof standard) != 0;
  if (!word && VEC_FIND(calls->items, calls->n, memcmp(item, algorithm, sizeof *algorithm) == 0)) {
    return;
  }
  if (listed < calls->n && !has_params) {
    calls->words[listed] = word;
    return;
  }
  size_t n = calls->n;
  VEC_ADD(calls->items, n) = *algorithm;
  VEC_ADD(calls->words, calls->n) = word;
}

/* Append the calls named by WORD. */
static int add_word(struct sweep_calls *calls, const char *word, struct err *err) {
  struct algorithm algorithm;
  if (!catalogue_is_pattern(word)) {
    int status = catalogue_find(word, &algorithm, err);
    if (status == 0) {
      add_call(calls, &algorithm, word);
    }
    return status;
  }
  SCOPED const struct algo **found = xcalloc(catalogue_size, sizeof *found);
  size_t n = catalogue_match(word, found, err);
  VEC_EACH(algo, found, n) {
    algorithm = catalogue_call(*algo);
    add_call(calls, &algorithm, NULL);
  }
  return n ? 0 : -1;
}

int sweep_find_calls(const struct opts *opts, struct sweep_calls *calls, struct err *err) {
  VEC_EACH(word, opts->rest, opts->nrest) {
    if (add_word(calls, *word, err) != 0) {
      return CLI_USAGE;
    }
  }
  named = calls;
  left_out = xcalloc(calls->n, sizeof *left_out);
  return CLI_DONE;
}

void sweep_calls_fini(struct sweep_calls *calls) {
  free(calls->items);
  free(calls->words);
  free(left_out);
  free(reason);
  named = NULL;
  left_out = NULL;
  reason = NULL;
  *calls = (struct sweep_calls){0};
}

bool sweep_is_listed(const struct algo *algo) {
  return named && find_listed(named, algo) < named->n;
}

const struct profile *sweep_profile(const struct platform *platform, const struct algorithm *algorithm,
                                    struct err *err) {
  struct err why = {""};
  const struct profile *profile = rig_profile(platform, NULL, catalogue_source(algorithm), &why);
  if (!profile && sweep_is_listed(algorithm->algo)) {
    sweep_skip_call(algorithm->algo, why.text);
  } else if (!profile) {
    *err = why;
  }
  return profile;
}

const char *sweep_label(const struct platform *platform) {
  return *platform->overrides ? text_brief("%s[%s]", platform->name, platform->overrides) : platform->name;
}

static void on_delay(int number) {
  (void)number;
  jobs_end_endless(interrupted);
}

/* Let SECONDS more of processor time be too many; 0: any may be taken. */
static void limit_patience(unsigned seconds) {
  const struct itimerval limit = {.it_value.tv_sec = seconds};
  setitimer(ITIMER_PROF, &limit, NULL);
}

static void on_interrupt(int number) {
  static double first;
  if (!interrupted) {
    first = seconds_of(CLOCK_MONOTONIC);
    interrupted = number;
    des_interrupt();
    signal(SIGPROF, on_delay);
    limit_patience(PATIENCE);
  } else if (getpid() == program && seconds_of(CLOCK_MONOTONIC) - first > one_request) {
    signal(number, SIG_DFL);
    raise(number);
  }
}

/* Let the first signal NUMBER ask for an end; a later one ends the program. A write that the first one finds
 * waiting, as for the reader of a full pipe, goes on. */
static void heed(int number) {
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  sigaction(number, &action, NULL);
}

void sweep_start(const struct opts *opts) {
  quiet = opts->quiet;
  program = getpid();
  on_terminal = !quiet && isatty(STDERR_FILENO);
  jobs_name_deaths();
  heed(SIGINT);
  heed(SIGTERM);
  struct sigaction now;
  sigaction(SIGHUP, NULL, &now);
  if (now.sa_handler != SIG_IGN) { /* as under nohup */
    heed(SIGHUP);
  }
}

int sweep_outcome(const struct ledger *ledger) {
  return ledger->nstopped ? CLI_FAULT : ledger->nwrong ? CLI_FAILED : CLI_DONE;
}

int sweep_lost(const struct ledger *ledger) {
  return ledger->store_failed || jobs_loss() == JOBS_NONE ? CLI_INPUT : CLI_FAILED;
}

bool sweep_interrupted(void) {
  if (interrupted) {
    limit_patience(0);
  }
  return interrupted != 0;
}

int sweep_signal(void) {
  return interrupted;
}

void sweep_progress(size_t done, size_t total) {
  static size_t of, first,
    latest; /* what is counted now; how many were done when its clock started, and lately */
  static double start, shown_at;
  if (quiet || total == 0) {
    return;
  }
  double now = seconds_of(CLOCK_MONOTONIC);
  if (of != total || done < latest) {
    of = total;
    first = done;
    start = shown_at = now;
  }
  latest = done;
  if (now - shown_at >= (on_terminal ? 0.1 : LINE_SECONDS)) {
    double rate = (double)(done - first) / (now - start); /* per second; 0: not known yet */
    fprintf(stderr, "%s%zu/%zu (%zu %%)", on_terminal ? "\r" : "cellcoll: ", done, total, 100 * done / total);
    if (rate > 0) {
      unsigned long left = (unsigned long)((double)(total - done) / rate + 0.5);
      fprintf(stderr, "  %.*f/s  %lu:%02lu:%02lu left", rate < 10 ? 1 : 0, rate, left / 3600, left / 60 % 60,
              left % 60);
    }
    fputs(on_terminal ? "\033[K" : "\n", stderr);
    fflush(stderr);
    shown_at = now;
    shown = on_terminal;
  }
}

static int by_text(const void *a, const void *b) {
  return strcmp(a, b);
}

void sweep_skip(const char *why) {
  static void *told; /* a tree of texts */
  if (!quiet && !tfind(why, &told, by_text)) {
    tsearch(xstrdup(why), &told, by_text);
    sweep_clear_progress();
    fprintf(stderr, "cellcoll: skipped: %s\n", why);
  }
}

void sweep_skip_call(const struct algo *algo, const char *why) {
  if (sweep_is_listed(algo)) {
    left_out[find_listed(named, algo)]++;
    reason = reason ? reason : xasprintf(": %s", why);
  } else {
    sweep_skip(why);
  }
}

void sweep_tell_left_out(void) {
  size_t n = 0;
  for (size_t i = 0; named && !quiet && i < named->n; i++) {
    if (left_out[i]) {
      sweep_clear_progress();
      fprintf(stderr, "%s%s",
              n++ ? ", " : "cellcoll: skipped as not applicable: ", catalogue_name(&named->items[i]));
      if (left_out[i] > 1) {
        fprintf(stderr, " (%zu calls)", left_out[i]);
      }
    }
  }
  fputs(n ? "; name one algorithm to see why\n" : "", stderr);
}

const char *sweep_reason(void) {
  return reason ? reason : "";
}

void sweep_hush(void) {
  quiet = true;
}

void sweep_complain(const char *what) {
  sweep_clear_progress();
  fprintf(stderr, "cellcoll: %s\n", what);
}

void sweep_clear_progress(void) {
  if (shown) {
    fputs("\r\033[K", stderr);
    shown = false;
  }
}
