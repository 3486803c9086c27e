/* SPDX-License-Identifier: BSD-3-Clause
 * The refined cost of main memory: ranks that move data to or from one memory at the same time, as tasks that share its
 * controller and, from the other chip, the link.
 *
 * What one SPE does while n - 1 others do the same takes T(n), measured for n = 1, 2, N - 1 and N, all SPEs of a chip:
 *
 *   use   = T(N) - T(N - 1)   what each adds when the controller, or the link, is never idle
 *   lead  = T(N) - N use      latencies, during which nobody is held up
 *   burst = T(2) - T(1)       what each adds when there are few: the first requests of all come together
 *
 * After `lead` a task does its burst, which alone takes as long as its use; those of a chip are served in the order in which
 * they begin, all at the same time if that is the same. Then it does the rest, which alone takes
 * T(1) - lead - burst since an MFC has only so many requests under way, and whose use is use - burst. All requests wait
 * equally long, for q times what they use themselves: each part goes on at the rate 1 / (alone + q use), and q is 0 as long
 * as the controller has time left, else such that the sum of use / (alone + q use) is 1. Of n equal tasks that start together
 * each takes max(T(1) + (n - 1) burst, lead + n use). */
#pragma once

#include "algos/cost/cost.h"

enum { SHARE_TASKS_MAX = 128, SHARE_PARTS = 2, SHARE_AT_ONCE = -1 };

/* What tasks share: the controller, and each direction of the link. */
enum share_resource { SHARE_CONTROLLER, SHARE_IN, SHARE_OUT, SHARE_RESOURCES };

/* One part of a task, in cycles: how long it takes alone, and how long it keeps what is shared busy. */
struct share_part {
  double alone, use[SHARE_RESOURCES];
};

/* One task of a rank. */
struct share_task {
  enum cost_parameter kind; /* COST_READ1, COST_WRITE1, COST_COPY1, COST_BLOCKS1 */
  unsigned rank;
  size_t nbytes;
  unsigned writes; /* places to which each byte is written; blocks */
  int after;       /* the task whose end it waits for, or SHARE_AT_ONCE */
  double delay;    /* by how much it starts later than that, or than 0 */
  double earliest; /* when it starts at the earliest */
  int also;        /* 1 + the number of another task whose end it waits for; 0: none */
  double also_delay;
  /* found by share_add, or given for a task with no bytes of memory: */
  double lead;
  struct share_part parts[SHARE_PARTS];
  /* kept by share_run: */
  double busy[SHARE_RESOURCES]; /* share of its time for which it alone keeps each busy */
  unsigned part;                /* in which it is */
  double left;                  /* share of that which is left */
  double time;                  /* that its part takes now */
  double start, begin, end;     /* of the task, of its parts, of all; INFINITY: not yet known */
};

/* Tasks of a call. */
struct share {
  const struct cost *cost;
  unsigned n;
  bool overfull; /* there was no room for a task */
  struct share_task tasks[SHARE_TASKS_MAX];
};

/* Return how long TASK, which has bytes, takes alone. */
double share_alone(const struct cost *cost, const struct share_task *task);

/* Return which share of the data of TASK is its burst. */
double share_first(const struct cost *cost, struct share_task task);

/* Begin, without tasks. */
void share_begin(struct share *share, const struct cost *cost);

/* Add TASK to SHARE.
 * returns: its number. */
int share_add(struct share *share, struct share_task task);

/* Return how long the tasks of SHARE keep what they share busy: the resource that they use most. */
double share_busy(const struct share *share);

/* Find out when all tasks end. A task without bytes and parts ends when it starts.
 * returns: whether they do; not when there are too many. */
bool share_run(struct share *share);
