/* SPDX-License-Identifier: BSD-3-Clause
 * The event core: simulated time in SPU cycles, events of the machine, and programs that run as SimGrid
 * actors.
 *
 * Events and programs belong to a node: a part of the simulated world with its own wheel, and so its own
 * clock. Events of one node happen in one total order. Nodes run one after the other; no node gets ahead of
 * another node by more than a given look-ahead. While a node runs, all calls mean the running node. */
#pragma once

#include "sim/base/engine/image.h"
#include "sim/base/engine/wheel.h"
#include "sim/base/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Events of one cycle happen in this order of phases, and within a phase by ascending number: the number of
 * the SPE, chip, link or program of the event, of one kind in each phase. */
enum des_phase {
  DES_ARRIVE,    /* a message of another node arrives */
  DES_DELIVER,   /* data becomes visible in the target */
  DES_COMPLETE,  /* a DMA command or a bus request ends */
  DES_ISSUE,     /* a DMA command enters a queue */
  DES_COMMAND,   /* a command bus serves one bus request */
  DES_READY,     /* data is ready to be sent */
  DES_ARBITRATE, /* a data arbiter grants transfers */
  DES_LINK,      /* a link between chips takes a bus request */
  DES_PROGRAM,   /* a program's own time has come */
  DES_RESUME,    /* the programs woken in this cycle go on */
};

/* Why a program is blocked: the awaited condition, and how to look at the condition.
 * The engine calls `ready` and resumes a program only when the program's wait is over. */
struct des_wait {
  unsigned kinds; /* the kinds of poke that can end this wait */
  bool (*ready)(const struct des_wait *wait);
  void (*describe)(const struct des_wait *wait, char *text, size_t size); /* "waits for ..." */
  void (*begin)(struct des_wait *wait); /* called when the wait begins to take time; NULL: not called */
};

/* The job of a program. */
struct des_job {
  void (*program)(void *argument);
  void *argument;
  const char *name; /* for messages; must outlive the run */
  unsigned number;  /* unique on the node */
};

/* A node; see the head of this file. */
struct des_node;

/* A program on one processor (SPE or PPE). Only des.c and the inline functions below use the fields. */
struct des_actor {
  struct coroutine *coroutine;
  struct des_node *node;
  struct des_job job;
  struct event timer;    /* the program's own time has come */
  uint64_t local;        /* the program's own cycle */
  uint64_t computed;     /* own cycle at the end of the last des_end_compute */
  struct des_wait *wait; /* the wait that blocks the program; NULL: only its own time */
  unsigned armed;        /* blocked: the kinds of poke that can end the wait */
  unsigned nlooks;       /* how often the program's own time has ended a block, since the last change */
  uint8_t *image;        /* the static variables of the program; NULL: there are none */
  bool woken;            /* in the list of programs that run next */
  bool ended, parked;
  uint64_t blocked_since;
  unsigned step; /* of its algorithm, for messages; 0: none */
  struct des_actor *next_idle;
};

/* How a run ended. */
struct des_result {
  uint64_t cycles; /* the last cycle in which a program had not ended */
  /* a line for each program that nothing can wake: name, awaited event, partner, first cycle, step; or name
   * and DES_POLLS; NULL: none */
  char *stuck;
};

/* The running node and its running program, NULL if none; only for the inline functions below. Hidden from
 * plugins, so that reading needs no table of addresses. */
extern struct wheel *des_wheel __attribute__((visibility("hidden")));
extern struct des_actor *des_running __attribute__((visibility("hidden")));

/* Since the last look for programs that poll for ever a program has acted, was woken by an event, has ended,
 * or has read a clock. */
extern bool des_changed __attribute__((visibility("hidden")));

/* The stream and the kind of a shuffled run. */
struct des_shuffle {
  uint64_t stream; /* 0: the run is not shuffled */
  bool is_lazy;    /* each command is DES_LAZY */
  bool stalls;     /* programs stand still now and then */
};
extern struct des_shuffle des_shuffled __attribute__((visibility("hidden")));

/* Load and start SimGrid, once in a process, before the first run.
 * errors: as simgrid_actors_init. */
int des_init(struct err *err);

/* Make a node without events or programs, at cycle 0.
 * owner: the caller, with des_node_free. */
struct des_node *des_node_new(void);

