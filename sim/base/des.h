/* SPDX-License-Identifier: BSD-3-Clause
 * The event core: simulated time in SPU cycles, events of the machine, and programs that run as SimGrid
 * actors.
 *
 * Events and programs belong to a node: a part of the simulated world with a wheel, and thus a clock, of its
 * own. What happens on one node happens in one order; nodes run one after the other, none more than a given
 * look-ahead before the others. While a node runs, all calls mean that node. */
#pragma once

#include "sim/base/wheel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What happens at one cycle happens in this order, and within a phase by ascending number: of the SPE, the
 * chip, the link or the program that it happens to, one of these in each phase. */
enum des_phase {
  DES_ARRIVE,    /* a message of another node arrives */
  DES_DELIVER,   /* data becomes visible in its target */
  DES_COMPLETE,  /* a DMA command or a bus request ends */
  DES_ISSUE,     /* a DMA command enters a queue */
  DES_COMMAND,   /* a command bus serves one bus request */
  DES_READY,     /* data is ready to be sent */
  DES_ARBITRATE, /* a data arbiter grants transfers */
  DES_LINK,      /* a link between chips takes a bus request */
  DES_PROGRAM,   /* a program's own time has come */
  DES_RESUME,    /* the programs go on that this cycle has woken */
};

/* Why a program is blocked: what it waits for, and how to see whether it has come.
 * The engine calls `ready` itself, so that a program is resumed only when its wait is over. */
struct des_wait {
  unsigned kinds; /* the pokes that can end this wait */
  bool (*ready)(const struct des_wait *wait);
  void (*describe)(const struct des_wait *wait, char *text, size_t size); /* "waits for ..." */
  void (*begin)(struct des_wait *wait); /* called when it begins to take time; NULL: nobody wants to know */
};

/* What a program is started with. */
struct des_job {
  void (*program)(void *argument);
  void *argument;
  const char *name; /* for messages; must outlive the run */
  unsigned number;  /* unique on its node */
  /* called, and not to return, when the program calls something of another machine than the one that it runs
   * on, for its ARGUMENT and the name of the CALL; NULL: it runs on the simulated one */
  void (*refuse)(void *argument, const char *call);
};

/* A node; see the head of this file. */
struct des_node;

/* A program on one processor (SPE or PPE). Only des.c uses the fields, and what is inline here. */
struct des_actor {
  struct simgrid_actor *simgrid; /* that carries its programs */
  struct des_node *node;
  struct des_job job;
  struct event timer;    /* the program's own time has come */
  uint64_t local;        /* the program's own cycle */
  struct des_wait *wait; /* what it is blocked on; NULL: only its own time */
  unsigned armed;        /* blocked: the pokes that can end it */
  bool woken;            /* in the list of those that run next */
  bool ended, parked;
  uint64_t blocked_since;
  struct des_actor *next_idle;
};

/* How a run ended. */
struct des_result {
  uint64_t cycles;    /* the last one in which a program had not ended */
  unsigned stuck;     /* programs that nothing can wake any more */
  char *stuck_report; /* one line each: who waits for what, from whom, since when; NULL when none */
  bool interrupted;   /* des_interrupt was called */
};

/* Start SimGrid; call once in a process before anything else here. */
void des_init(void);

/* Make a node without events or programs, at cycle 0.
 * owner: the caller, with des_node_free. */
struct des_node *des_node_new(void);

/* Release NODE, which does not run; NULL is allowed. */
void des_node_free(struct des_node *node);

/* Return the current cycle of the node that runs; 0 while none does. */
static inline uint64_t des_now(void);

/* Let EVENT happen at cycle AT (not in the past) in PHASE, to NUMBER. */
static inline void des_schedule(struct event *event, uint64_t at, enum des_phase phase, unsigned number);

/* Return the place of what happens in PHASE to NUMBER among the events of one cycle. */
static inline uint32_t des_order(enum des_phase phase, unsigned number) {
  return (uint32_t)phase << 24 | number;
}

/* Let EVENT happen on NODE, whether it runs or not, at cycle AT as one of those of ORDER (des_order). */
void des_schedule_on(struct des_node *node, struct event *event, uint64_t at, uint32_t order);

/* Take the next event of this cycle, if it is of the same phase and number as EVENT, which happens now; else
 * return NULL. */
static inline struct event *des_take_same(const struct event *event);

/* Take the pending EVENT back. */
void des_cancel(struct event *event);

/* Prepare JOB to run on NODE from cycle START of its run, which may have begun.
 * owner: the core, until the end of that run. */
