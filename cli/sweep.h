/* SPDX-License-Identifier: BSD-3-Clause
 * What the commands that simulate have in common: algorithms and blades from the command line, progress,
 * interruption. */
#pragma once

#include "algos/step/algo.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct ledger;
struct opts;
struct platform;

/* How the program ends. */
enum exit_code {
  CLI_DONE = 0,
  CLI_FAILED = 1, /* a check failed, or a comparison missed its tolerance */
  CLI_USAGE = 2,  /* unknown name or malformed value on the command line */
  CLI_INPUT = 3,  /* bad file, or a request that this platform or algorithm cannot serve */
  CLI_FAULT = 4, /* simulated fault or deadlock, or a crash of an algorithm's program; also JOBS_ENDED_EXIT */
  CLI_LOST = 5,  /* no worker, memory or SimGrid; nothing is wrong with what was asked; also XALLOC_EXIT */
  CLI_SIGNALLED = 128, /* and the number of a signal: as a shell reports a program that a signal has ended */
};

/* The algorithms named on the command line. */
struct sweep_calls {
  struct algorithm *items;
  const char *
    *words; /* of each item as typed; NULL: listed, the algorithm comes from a collective or a pattern */
  size_t n;
};

/* Find the algorithms named in OPTS: one by one, or by a collective or a pattern. CALLS must live until
 * sweep_tell_left_out.
 * returns: an exit code, CLI_DONE if all exist.
 * errors: as catalogue_find and catalogue_match. */
int sweep_find_calls(const struct opts *opts, struct sweep_calls *calls, struct err *err);
void sweep_calls_fini(struct sweep_calls *calls);

/* Tell whether ALGO comes only from a collective or a pattern: calls without ALGO are then no error. */
bool sweep_is_listed(const struct algo *algo);

/* Return the software costs of ALGORITHM on PLATFORM.
 * errors: NULL: PLATFORM has no costs for ALGORITHM; for a listed algorithm without a message, by
 * sweep_skip_call. */
const struct profile *sweep_profile(const struct platform *platform, const struct algorithm *algorithm,
                                    struct err *err);

/* Return the name of PLATFORM and, in brackets, the changes of --set; a text_brief. */
const char *sweep_label(const struct platform *platform);

/* Start the simulator. From now on a signal that asks for an end (SIGINT, SIGTERM, SIGHUP unless it is
 * ignored) ends the run that is under way instead of the program, unless that takes too long, and progress is
 * shown on a terminal unless OPTS says to be quiet. What ends the program otherwise is told. */
void sweep_start(const struct opts *opts);

/* Return the exit code of results of LEDGER that are all known: whether one of them has stopped, or was
 * wrong. */
int sweep_outcome(const struct ledger *ledger);

/* Return the exit code after an error: LEDGER has lost a process, or it is about its store or about what was
 * asked for. */
int sweep_lost(const struct ledger *ledger);

/* Tell whether the program was interrupted. */
bool sweep_interrupted(void);

/* Return the signal that has interrupted the program; 0: none. */
int sweep_signal(void);

/* Show how far a long command is: DONE of TOTAL, how fast that goes, and how long the rest takes at that
 * rate. Shown on a terminal only, ten times a second at most. */
void sweep_progress(size_t done, size_t total);

/* Say, unless that is not wanted or has been said, that something asked for is skipped, and why. */
void sweep_skip(const char *why);

/* The same of a call of ALGO; a listed ALGO is counted for sweep_tell_left_out instead. */
void sweep_skip_call(const struct algo *algo, const char *why);

/* Name the skipped listed algorithms in one line, unless the options say to be quiet. */
void sweep_tell_left_out(void);

/* Return a colon and the reason of the first skipped call of a listed algorithm; "": no such call. */
const char *sweep_reason(void);

/* From now on say nothing of what is skipped. */
void sweep_hush(void);

/* Say that something asked for did not do its work: WHAT. */
void sweep_complain(const char *what);

/* Remove the line of progress from the terminal. */
void sweep_clear_progress(void);
