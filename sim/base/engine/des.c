/* SPDX-License-Identifier: BSD-3-Clause
 * The event core.
 *
 * Programs run on stacks of SimGrid's actors. All programs are blocked while the engine works (conservative
 * look-ahead): the engine runs the events of a node natively up to the end of the first cycle that wakes a
 * program, and lets the woken programs go on until all programs are blocked again. The clock is the clock of
 * the node's wheel; SimGrid's own clock stands still.
 *
 * Nodes run in windows: a window starts at the earliest event of all nodes and lasts for the look-ahead, and
 * each node runs alone and once in a window. A node's actions in a window reach the other nodes after the
 * window, so the order of the nodes makes no difference.
 *
 * An actor costs more to create than a short run takes. So the engine keeps actors and gives each its next
 * job; an actor that is stuck or parked in a program begins anew.
 *
 * A program may poll in a loop that lets its own time pass. The run ends if nothing else is left: each
 * program is blocked, has ended or polls, no event of the machine is pending, and since a look long ago no
 * program has acted, was woken, or has read a clock. Each resumption then finds the machine as the resumption
 * before did, so only a loop that counts its turns can end by itself. A program that computes for 10^9 cycles
 * has no resumptions meanwhile; a program that works on a whole local store word by word has 65,536; a run
 * ends after a million. */
#include "sim/base/engine/des.h"

#include "sim/base/engine/coroutine.h"
#include "sim/base/engine/simgrid_actor.h"
#include "sim/base/minmax.h"
#include "sim/base/xalloc.h"

#include <assert.h>
#include <fenv.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct des_node {
  struct wheel wheel;
  struct des_actor **actors; /* number of actors, each with room in all lists */
  struct des_actor **woken, **going;
  unsigned nactors, nwoken, room;
  struct event resume; /* the woken ones run */
  unsigned nended;     /* ended or parked */
  uint64_t last_end;   /* when the last program ended or was parked */
};

static struct wheel no_wheel = {.horizon = 0}; /* at cycle 0: nothing can be scheduled while no node runs */
struct wheel *des_wheel = &no_wheel;

/* The first actor without a job, in a list of idle actors of all nodes. */
static struct des_actor *idle;

struct des_actor *des_running;
struct des_shuffle des_shuffled;

static volatile sig_atomic_t interrupt_requested;
static des_teller *volatile busy_wanted; /* NULL: nobody asks */
static char first_fault[256];            /* of the current run */

static bool started;

/* Nodes of one run. */
struct run {
  struct des_node *const *nodes;
  size_t n;
  uint64_t window; /* cycles */
};

enum {
  LOOK_EVERY = 4096,      /* own times of programs that have come */
  LOOKS = 1000000,        /* of all programs since the last change, in at least QUIET_CYCLES */
  LOOKS_MANY = 2 * LOOKS, /* in any time */
  LOOKS_EACH = 1 << 15,   /* of each program that is not blocked */
};
static const uint64_t QUIET_CYCLES = 100000000;

/* The search for programs that poll for ever. */
static struct {
  const struct run *run;
  /* own times of programs until the next look; 0 behind a look: the run is to stop */
  volatile sig_atomic_t left;
  bool lasts; /* nothing has changed since cycle */
  uint64_t since;
} quiet;
bool des_changed;

int des_init(struct err *err) {
  started = started || simgrid_actors_init(err) == 0;
  return started ? 0 : -1;
}

void des_shuffle(uint64_t seed) {
  des_shuffled = (struct des_shuffle){.stream = seed, .is_lazy = seed % 4 == 0, .stalls = seed / 4 % 4 != 0};
}

enum des_pace des_draw_pace(void) {
  return des_shuffled.is_lazy ? DES_LAZY : (enum des_pace)((random_next(&des_shuffled.stream) >> 16) % 3);
}

uint32_t des_draw_bit(uint32_t mask) {
  uint64_t drawn = random_next(&des_shuffled.stream);
  for (uint64_t left = mask ? drawn % (unsigned)__builtin_popcount(mask) : 0; left; left--) {
    mask &= mask - 1;
  }
  return mask & -mask;
}

uint64_t des_stall(void) {
  static const uint32_t bounds[] = {600, 8000, 100000, 100000};
  uint64_t drawn = random_next(&des_shuffled.stream);
  return des_shuffled.stalls && drawn % 8 == 0 ? (drawn >> 16) % bounds[(drawn >> 3) % 4] : 0;
}