/* Release NODE, which does not run; NODE may be NULL. */
void des_node_free(struct des_node *node);

/* Return the current cycle of the running node; 0 if no node runs. */
static inline uint64_t des_now(void) {
  return des_wheel->now;
}

/* Return the order, among the events of one cycle, of an event in PHASE of NUMBER. */
static inline uint32_t des_order(enum des_phase phase, unsigned number) {
  return (uint32_t)phase << 24 | number;
}

/* Let EVENT happen at cycle AT (not in the past) in PHASE, to NUMBER. */
static inline void des_schedule(struct event *event, uint64_t at, enum des_phase phase, unsigned number) {
  event->order = des_order(phase, number);
  wheel_add(des_wheel, event, at);
}

/* Let EVENT happen at cycle AT (not in the past) in the phase, and to the number, of its order. */
static inline void des_schedule_again(struct event *event, uint64_t at) {
  wheel_add(des_wheel, event, at);
}

/* Let EVENT happen on NODE, running or not, at cycle AT with ORDER (des_order). */
void des_schedule_on(struct des_node *node, struct event *event, uint64_t at, uint32_t order);

/* Take the next event of this cycle if it has the phase and number of EVENT, which happens now; otherwise
 * return NULL. */
static inline struct event *des_take_same(const struct event *event) {
  return wheel_take_same(des_wheel, event);
}

/* Tell whether the next event of this cycle has the phase and number of EVENT, the current event. */
static inline bool des_same_follows(const struct event *event) {
  return wheel_same_follows(des_wheel, event);
}

/* Take the pending EVENT back. */
void des_cancel(struct event *event);

/* Prepare JOB to run on NODE from cycle START of its run, which may have begun.
 * owner: the core, until the end of the run. */
struct des_actor *des_spawn(struct des_node *node, const struct des_job *job, uint64_t start);

#define DES_POLLS " polls for ever: nothing has changed since cycle "

/* Run NODE alone until nothing happens any more: every program has ended, cannot be woken or polls for ever,
 * and the machine has finished its work (for example a DMA without a waiting program). Afterwards NODE is
 * new: cycle 0, no events.
 * owner: the caller frees stuck. */
struct des_result des_run(struct des_node *node);

/* Run N nodes together; RESULTS gets a result for each node. No node's clock gets LOOK_AHEAD cycles (at least
 * 1) or more ahead of the earliest next event of all nodes. So an event that takes LOOK_AHEAD cycles to reach
 * another node arrives in time. */
void des_run_all(struct des_node *const nodes[], size_t n, uint64_t look_ahead, struct des_result results[]);

/* Ask the current run to stop before any program goes on, and all later ones to stop at once; safe in a
 * signal handler. */
void des_interrupt(void);

/* Tell whether des_interrupt was called: later measurements may be wrong. */
bool des_interrupted(void);

/* Have TELL called once with the first fault of the current run (or nothing) and the names of the busy
 * programs, before the next program goes on: each busy program computes or polls. After an earlier call
 * without an answer, call TELL at once with the name of the running program. Safe in a signal handler. */
typedef void des_teller(const char *fault, const char *who);
void des_tell_busy(des_teller *tell);

/* Return the name of the running program, and its STEP; NULL: none runs. Safe in a signal handler. */
const char *des_running_program(unsigned *step);

/* Note a FAULT of the current run, a line, for des_tell_busy. */
void des_note_fault(const char *fault);

/* --- runs in other orders --- */

/* Shuffle all later runs by SEED (docs/how-to/orders.md, "Other orders"): each event without a defined order
 * is late by a drawn number of cycles, each command draws a pace (one seed of four: all are lazy), and
 * programs stand still now and then (three seeds of four). SEED = 0: no run is shuffled. */
void des_shuffle(uint64_t seed);

static inline bool des_is_shuffled(void) {
  return __builtin_expect(des_shuffled.stream != 0, 0);
}

/* Return the lateness of the next event that no rule orders: cycles below 1, 64, 600 or 8,000, each bound
 * with the same probability. Not in a shuffled run: 0. */
static inline uint64_t des_lateness(void) {
  static const uint16_t bounds[] = {1, 64, 600, 8000};
  uint64_t drawn = des_is_shuffled() ? random_next(&des_shuffled.stream) : 0;
  return (drawn >> 8) % bounds[drawn % 4];
}

