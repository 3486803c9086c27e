/* SPDX-License-Identifier: BSD-3-Clause
 * Independent items of work on all processors: forked workers take one item after the other, and their
 * results are delivered in the order of the items.
 *
 * A worker is a copy of the process as it is when jobs_run is called. What it changes is lost, except what it
 * packs into its results; so it prints nothing, but packs its messages. A result is packed and unpacked even
 * if there is only one process, so that the number of workers makes no difference to what is delivered. */
#pragma once

#include "sim/base/pack.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

/* What jobs_run shall do. */
struct jobs {
  size_t count;
  unsigned nworkers; /* 0: one for each processor; with 1 worker or item everything happens in this process */
  bool apart;        /* not even then: what kills a worker must not kill this process */
  unsigned seconds;  /* processor time that an item may take in a worker; 0: any */
  void *context;     /* for the functions below */

  /* Do item INDEX and pack its result; in a worker. Nonzero: it could not be finished, because of an
   * interruption. */
  int (*work)(void *context, size_t index, struct pack *result);

  /* Take the RESULT of item INDEX; in this process, in ascending order. Nonzero: the other results are not
   * wanted. */
  int (*deliver)(void *context, size_t index, struct pack *result);

  /* Name item INDEX, for the message about a worker that has died. */
  void (*describe)(const void *context, size_t index, char *text, size_t size);

  /* Item INDEX has crashed its worker, HOW says how: pack a result for it, and the others go on. False: it
   * can have none; jobs_run then ends. NULL: none can. */
  bool (*crashed)(void *context, size_t index, const char *how, struct pack *result);

  /* Called now and then with the number of items that are done; NULL: not wanted. */
  void (*progress)(void *context, size_t done);

  /* Tell whether a signal has asked for an end; NULL: never. The workers then get a SIGINT, and work() is
   * expected to end soon; after three seconds they are killed. */
  bool (*interrupted)(void);
};

/* Work on all items of JOBS. After an interruption the results of all items that are finished have been
 * delivered, still in ascending order; those that are not are missing.
 * returns: 0, also after an interruption; -1 if deliver() wants no more or a worker has died, after the
 *   results of all items before that one have been delivered.
 * errors: a worker has died (deliver() sets its own message). */
int jobs_run(const struct jobs *jobs, struct err *err);

/* Why results are missing. */
enum jobs_loss {
  JOBS_NONE,    /* none is */
  JOBS_CRASHED, /* an item has crashed its worker */
  JOBS_LOST,    /* a worker was killed by somebody, or has found no more memory */
};

/* Return the latest loss of jobs_run in this process; JOBS_NONE: none, but for interruptions. */
enum jobs_loss jobs_loss(void);

/* The exit code of a process that was ended before its work was over, by exit() in a plugin. */
enum { JOBS_ENDED_EXIT = 4 };

/* Until jobs_forget_deaths, say on standard error if something ends this process, and not a worker, by exit()
 * or a crash, and name the item that it works on, if any; files that are being written are removed. For a
 * program that ends with its work. */
void jobs_name_deaths(void);

/* End this process by signal NUMBER, which it has got long before, and say so; for a handler of signals.
 * After jobs_forget_deaths nothing happens. */
void jobs_end_endless(int number);

/* The work is over: this process may end. */
void jobs_forget_deaths(void);

/* Return the number of processes that jobs_run would start for JOBS; 0: none, the work is done in this
 * one. */
unsigned jobs_nworkers(const struct jobs *jobs);