uint64_t des_stall_after(void) {
  return (random_next(&des_shuffled.stream) >> 16) % 20000;
}

static void run_woken_programs(struct event *event);

struct des_node *des_node_new(void) {
  struct des_node *node = xcalloc(1, sizeof *node);
  wheel_reset(&node->wheel);
  node->resume.run = run_woken_programs;
  return node;
}

void des_node_free(struct des_node *node) {
  if (node) {
    wheel_fini(&node->wheel);
    free(node->actors);
    free(node->woken);
    free(node->going);
    free(node);
  }
}

void des_schedule_on(struct des_node *node, struct event *event, uint64_t at, uint32_t order) {
  event->order = order;
  wheel_add(&node->wheel, event, at);
}

void des_cancel(struct event *event) {
  wheel_remove(des_wheel, event);
}

static void wake(struct des_actor *actor) {
  struct des_node *node = actor->node;
  assert(!actor->woken && des_wheel == &node->wheel);
  actor->armed = 0;
  actor->woken = true;
  node->woken[node->nwoken++] = actor;
  if (!node->resume.pending) {
    des_schedule(&node->resume, des_now(), DES_RESUME, 0);
  }
}

/* The wait of ACTOR begins to take time: from now on pokes can end the wait. */
static void arm(struct des_actor *actor) {
  struct des_wait *wait = actor->wait;
  actor->armed = wait->kinds;
  if (wait->begin) {
    wait->begin(wait);
  }
}

/* The program's own time has come: wake the program, unless the program also waits for a condition that does
 * not hold yet. */
static void timer_run(struct event *event) {
  struct des_actor *actor = EVENT_OWNER(event, struct des_actor, timer);
  actor->nlooks++;
  quiet.left--;
  if (actor->wait) {
    des_show_statics(actor);
  }
  if (!actor->wait || actor->wait->ready(actor->wait)) {
    wake(actor);
  } else {
    arm(actor);
  }
}

bool des_wake_if_ready(struct des_actor *actor) {
  des_show_statics(actor);
  bool ready = actor->wait->ready(actor->wait);
  if (des_running) {
    des_show_statics(des_running);
  }
  if (ready) {
    des_changed = true;
    wake(actor);
  }
  return ready;
}

/* Give the processor back to the engine until woken. */
static void block(struct des_actor *actor) {
  actor->blocked_since = actor->local;
  while (!actor->woken) {
    coroutine_leave(actor->coroutine);
  }
  des_running = actor;
  actor->woken = false;
  actor->wait = NULL;
  actor->local = des_now();
}

void des_sync(struct des_actor *actor) {
  if (actor->local > des_now()) {
    actor->wait = NULL;
    des_schedule(&actor->timer, actor->local, DES_PROGRAM, actor->job.number);
    block(actor);
  }
}

void des_wait(struct des_actor *actor, struct des_wait *wait) {
  if (actor->local > des_now()) {
    actor->wait = wait;
    des_schedule(&actor->timer, actor->local, DES_PROGRAM, actor->job.number);
    block(actor);
  } else if (!wait->ready(wait)) {
    actor->wait = wait;
    arm(actor);
    block(actor);
  }
}

/* One more program of NODE has ended, or is parked. */
static void count_end(struct des_node *node) {
  node->nended++;
  des_changed = true;
  node->last_end = des_now();
}

void des_park(struct des_actor *actor) {
  actor->parked = true;
  count_end(actor->node);
  for (;;) {
    coroutine_leave(actor->coroutine);
  }
}

bool des_stop(struct des_actor *actor) {
  if (actor->ended || actor->parked) {
    return false;
  }
  if (actor->timer.pending) {
    des_cancel(&actor->timer);
  }
  actor->armed = 0;
  actor->woken = false; /* a program woken in this cycle does not go on either */
  actor->parked = true;
  count_end(actor->node);
  return true;
}

/* The life of an actor: job after job. */
static void run_jobs(void *argument) {
  struct des_actor *actor = argument;
  int rounding = fegetround();
  for (;;) {
    block(actor);
    actor->job.program(actor->job.argument);
    fesetround(rounding); /* for the next one */
    des_sync(actor);
    actor->ended = true;
    count_end(actor->node);
  }
}

