/* SPDX-License-Identifier: BSD-3-Clause
 * See simgrid_actor.h.
 *
 * Actors can be resumed in two ways. From outside all actors several are resumed at once and run until they leave; then SimGrid asks its
 * models, which have nothing to tell: 2,000 instructions. From an actor each resumption goes through SimGrid's kernel, 1,000
 * instructions more, but no model is asked as long as that actor can run; who is resumed runs before that actor goes on. So the engine
 * is an actor while it mostly resumes one at a time, and runs outside while it resumes more. */
#include "sim/base/simgrid_actor.h"

#include "sim/base/actor_stack.h"
#include "sim/base/xalloc.h"

#include <signal.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct simgrid_actor {
  sg_actor_t actor;
  bool guarded; /* its stack ends in a page that nobody may touch */
  void (*body)(void *argument);
  void *argument;
  struct simgrid_actor *next; /* that is ready */
};

static struct {
  struct simgrid_actor *actor; /* NULL: there is none yet */
  bool inside;                 /* it runs as that actor */
  bool (*work)(void *argument);
  void *argument;
  bool more; /* is left to do */
  unsigned ngoes,
    nresumed; /* calls of simgrid_actors_go and the actors they have resumed, since it was decided where the engine runs */
} engine;
static struct {
  struct simgrid_actor *first, *last; /* FIRST: NULL if there are none */
} ready;
static unsigned nrunning; /* actors that have been resumed and have not left again */

static const char one_host[] = "<?xml version='1.0'?>\n"
                               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                               "<platform version=\"4.1\"><zone id=\"blade\" routing=\"Full\">"
                               "<host id=\"cell\" speed=\"1f\"/></zone></platform>\n";

void
simgrid_actors_init(void)
{
  /* SimGrid takes its options only from an argument vector, which must not be the user's. Its own signal handlers
   * abort, so the process's are put back. */
  char stack[48];
  snprintf(stack, sizeof stack, "--cfg=contexts/stack-size:%d", ACTOR_STACK_KIB);
  char *argv[] = {"cellcoll", stack, "--log=root.threshold:error", NULL};
  int argc = (int)(sizeof argv / sizeof *argv) - 1;
  struct sigaction before;
  sigaction(SIGINT, NULL, &before);
  simgrid_init(&argc, argv);
  sigaction(SIGINT, &before, NULL);
  int file = memfd_create("platform", 0);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (file < 0 || write(file, one_host, sizeof one_host - 1) != (ssize_t)(sizeof one_host - 1)) {
    perror("cellcoll: memfd_create");
    abort();
  }
  if (access(path, R_OK) != 0) {
    fputs("cellcoll: /proc is not mounted, from which SimGrid reads its platform\n", stderr);
    exit(EXIT_FAILURE);
  }
  simgrid_load_platform(path);
  close(file);
}

static void
run_body(int argc, char **argv)
{
  (void)argc;
  (void)argv;
  const struct simgrid_actor *self = sg_actor_self_get_data();
  self->body(self->argument);
}

struct simgrid_actor *
simgrid_actor_new(void (*body)(void *argument), void *argument)
{
  struct simgrid_actor *actor = xcalloc(1, sizeof *actor);
  actor->body = body;
  actor->argument = argument;
  return actor;
}

void
simgrid_actor_start(struct simgrid_actor *actor)
{
  actor->guarded = actor_stack_next();
  actor->actor = sg_actor_init("program", sg_host_by_name("cell"));
  sg_actor_set_data(actor->actor, actor);
  nrunning++;
  sg_actor_start(actor->actor, run_body, 0, NULL);
}

/* Let all actors run until none can. */
static void
run_all(void)
{
  simgrid_run_until(simgrid_get_clock());
}

void
simgrid_actor_free(struct simgrid_actor *actor)
{
  sg_actor_kill(actor->actor);
  actor_stack_choose(actor->guarded);
  run_all();
  free(actor);
}

void
simgrid_actor_leave(struct simgrid_actor *actor)
{
  nrunning--;
  sg_actor_suspend(actor->actor);
}

/* --- the engine --- */

void
simgrid_actor_ready(struct simgrid_actor *actor)
{
  actor->next = NULL;
  *(ready.first ? &ready.last->next : &ready.first) = actor;
  ready.last = actor;
}

static void
resume(const struct simgrid_actor *actor)
{
  nrunning++;
  sg_actor_resume(actor->actor);
}

/* Wait, as the engine, until all others have left. They have, unless one has called SimGrid for something else. */
static void
wait_for_others(void)
{
  while (nrunning > 1) {
    sg_actor_yield();
  }
}

void
simgrid_actors_go(void)
{
  if (!ready.first) {
    return;
  }
  engine.ngoes++;
  for (; ready.first; ready.first = ready.first->next) {
    engine.nresumed++;
    resume(ready.first);
    if (engine.inside) {
      wait_for_others();
    }
  }
  if (!engine.inside) {
    run_all();
  }
}

/* Do the next piece of the engine's work, and decide where it goes on. */
static void
do_piece(void)
{
  engine.more = engine.work(engine.argument);
  if (engine.ngoes) {
    engine.inside = 2 * engine.nresumed < 3 * engine.ngoes;
    engine.ngoes = engine.nresumed = 0;
  }
}

static void
run_engine(void *unused)
{
  (void)unused;
  for (;;) {
    simgrid_actor_leave(engine.actor);
    while (engine.more && engine.inside) {
      do_piece();
    }
  }
}

void
simgrid_actors_drive(bool (*work)(void *argument), void *argument)
{
  if (!engine.actor) {
    engine.actor = simgrid_actor_new(run_engine, NULL);
    simgrid_actor_start(engine.actor);
  }
  run_all();
  engine.work = work;
  engine.argument = argument;
  engine.more = true;
  engine.inside = false; /* programs begin at once */
  while (engine.more) {
    if (engine.inside) {
      resume(engine.actor);
      run_all();
    } else {
      do_piece();
    }
  }
}
