/* SPDX-License-Identifier: BSD-3-Clause
 * Independent items of work on all processors: forked workers take one item after the other, and the parent
 * delivers the results in the order of the items.
 *
 * A worker is a copy of the process at the call of jobs_run. Changes by a worker are lost, except its packed
 * results; so a worker prints nothing and packs its messages. A result is packed and unpacked even in a
 * single process, so the number of workers makes no difference to the delivered results. Standard output of a
 * worker, where a plugin may print, is standard error. */
#pragma once

#include "sim/base/pack.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

/* The task of jobs_run. */
struct jobs {
  size_t count;
  unsigned nworkers; /* 0: one for each processor; with 1 worker or item everything happens in this process */
  bool apart;        /* not even with 1: a crash of a worker must not kill this process */
  /* Limit of processor time of an item; 0: none. At the limit the item's worker ends; if TOLD, the item goes
   * on, and standard error names the busy programs; at LIMIT, if any, its worker ends. */
  double seconds;
  bool told;
  double limit;
  void *context; /* argument of the functions below */

  /* Do item INDEX and pack its result; in a worker. Nonzero: it could not be finished, because of an
   * interruption. */
  int (*work)(void *context, size_t index, struct pack *result);

  /* Take the RESULT of item INDEX; in this process, in ascending order. Nonzero: the other results are not
   * wanted. */
  int (*deliver)(void *context, size_t index, struct pack *result);

  /* Name item INDEX, for the message about a dead worker. */
  void (*describe)(const void *context, size_t index, char *text, size_t size);

  /* Item INDEX has crashed its worker, HOW says how: pack a result for the item, and the other items go on.
   * False: the item can have no result; jobs_run then ends. NULL: no item can. */
  bool (*crashed)(void *context, size_t index, const char *how, struct pack *result);

  /* Called from time to time with the number of finished items; NULL: not wanted. */
  void (*progress)(void *context, size_t done);

  /* Tell whether a signal has asked for an end; NULL: never. The workers then get a SIGINT, and work() should
   * end soon; after three seconds the workers are killed. */
  bool (*interrupted)(void);
};

/* Work on all items of JOBS. After an interruption the results of all finished items have been delivered,
 * still in ascending order; results of unfinished items are missing.
 * returns: 0, also after an interruption; -1 if deliver() wants no more or a worker has died, after delivery
 * of the results of all items before that item.
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

/* The exit code of a process ended by exit() in a plugin before its work was over. */
enum { JOBS_ENDED_EXIT = 4 };

/* Until jobs_forget_deaths, report on standard error an end of this process, not of a worker, by exit() or a
 * crash, and name the current item, if any; unfinished output files are removed. For a program that ends with
 * its work. */
void jobs_name_deaths(void);

/* End this process by signal NUMBER, received long before, with a message; for a signal handler. After
 * jobs_forget_deaths nothing happens. */
void jobs_end_endless(int number);

/* The work is over: this process may end. */
void jobs_forget_deaths(void);