struct des_actor *des_spawn(struct des_node *node, const struct des_job *job, uint64_t start);

/* Let NODE run, alone, until nothing happens on it any more: every program has ended or cannot be woken, and
 * what the machine still had to do (a DMA that its program did not wait for) is done. Afterwards it is as
 * new: cycle 0, no events.
 * owner: the caller frees stuck_report. */
struct des_result des_run(struct des_node *node);

/* The same for N nodes in one run; RESULTS become theirs. The clock of none of them is LOOK_AHEAD cycles, at
 * least 1, or more after that of the node whose next event is the earliest one: whatever happens there
 * reaches the others in time if it takes LOOK_AHEAD cycles to get there. */
void des_run_all(struct des_node *const nodes[], size_t n, uint64_t look_ahead, struct des_result results[]);

/* Ask the current run to stop before any program goes on, and all later ones to stop at once; safe in a
 * signal handler. */
void des_interrupt(void);

/* Tell whether des_interrupt was called: what was measured since may be wrong. */
bool des_interrupted(void);

/* --- for programs --- */

/* Return the actor that calls; NULL outside programs. */
static inline struct des_actor *des_self(void);

/* Return the argument of the job of ACTOR. */
static inline void *des_argument(const struct des_actor *actor);

/* Let ACTOR, whose program has made the CALL of the simulated machine, stop if it runs on another one. */
static inline void des_refuse(const struct des_actor *actor, const char *call);

/* Return the name of the job of ACTOR. */
const char *des_name(const struct des_actor *actor);

/* Return the number of the job of ACTOR in the total order. */
static inline unsigned des_number(const struct des_actor *actor);

/* Return the program's own cycle, which may be ahead of the machine's: costs that it has charged and not yet
 * waited for. */
static inline uint64_t des_local(const struct des_actor *actor);

/* Let CYCLES of the program's own time pass; others see its later actions only after that. */
static inline void des_charge(struct des_actor *actor, uint64_t cycles);

/* Block until the machine has caught up with the program's own time. */
void des_sync(struct des_actor *actor);

/* Block until WAIT is over, not before the program's own time. */
void des_wait(struct des_actor *actor, struct des_wait *wait);

/* Stop the calling program for ever (a simulated fault); it does not count as stuck. Does not return. */
void des_park(struct des_actor *actor) __attribute__((noreturn));

/* --- for the machine --- */

/* Stop the program of ACTOR, which is blocked, for ever, as des_park does.
 * returns: false if it has ended already. */
bool des_stop(struct des_actor *actor);

/* Tell ACTOR (or nobody, if NULL) that something of KINDS has happened: it wakes in this cycle if its wait is
 * over.
 * returns: whether it wakes because of this. */
static inline bool des_poke(struct des_actor *actor, unsigned kinds);

/* Return the wait of ACTOR that a poke has just ended. */
struct des_wait *des_ended_wait(const struct des_actor *actor);

/* Wake ACTOR, which is blocked, if its wait is over.
 * returns: whether it is. */
bool des_wake_if_ready(struct des_actor *actor);

/* Of the node that runs, and whose program runs, NULL: none does; for the functions below only. Hidden: no
 * plugin sees them, so that they are read without a table of addresses. */
extern struct wheel *des_wheel __attribute__((visibility("hidden")));
extern struct des_actor *des_running __attribute__((visibility("hidden")));

static inline struct des_actor *des_self(void) {
  return des_running;
}

static inline void *des_argument(const struct des_actor *actor) {
  return actor->job.argument;
}

static inline void des_refuse(const struct des_actor *actor, const char *call) {
  if (__builtin_expect(actor && actor->job.refuse, 0)) {
    actor->job.refuse(actor->job.argument, call);
  }
}

static inline unsigned des_number(const struct des_actor *actor) {
  return actor->job.number;
}

static inline uint64_t des_local(const struct des_actor *actor) {
  return actor->local;
}

static inline void des_charge(struct des_actor *actor, uint64_t cycles) {
  actor->local += cycles;
}

static inline bool des_poke(struct des_actor *actor, unsigned kinds) {
  return actor && actor->armed & kinds && des_wake_if_ready(actor);
}

static inline uint64_t des_now(void) {
  return des_wheel->now;
}

static inline void des_schedule(struct event *event, uint64_t at, enum des_phase phase, unsigned number) {
  event->order = des_order(phase, number);
  wheel_add(des_wheel, event, at);
}

static inline struct event *des_take_same(const struct event *event) {
  return wheel_take_same(des_wheel, event);
}
