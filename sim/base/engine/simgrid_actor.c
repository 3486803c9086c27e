/* SPDX-License-Identifier: BSD-3-Clause
 * Actors of SimGrid as coroutines.
 *
 * SimGrid's kernel takes 1,000 to 3,000 instructions to resume an actor, and SimGrid offers no shorter way.
 * So the kernel begins each actor, which suspends itself at once. From then on the engine, an actor as well,
 * switches to the coroutines further down on the stack of the actor, and back. For SimGrid the engine runs
 * all the time: a program that calls SimGrid calls as the engine. */
#include "sim/base/engine/simgrid_actor.h"

#include "sim/base/engine/coroutine.h"
#include "sim/base/engine/simgrid_calls.h"
#include "sim/base/xalloc.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
  sg_actor_t actor; /* NULL: there is none yet */
  void (*work)(void *argument);
  void *argument;
  bool works;
  uint8_t *stack; /* of the engine, for the address sanitizer */
  size_t nbytes;
  const void *bottom; /* of the stack that resumed the engine, likewise */
  size_t bottom_nbytes;
} engine;

static const char one_host[] = "<?xml version='1.0'?>\n"
                               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                               "<platform version=\"4.1\"><zone id=\"blade\" routing=\"Full\">"
                               "<host id=\"cell\" speed=\"1f\"/></zone></platform>\n";

/* --- the stacks of actors --- */

/* The stack of an actor has places for PLACES coroutines, which run while the actor is suspended: a stack of
 * its own would cost each program a page more, for malloc's header, and the objects of an actor.
 * ACTOR_STACK_OWN: bytes between the frame of an actor's function and the first place. This place begins in
 * the bytes that a suspension has left on the stack (950 bytes): SimGrid never resumes an actor that has
 * given its places away. So most programs need one page. */
enum { PLACES = 16, ACTOR_STACK_OWN = 512 };

/* Below a place lies a guard page: SimGrid's below the last place of an actor, ours below the other places. A
 * guard page makes two mappings, and a process can have no more than 65,530 mappings on Linux. GUARDED_MAX:
 * the number of our guard pages, 30,000 mappings. SimGrid's guard pages and the memory of nodes take 14,000
 * for 97,920 SPEs on 6,120 nodes.
 *
 * SimGrid takes a stack and its guard page from malloc, and a search for leaks reads all that malloc gave.
 * The search of the address sanitizer dies on a guard page, so under the sanitizer no stack has one. */
#ifdef __SANITIZE_ADDRESS__
enum { GUARDED_MAX = 0 };
#else
enum { GUARDED_MAX = 15000 };
#endif

/* Places for coroutines, on the stack of the latest actor. */
static struct {
  uint8_t *end; /* of the next place */
  unsigned nfree;
} places;

static size_t page_bytes(void) {
  return (size_t)sysconf(_SC_PAGESIZE);
}

/* Return the lowest byte, of a page, of the place up to END. */
static uint8_t *place_below(uint8_t *end) {
  uint8_t *lowest = end - ACTOR_STACK_PLACE;
  return lowest - (uintptr_t)lowest % page_bytes();
}

/* Let COROUTINE have the next place. */
static void take_place(struct coroutine *coroutine) {
  static unsigned nguarded;
  uint8_t *lowest = place_below(places.end);
  coroutine->stack = lowest;
  coroutine->nbytes = (size_t)(places.end - lowest);
  places.end = lowest - page_bytes();
  places.nfree--;
  if (places.nfree && nguarded < GUARDED_MAX) {
    nguarded += mprotect(places.end, page_bytes(), PROT_NONE) == 0;
  }
}

/* --- SimGrid --- */

/* Reading a platform makes SimGrid's engine. An engine made by simgrid_init is destroyed at the exit of the
 * process, and the destructor of SimGrid 4.0 prints a line about actors that remain, past SimGrid's log. */
