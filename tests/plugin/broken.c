/* SPDX-License-Identifier: BSD-3-Clause
 * Plugins with one defect each, chosen by a macro; without any, an algorithm that looks sound at a glance. */
#include "algos/cost/cost.h"
#include "algos/plugin.h"
#include "algos/step/step.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined FAULTS || defined ONE_NODE
#include "sim/spu/spu_mfcio.h"
#elif defined ALONE
#include "algos/phase/ready_go.h"
#endif

#ifdef OVERFLOWS
/* Use a stack of COUNT kilobytes.
 * returns: how many are used below this one. */
static unsigned __attribute__((noinline)) descend(unsigned count) {
  volatile char frame[1024];
  memset((void *)frame, 1, sizeof frame);
  return count ? (unsigned)frame[0] + descend(count - 1) : 0;
}
#endif

#ifdef STATICS_HUGE
char statics[100 << 20]; /* of .bss */
#elif defined THREAD_LOCAL
_Thread_local int own = 1;
#endif

/* Do what is wrong. */
static void misbehave(struct coll *c) {
  (void)c;
#ifdef CRASHES
  if (c->nranks == 3) {
    abort();
  }
#elif defined EXITS
  exit(0);
#elif defined LEAVES
  _exit(5); /* as cellcoll does when there is no more memory */
#elif defined SEGFAULTS
  raise(SIGSEGV);
#elif defined TRAPS
  __builtin_trap();
#elif defined BREAKS && defined __x86_64__
  __asm__ volatile("int3"); /* is not tried again */
#elif defined BREAKS
  raise(SIGTRAP);
#elif defined OVERFLOWS
  exit((int)descend(200));
#elif defined LOOPS
  while (c->nranks == 3) {
  }
#elif defined ONE_NODE
  if (c->nranks == 16) { /* not on the last one */
    mfc_get(c->buffer, 0, 16, 0, 0, 0);
  }
#elif defined SIGNALS
  step_await_any_signal(c, UINT32_C(1) << c->nranks);
#elif defined FORKS
  if (c->rank == 0 && fork() == 0) {
    exit(0);
  }
#elif defined FORKS_ON
  static int generations; /* bounded, should copies go on as if they were the program */
  if (generations++ < 3 && fork() == 0) {
    setsid();
    fclose(fopen("went_on", "w"));
  }
#elif defined PRINTS
  printf("rank %u says hello\n", c->rank);
#elif defined LATE
  step_compute(c, 1000);
#elif defined STRAYS
  step_notify(c, c->rank + 1);
#elif defined SLOTS
  step_finish(c, STEP_SLOTS);
#elif defined COMPUTES
  step_compute(c, c->rank - UINT64_C(100));
#elif defined SHRINKS
  if (c->nranks < 3) {
    abort();
  }
  step_notify(c, c->nranks);
#elif defined FAULTS
  mfc_get(c->buffer, 0, 3, 0, 0, 0);
#elif defined ALONE
  ready_go(c);
#elif defined WAITS
  step_take(c, (c->rank + 1) % c->nranks, c->buffer, c->nbytes);
#endif
}

/* The root offers its data to everybody and leaves before they have taken it. */
static void run(struct coll *c) {
  misbehave(c);
  for (unsigned r = 0; r < c->nranks; r++) {
    if (c->rank == c->root && r != c->root) {
      step_post(c, r, c->buffer);
    }
  }
  if (c->rank != c->root) {
    step_take(c, c->root, c->buffer, c->nbytes);
  }
#ifdef SPOILS
  c->buffer[0] ^= 1;
#endif
#ifdef SOUND
  for (unsigned r = 0; r < c->nranks; r++) {
    if (c->rank == c->root && r != c->root) {
      step_await_taken(c, r);
    }
  }
#endif
#ifdef LOOKS
  for (size_t i = 0; c->rank != c->root && c->buffer[i] == 0; i++) { /* in a prediction no data arrives */
    if (i + 1 == c->nbytes) {
      step_await(c, c->root);
    }
  }
#endif
}

/* So that it is compared. */
static double cost(const struct cost *c) {
#ifdef COST_EXITS
  exit(0);
#elif defined COST_INFINITE
  return INFINITY;
#elif defined COST_FALLS
  return 1000 - 3000 * c->gap_share;
#endif
  return 1000 * c->p;
}

#if defined SCRATCH_EXITS || defined SCRATCH_HUGE
static size_t scratch(const struct coll_group *group) {
#ifdef SCRATCH_EXITS
  if (group->nranks == 3) {
    exit(0);
  }
  return 0;
#else
  return (size_t)group->nranks - 100;
#endif
}
#endif

#ifdef UNKNOWN_FUNCTION
void step_that_nobody_knows(struct coll *c);
#endif

static const struct algo hasty = {
  .collective = COLL_BCAST,
#ifdef TAKEN_NAME
  .name = "one-to-all",
#elif defined BAD_NAME
  .name = "one:two",
#elif defined LONG_NAME
  .name = "a234567890123456789012345678901234567890123456789012345678901234",
#else
  .name = "hasty",
#endif
#ifdef BAD_PARAMETER
  .params = {{.name = "pieces", .least = 2, .most = 4, .initial = 1}},
#endif
#ifdef UNKNOWN_PROFILE
  .source = "nobody1999",
#else
  .source = "ali2010",
#endif
#ifdef BAD_IDEA
  .idea = "first one\nthen all",
#else
  .idea = "the root leaves at once",
#endif
  .cost = cost,
#ifdef UNKNOWN_NEED
  .needs = 1U << 31,
#endif
#ifdef ALONE
  .scratch = child_transfers_scratch,
#elif defined SCRATCH_EXITS || defined SCRATCH_HUGE
  .scratch = scratch,
#endif
#ifdef UNKNOWN_FUNCTION
  .run = step_that_nobody_knows,
#elif !defined NO_PROGRAM
  .run = run,
#else
  .scratch = (size_t(*)(const struct coll_group *))run,
#endif
};

#ifdef OTHER_VERSION
const struct cellcoll_abi cellcoll_abi = {.version = 3};
#elif defined OTHER_SIZE
const struct cellcoll_abi cellcoll_abi = {.version = 6, .algo = sizeof(struct algo) + 8};
#elif !defined NO_ABI
const struct cellcoll_abi cellcoll_abi = CELLCOLL_ABI;
#endif

#ifdef NO_LIST
extern const struct algo *const nothing[];
const struct algo *const nothing[] = {&hasty, NULL};
#elif defined EMPTY_LIST
extern const struct algo *const nothing[];
const struct algo *const nothing[] = {&hasty, NULL};
const struct algo *const cellcoll_algorithms[] = {NULL};
#else
const struct algo *const cellcoll_algorithms[] = {&hasty, NULL};
#endif
