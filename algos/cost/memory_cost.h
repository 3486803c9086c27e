/* SPDX-License-Identifier: BSD-3-Clause
 * What the refined costs of collectives of data in main memory have in common: addresses go round as notifications, then
 * ranks move data as tasks that share memory, and a pairwise exchange ends the call. The root is rank 0. */
#pragma once

#include "algos/cost/chain.h"
#include "algos/cost/memory_model.h"

/* Bytes of one request. */
enum { MEMORY_LINE = 128 };

/* A call under way. */
struct memory_cost {
  const struct cost *cost;
  struct chain chain; /* when each rank is done with what it has done so far */
  struct memory_model model;
};

/* Begin, with all ranks of COST at 0.
 * returns: whether there are at least two and few enough of them. */
bool memory_cost_begin(struct memory_cost *memory, const struct cost *cost);

/* Return the tree of all ranks with DEGREE. */
struct tree memory_cost_tree(const struct cost *cost, unsigned degree);

/* Return how long rank R takes to tell its children in TREE something, one after the other, until all has left. */
double memory_cost_telling(const struct memory_cost *memory, struct tree tree, unsigned r);

/* Let all ranks tell all others, the next one first, and wait for all in the same order. */
void memory_cost_tell_all(struct memory_cost *memory);

/* Add TASK, a copy: up to the size of a buffer all is read before anything is written.
 * returns: as memory_model_add. */
int memory_cost_copy(struct memory_cost *memory, struct memory_task task);

/* A get from a local store, which takes `alone` when its rank does nothing else. */
struct memory_get {
  double start, alone, end;
};

/* Let GET go on while its rank reads or writes as many bytes of memory by TASK, whose times are known and one request of which
 * takes LATENCY. An MFC that has requests of both sends them by turns, so that the get waits for as many requests of the task as
 * it still has itself; those are sent until LATENCY before the end of the task. */
void memory_cost_beside(const struct memory_task *task, double latency, struct memory_get *get);

/* Data that goes through local stores in pieces of so many bytes. */
struct memory_stream {
  size_t piece;
  size_t most; /* pieces that `few` can do, at least two */
  double (*few)(const struct cost *cost);
  double busy; /* how long a piece keeps what is shared busy */
};

/* Return the cost of the call C: up to `most` pieces that of `few`; each one more adds what the last one of these has added,
 * when all that holds up anybody has happened, or what it keeps memory busy if that is longer. */
double memory_cost_stream(const struct cost *c, const struct memory_stream *stream);

/* Let all ranks do what memory_tree_bcast does with M bytes, at most four pieces on 16 ranks, and wait for all tasks.
 * returns: as memory_cost_run. */
bool memory_cost_tree_bcast(struct memory_cost *memory, struct tree tree, size_t m);

/* The same for memory_tree_reduce, at most eight pieces. */
bool memory_cost_tree_reduce(struct memory_cost *memory, struct tree tree, size_t m);

/* How scan:mm makes prefixes: the values of its parameter. */
enum memory_scan { MEMORY_SCAN_LINEAR, MEMORY_SCAN_DOUBLING };

/* Return the cost of the call C of scan:mm. */
double memory_cost_scan(const struct cost *c);

/* Return how long rank R takes to get M bytes from the local store of rank P when nobody else does. */
double memory_cost_fetching(const struct memory_cost *memory, unsigned p, unsigned r, size_t m);

/* Run the tasks, and let each rank that has some go on when its last one has ended.
 * returns: whether all end. */
bool memory_cost_run(struct memory_cost *memory);

/* Let all ranks synchronize.
 * returns: the time of the last one. */
double memory_cost_end(struct memory_cost *memory);