int simgrid_actors_init(struct err *err) {
  static const int handled[] = {SIGINT, SIGSEGV, SIGBUS};
  enum { NHANDLED = sizeof handled / sizeof *handled };
  struct sigaction before[NHANDLED];
  sigset_t interrupt, mask;
  if (simgrid_load(err) != 0) {
    return -1;
  }
  simgrid.xbt_log_control_set("root.threshold:error");
  simgrid.sg_cfg_set_boolean("debug/clean-atexit", "no");
  /* SimGrid's signal handlers abort, so the handlers of the process are restored. An interrupt waits. */
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupt, &mask);
  for (size_t i = 0; i < NHANDLED; i++) {
    sigaction(handled[i], NULL, &before[i]);
  }
  int status = simgrid_read_platform(one_host, err);
  for (size_t i = 0; i < NHANDLED; i++) {
    sigaction(handled[i], &before[i], NULL);
  }
  sigprocmask(SIG_SETMASK, &mask, NULL);
  /* a page more than the places: a stack from malloc, without a guard page, begins anywhere in a page */
  size_t stack_bytes = PLACES * (ACTOR_STACK_PLACE + page_bytes()) + page_bytes();
  simgrid.sg_cfg_set_int("contexts/stack-size", (int)(stack_bytes / 1024));
  simgrid.sg_cfg_set_int("contexts/guard-size", GUARDED_MAX > 0);
  return status;
}

/* Begin an actor of SimGrid that calls BODY. */
static sg_actor_t begin_actor(const char *name, xbt_main_func_t body) {
  sg_actor_t actor = simgrid.sg_actor_init(name, simgrid.sg_host_by_name("cell"));
  simgrid.sg_actor_start_(actor, body, 0, NULL);
  return actor;
}

/* --- programs --- */

/* Give places to programs, and nothing else as long as this process lasts. */
static void run_programs(int argc, char **argv) {
  (void)argc;
  (void)argv;
  places.end = (uint8_t *)__builtin_frame_address(0) - ACTOR_STACK_OWN;
  places.nfree = PLACES;
  for (;;) {
    simgrid.sg_actor_suspend(simgrid.sg_actor_self());
  }
}

struct coroutine *simgrid_actor_new(void (*body)(void *argument), void *argument) {
  struct coroutine *actor = xcalloc(1, sizeof *actor);
  *actor = (struct coroutine){.body = body, .argument = argument};
  return actor;
}

void simgrid_actor_enter(struct coroutine *actor) {
  if (!actor->stack) {
    if (!places.nfree) {
      begin_actor("programs", run_programs);
    }
    while (!places.nfree) {
      simgrid.sg_actor_yield();
    }
    take_place(actor);
  }
  coroutine_enter(actor);
}

/* --- the engine --- */

static void run_engine(int argc, char **argv) {
  (void)argc;
  (void)argv;
  void *kept = NULL;
  engine.stack = place_below((uint8_t *)__builtin_frame_address(0) - ACTOR_STACK_OWN);
  engine.nbytes = (size_t)((uint8_t *)__builtin_frame_address(0) - engine.stack);
  for (;;) {
    simgrid.sg_actor_suspend(simgrid.sg_actor_self());
    stack_switch_end(kept, &engine.bottom, &engine.bottom_nbytes);
    engine.work(engine.argument);
    engine.works = false;
    stack_switch_begin(&kept, engine.bottom, engine.bottom_nbytes);
  }
}

/* Let actors run until none can. */
static void run_actors(void) {
  simgrid.simgrid_run_until(simgrid.simgrid_get_clock());
}

void simgrid_actors_drive(void (*work)(void *argument), void *argument) {
  if (!engine.actor) {
    engine.actor = begin_actor("engine", run_engine);
    run_actors();
  }
  engine.work = work;
  engine.argument = argument;
  engine.works = true;
  void *kept = NULL;
  stack_switch_begin(&kept, engine.stack, engine.nbytes);
  simgrid.sg_actor_resume(engine.actor);
  run_actors();
  if (engine.works) {
    fputs("cellcoll: a program waits for something of SimGrid, whose clock stands still\n", stderr);
    abort();
  }
  stack_switch_end(kept, NULL, NULL);
}