struct des_actor *des_spawn(struct des_node *node, const struct des_job *job, uint64_t start) {
  assert(job->number < 1U << 24);
  if (node->nactors == node->room) {
    node->room = 2 * node->room + 16;
    node->actors = xrealloc(node->actors, node->room, sizeof(struct des_actor *));
    node->woken = xrealloc(node->woken, node->room, sizeof(struct des_actor *));
    node->going = xrealloc(node->going, node->room, sizeof(struct des_actor *));
  }
  struct des_actor *actor = idle;
  if (actor) {
    idle = actor->next_idle;
  } else {
    actor = xcalloc(1, sizeof *actor);
    actor->coroutine = simgrid_actor_new(run_jobs, actor);
  }
  node->actors[node->nactors++] = actor;
  *actor = (struct des_actor){.coroutine = actor->coroutine,
                              .image = image_bytes ? image_renew(actor->image) : NULL,
                              .node = node,
                              .job = *job,
                              .timer.run = timer_run};
  des_schedule_on(node, &actor->timer, start, des_order(DES_PROGRAM, job->number));
  return actor;
}

void des_note_fault(const char *fault) {
  if (!*first_fault) {
    snprintf(first_fault, sizeof first_fault, "%s", fault);
  }
}

/* Tell TELL the programs of NODE whose own time passes. */
static void report_busy(const struct des_node *node, des_teller *tell) {
  SCOPED char *who = xstrdup("");
  for (unsigned i = 0; i < node->nactors; i++) {
    const struct des_actor *actor = node->actors[i];
    if (actor->woken || actor->timer.pending) {
      xappend(&who, *who ? ", %s" : "%s", actor->job.name);
      xappend(&who, actor->step ? " in step %u" : "", actor->step);
    }
  }
  tell(first_fault, who);
}

const char *des_running_program(unsigned *step) {
  *step = des_running ? des_running->step : 0;
  return des_running ? des_running->job.name : NULL;
}

void des_tell_busy(des_teller *tell) {
  bool again = busy_wanted != NULL;
  busy_wanted = again ? NULL : tell;
  if (again) {
    tell(first_fault, des_running ? des_running->job.name : "no rank");
  }
}

/* Let the programs woken in this cycle go on, unless the run is to stop. */
static void run_woken_programs(struct event *event) {
  struct des_node *node = EVENT_OWNER(event, struct des_node, resume);
  if (interrupt_requested) {
    return;
  }
  if (busy_wanted) {
    report_busy(node, busy_wanted);
    busy_wanted = NULL;
  }
  struct des_actor **woken = node->woken;
  unsigned n = node->nwoken;
  node->woken = node->going; /* for the programs that these programs wake */
  node->going = woken;
  node->nwoken = 0;
  for (unsigned i = 0; i < n; i++) {
    /* a program that starts another program may move the list */
    des_show_statics(node->going[i]);
    simgrid_actor_enter(node->going[i]->coroutine);
  }
  des_running = NULL;
}

/* Return a line for each program of NODE that nothing can wake or that polls for ever; NULL: none. */
static char *report_stuck(const struct des_node *node) {
  char *report = NULL;
  for (unsigned i = 0; i < node->nactors; i++) {
    const struct des_actor *actor = node->actors[i];
    if (actor->ended || actor->parked) {
      continue;
    }
    char what[256] = "waits for nothing that can be described";
    if (actor->wait && actor->wait->describe) {
      des_show_statics(actor);
      actor->wait->describe(actor->wait, what, sizeof what);
    }
    bool polls = actor->timer.pending;
    xappend(&report, polls ? "%s" : "%s %s since cycle ", actor->job.name, what);
    xappend(&report, polls ? DES_POLLS "%llu" : "%llu",
            (unsigned long long)(polls ? quiet.since : actor->blocked_since));
    xappend(&report, actor->step ? " in step %u\n" : "\n", actor->step);
  }
  return report;
}

/* Make NODE as new.
 * returns: how the run of NODE has ended. */
static struct des_result end_run(struct des_node *node) {
  bool whole = node->nended == node->nactors;
  struct des_result result = {.cycles = whole ? node->last_end : node->wheel.now};
  result.stuck = whole || interrupt_requested ? NULL : report_stuck(node);
  while (node->nactors) { /* from the last actor on: the next run gets the actors in the same order */
    struct des_actor *actor = node->actors[--node->nactors];
    if (!actor->ended) {
      coroutine_forget(actor->coroutine);
    }
    actor->next_idle = idle;
    idle = actor;
  }
  node->nwoken = node->nended = 0;
  node->last_end = 0;
  node->resume.pending = false;
  wheel_reset(&node->wheel);
  return result;
}

