/* SPDX-License-Identifier: BSD-3-Clause
 * The ledger of experiments: a user of results asks for a result by the key of the experiment (ledger_key.h).
 * Unknown results are computed on several processors; results known here or in a store on disk are not
 * computed again.
 *
 *   static void
 *   evaluate(void *context)                       asks for all results that it needs, known or not
 *   {
 *     struct result result;
 *     if (ledger_ask(ledger, &experiment, &result)) {
 *       ... result.number ...
 *     }
 *   }
 *   ...
 *   ledger_settle(ledger, evaluate, context, &err)
 *
 * ledger_settle calls `evaluate` until all results asked for are known: once to collect the experiments, then
 * with the results; more often if the questions depend on results. */
#pragma once

#include "sim/base/hash.h"
#include "validate/lab/ledger/ledger_key.h"

#include <stdbool.h>
#include <stddef.h>

/* Starts as zero, or with some of the fields below. */
struct ledger {
  unsigned njobs;    /* processes to work in; 0: one for each processor */
  const char *store; /* file that keeps results, see ledger_open; NULL: results are not kept */
  bool apart;        /* run experiments in other processes even if one is enough, as for struct jobs */
  unsigned seconds;  /* limit of processor time of an experiment; 0: none */
  bool told;         /* a longer experiment is told, and goes on; otherwise its process ends, see jobs.h */
  unsigned limit;    /* of processor time of a told experiment; 0: none */
  bool tried;        /* no experiment is expected to crash: those soon done are run in this process */

  bool recalled; /* no experiment is run: what is in the store becomes known */

  /* Processes can share a sweep, each with a separate store: this process is PART of PARTS, from 0 on, and
   * makes a part of the experiments; the other experiments are noted in the store and stay unknown. PARTS =
   * 0: this process makes all experiments. */
  unsigned part, parts;

  /* Called now and then while experiments are run; NULL: not wanted. */
  void (*progress)(size_t done, size_t total);

  /* for users, read only */
  bool asking;             /* a round is in progress: unknown results will be computed */
  size_t nstopped, nwrong; /* grow with every result that is a fault, a deadlock or a crash; that is wrong */
  size_t nrun;             /* experiments that were run */
  size_t nelsewhere;       /* experiments that belong to other processes */
  size_t nfound, nstored;  /* results found in the store; results added to the store */
  bool store_failed;       /* the last error was one of the store */

  /* internal */
  struct ledger_entry *entries;
  size_t n;
  struct hash places;           /* numbers of entries by their keys */
  struct ledger_wanted *wanted; /* entries asked for and not known, with their experiments */
  size_t nwanted;
  double stored_at; /* when results were written last */
  size_t nmissing;  /* questions without an answer, see ledger_mark */
  double each;      /* mean processor time of the latest tried experiments run in this process, s */
};

/* Create or open the store of LEDGER, if LEDGER names a store.
 * errors: as store_open. */
int ledger_open(struct ledger *ledger, struct err *err);

/* Release the contents of LEDGER. */
void ledger_fini(struct ledger *ledger);

/* Find the RESULT of EXPERIMENT; texts in RESULT live as long as LEDGER. During a round an unknown experiment
 * is noted for ledger_settle; SUBJECT and the target of CONTEXT must live until the end of the round.
 * returns: whether RESULT is known. */
bool ledger_ask(struct ledger *ledger, const struct experiment *experiment, struct result *result);

/* Return a mark for ledger_complete; LEDGER may be NULL. */
size_t ledger_mark(const struct ledger *ledger);

/* Tell whether every question since MARK has an answer. Of a user that has settled only the questions of the
 * last round count. */
bool ledger_complete(const struct ledger *ledger, size_t mark);

/* Let EVALUATE ask with CONTEXT, and run the unknown experiments, until all results are known or an
 * interruption (see des_interrupted()). Results finished before an interruption or error are known.
 * errors: a process that died; the store (`store_failed` is then set). */
int ledger_settle(struct ledger *ledger, void (*evaluate)(void *context), void *context, struct err *err);