/* The same for one bus request of a command, so that the bus requests of a command arrive in several orders:
 * one request in eight is late, by less than 256 cycles. */
static inline uint64_t des_lateness_of_part(void) {
  uint64_t drawn = des_is_shuffled() ? random_next(&des_shuffled.stream) : 1;
  return drawn % 8 ? 0 : (drawn >> 8) % 256;
}

/* When a command of a shuffled run begins. */
enum des_pace {
  DES_LATE,  /* late by des_lateness; the program goes on */
  DES_LAZY,  /* when the program asks for the end of the command, at last after DES_HOLD_MAX */
  DES_EAGER, /* before the program goes on: the program stands still for des_stall_after */
};

enum { DES_HOLD_MAX = 200000 };

/* Return the pace of the next command of a shuffled run. */
enum des_pace des_draw_pace(void);

/* Return one of the bits of MASK, each with the same probability; 0: MASK is empty. */
uint32_t des_draw_bit(uint32_t mask);

/* Return the cycles for which a program of a shuffled run stands still before the next command or wait:
 * before one such operation in eight, below 600, 8,000 or 100,000. */
uint64_t des_stall(void);

/* The same after an eager command: below 20,000 cycles, longer than most commands take. */
uint64_t des_stall_after(void);

/* --- for programs --- */

/* Return the calling actor; NULL outside programs. */
static inline struct des_actor *des_self(void) {
  return des_running;
}

/* Note that ACTOR begins STEP of its algorithm, for the message about a program that nothing can wake; 0: no
 * step. */
static inline void des_set_step(struct des_actor *actor, unsigned step) {
  actor->step = step;
}

/* Return the argument of the job of ACTOR. */
static inline void *des_argument(const struct des_actor *actor) {
  return actor->job.argument;
}

/* Return the name of the job of ACTOR. */
static inline const char *des_name(const struct des_actor *actor) {
  return actor->job.name;
}

/* Note that the calling program acts or reads a clock: loops may end by themselves. */
static inline void des_note_change(void) {
  des_changed = true;
}

/* Return the program's own cycle. It may be ahead of the machine's cycle by the costs that the program has
 * charged and not yet waited for. */
static inline uint64_t des_local(const struct des_actor *actor) {
  return actor->local;
}

/* Let CYCLES of the program's own time pass; others see the program's later actions only after these
 * cycles. */
static inline void des_charge(struct des_actor *actor, uint64_t cycles) {
  actor->local += cycles;
}

/* Block until the machine has caught up with the program's own time. */
void des_sync(struct des_actor *actor);

/* ACTOR has computed for CYCLES by a call of the program. If nothing else has taken time since the call
 * before, let the machine catch up: a loop of such calls and loads waits for bytes. */
static inline void des_end_compute(struct des_actor *actor, uint64_t cycles) {
  if (actor->local == actor->computed + cycles) {
    des_sync(actor);
  }
  actor->computed = actor->local;
}

/* Block until WAIT is over, not before the program's own time. */
void des_wait(struct des_actor *actor, struct des_wait *wait);

/* Stop the calling program for ever (a simulated fault); the program does not count as stuck. Does not
 * return. */
void des_park(struct des_actor *actor) __attribute__((noreturn));

/* --- for the machine --- */

/* Stop the program of ACTOR, which is blocked, for ever, as des_park does.
 * returns: false if the program has ended already. */
bool des_stop(struct des_actor *actor);

/* Wake ACTOR, which is blocked, if its wait is over.
 * returns: whether the wait is over. */
bool des_wake_if_ready(struct des_actor *actor);

/* Put the static variables of ACTOR into place: the machine calls a function of the program of ACTOR in an
 * event. */
static inline void des_show_statics(const struct des_actor *actor) {
  if (__builtin_expect(image_bytes != 0, 0)) {
    image_enter(actor->image);
  }
}

/* Tell ACTOR (or nobody, if NULL) about an event of KINDS: ACTOR wakes in this cycle if its wait is over.
 * returns: whether ACTOR wakes because of this event. */
static inline bool des_poke(struct des_actor *actor, unsigned kinds) {
  return actor && actor->armed & kinds && des_wake_if_ready(actor);
}

/* Return the wait of ACTOR, just ended by a poke. */
static inline struct des_wait *des_ended_wait(const struct des_actor *actor) {
  return actor->wait;
}
