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

enum { MEMORY_MODEL_TASKS_MAX = 128, MEMORY_MODEL_PARTS = 2, MEMORY_MODEL_AT_ONCE = -1 };

/* What tasks share: the controller, and each direction of the link. */
enum memory_resource { MEMORY_MODEL_CONTROLLER, MEMORY_MODEL_IN, MEMORY_MODEL_OUT, MEMORY_MODEL_RESOURCES };

/* One part of a task, in cycles: how long it takes alone, and how long it keeps what is shared busy. */
struct memory_model_part {
  double alone, use[MEMORY_MODEL_RESOURCES];
};

/* One task of a rank. */
struct memory_task {
  enum cost_parameter kind; /* COST_READ1, COST_WRITE1, COST_COPY1, COST_BLOCKS1 */
  unsigned rank;
  size_t nbytes;
  unsigned writes; /* places to which each byte is written; blocks */
  int after;       /* the task whose end it waits for, or MEMORY_MODEL_AT_ONCE */
  double delay;    /* by how much it starts later than that, or than 0 */
  double earliest; /* when it starts at the earliest */
  int also;        /* 1 + the number of another task whose end it waits for; 0: none */
  double also_delay;
  /* found by memory_model_add, or given for a task with no bytes of memory: */
  double lead;
  struct memory_model_part parts[MEMORY_MODEL_PARTS];
  /* kept by memory_model_run: */
  double busy[MEMORY_MODEL_RESOURCES]; /* share of its time for which it alone keeps each busy */
  unsigned part;                       /* in which it is */
  double left;                         /* share of that which is left */
  double time;                         /* that its part takes now */
  double start, begin, end;            /* of the task, of its parts, of all; INFINITY: not yet known */
};

/* Tasks of a call. */
struct memory_model {
  const struct cost *cost;
  unsigned n;
  bool overfull; /* there was no room for a task */
  struct memory_task tasks[MEMORY_MODEL_TASKS_MAX];
};

/* Return how long TASK, which has bytes, takes alone. */
double memory_model_alone(const struct cost *cost, const struct memory_task *task);

/* Return which share of the data of TASK is its burst. */
double memory_model_first(const struct cost *cost, struct memory_task task);

/* Begin, without tasks. */
void memory_model_begin(struct memory_model *model, const struct cost *cost);

/* Add TASK to MODEL.
 * returns: its number. */
int memory_model_add(struct memory_model *model, struct memory_task task);

/* Return how long the tasks of MODEL keep what they share busy: the resource that they use most. */
double memory_model_busy(const struct memory_model *model);

/* Find out when all tasks end. A task without bytes and parts ends when it starts.
 * returns: whether they do; not when there are too many. */
bool memory_model_run(struct memory_model *model);
