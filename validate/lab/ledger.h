/* SPDX-License-Identifier: BSD-3-Clause
 * The ledger of experiments: who needs a result asks for it by its key (ledger_key.h). What is not known is
 * run on several processors; what is known, here or in a store on disk, is not run again.
 *
 *   static void
 *   evaluate(void *context)                       asks for all that it needs, known or not
 *   {
 *     struct pack result;
 *     if (ledger_ask(ledger, &experiment, &result)) {
 *       ... pack_take_real(&result) ...
 *     }
 *   }
 *   ...
 *   ledger_settle(ledger, &(struct ledger_round){evaluate, context}, &err)
 *
 * calls `evaluate` until it asks for nothing that is not known: once to learn what is to be run, then with
 * the results; more often if what it asks for depends on results. */
#pragma once

#include "validate/lab/ledger_key.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct ledger_entry;

/* Starts as zero, or with some of the fields below. */
struct ledger {
  unsigned njobs;    /* processes to work in; 0: one for each processor */
  const char *store; /* file in which results last; NULL: they do not. See ledger_open. */
  bool apart;        /* run them in other processes even if one is enough, as for struct jobs */
  unsigned seconds;  /* processor time that one may take there; 0: any */

  /* Of processes that share a sweep, each with a store of its own: this one is PART of PARTS, from 0 on, and
   * makes a part of the experiments; the others are noted in the store and never known. PARTS = 0: it makes
   * all. */
  unsigned part, parts;

  /* Called now and then while experiments are run; NULL: not wanted. */
  void (*progress)(size_t done, size_t total);

  /* what it tells */
  bool asking;         /* a round is under way: what is not known will be */
  unsigned long round; /* its number */
  size_t nmissing;     /* grows with every question that could not be answered */
  size_t nstopped,
    nwrong; /* with every answer that something has met a fault, a deadlock or a crash; that it was wrong */
  size_t nrun;            /* experiments that were run */
  size_t nelsewhere;      /* experiments that belong to other processes */
  size_t nfound, nstored; /* results that were in the store, that were added to it */
  bool store_failed;      /* what went wrong last was the store */

  /* its own */
  struct ledger_entry *entries;
  size_t n, capacity;
  size_t *places, nplaces;              /* a hash table: numbers of entries from 1 on, 0: free */
  size_t *wanted, nwanted, wanted_room; /* entries that have been asked for and are not known */
  double stored_at;                     /* when results were written last */
};

/* Prepare the store of LEDGER, if it has one: it is created, or looked at.
 * errors: as store_open. */
int ledger_open(struct ledger *ledger, struct err *err);

/* Release what LEDGER holds. */
void ledger_fini(struct ledger *ledger);

/* Find the RESULT of EXPERIMENT; texts taken from it live as long as LEDGER. If it is not known, it is noted
 * for ledger_settle, if that is under way; SUBJECT, OBSERVERS and whatever CONTEXT points to must live until
 * then.
 * returns: whether it is known. */
bool ledger_ask(struct ledger *ledger, const struct experiment *experiment, struct pack *result);

/* Who asks. */
struct ledger_round {
  void (*evaluate)(void *context);
  void *context;
};

/* Let ROUND ask, and run what is not known, until all is known or des_interrupted() tells of an interruption;
 * what was finished before that is known.
 * errors: a process that died; the store (`store_failed` is then set). What was finished before that is
 * known. */
int ledger_settle(struct ledger *ledger, const struct ledger_round *round, struct err *err);