/* Tell whether nothing but polling can have happened since the last look. */
static bool is_quiet(const struct run *run) {
  bool is = !des_changed;
  des_changed = false;
  for (size_t i = 0; i < run->n && is; i++) {
    const struct des_node *node = run->nodes[i];
    size_t ntimers = 0;
    for (unsigned k = 0; k < node->nactors; k++) {
      ntimers += node->actors[k]->timer.pending;
    }
    is = wheel_count(&node->wheel) == ntimers;
  }
  return is;
}

/* Look whether the programs of RUN poll for ever. */
static void look_for_polls(const struct run *run) {
  uint64_t nlooks = 0;
  unsigned least = UINT_MAX, nactors = 0;
  bool lasted = quiet.lasts;
  quiet.lasts = is_quiet(run);
  for (size_t i = 0; i < run->n; i++) {
    nactors += run->nodes[i]->nactors;
    for (unsigned k = 0; k < run->nodes[i]->nactors && quiet.lasts; k++) {
      struct des_actor *actor = run->nodes[i]->actors[k];
      actor->nlooks = lasted ? actor->nlooks : 0;
      nlooks += actor->nlooks;
      least = actor->timer.pending && actor->nlooks < least ? actor->nlooks : least;
    }
  }
  quiet.since = lasted ? quiet.since : des_now();
  bool for_ever = quiet.lasts && least >= LOOKS_EACH &&
                  (nlooks >= LOOKS_MANY || (nlooks >= LOOKS && des_now() - quiet.since >= QUIET_CYCLES));
  quiet.left = for_ever ? 0 : nactors > LOOK_EVERY ? (int)nactors : LOOK_EVERY;
}

/* Tell whether the current run is to stop before anything else happens. */
static bool is_over(void) {
  if (__builtin_expect(quiet.left > 0, 1)) {
    return false;
  }
  if (!interrupt_requested) {
    look_for_polls(quiet.run);
  }
  return interrupt_requested || quiet.left <= 0;
}

/* Return the cycle of the earliest event of N nodes; UINT64_MAX: there is none. */
static uint64_t earliest_event(struct des_node *const nodes[], size_t n) {
  uint64_t earliest = UINT64_MAX;
  for (size_t i = 0; i < n; i++) {
    uint64_t next = wheel_next(&nodes[i]->wheel);
    LOWER(earliest, next);
  }
  return earliest;
}

/* Run the nodes of ARGUMENT, a struct run, window by window, until nothing happens any more, or the run is to
 * stop. */
static void run_windows(void *argument) {
  const struct run *run = argument;
  uint64_t begin;
  while (!is_over() && (begin = earliest_event(run->nodes, run->n)) != UINT64_MAX) {
    uint64_t end = begin + run->window > begin ? begin + run->window : UINT64_MAX;
    for (size_t i = 0; i < run->n; i++) {
      des_wheel = &run->nodes[i]->wheel;
      while (!is_over() && wheel_run(des_wheel, end)) {
      }
      des_wheel = &no_wheel;
    }
  }
}

void des_run_all(struct des_node *const nodes[], size_t n, uint64_t look_ahead, struct des_result results[]) {
  struct run run = {nodes, n, look_ahead};
  assert(started);
  *first_fault = '\0';
  memset(&quiet, 0, sizeof quiet);
  quiet.run = &run;
  quiet.left = interrupt_requested ? 0 : LOOK_EVERY;
  des_changed = true;
  simgrid_actors_drive(run_windows, &run);
  for (size_t i = 0; i < n; i++) {
    results[i] = end_run(nodes[i]);
  }
  if (image_bytes) {
    image_enter(NULL);
  }
}

struct des_result des_run(struct des_node *node) {
  struct des_result result;
  des_run_all(&node, 1, UINT64_MAX, &result);
  return result;
}

void des_interrupt(void) {
  interrupt_requested = 1;
  quiet.left = 0; /* if the run overwrites the number just now, the next program notices the interruption */
}

bool des_interrupted(void) {
  return interrupt_requested;
}
