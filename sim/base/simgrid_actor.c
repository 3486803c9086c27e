/* SPDX-License-Identifier: BSD-3-Clause
 * See simgrid_actor.h. */
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
};

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
  actor->guarded = actor_stack_next();
  actor->actor = sg_actor_init("program", sg_host_by_name("cell"));
  sg_actor_set_data(actor->actor, actor);
  return actor;
}

void
simgrid_actor_start(const struct simgrid_actor *actor)
{
  sg_actor_start(actor->actor, run_body, 0, NULL);
}

void
simgrid_actor_free(struct simgrid_actor *actor)
{
  sg_actor_kill(actor->actor);
  actor_stack_choose(actor->guarded);
  simgrid_actors_run();
  free(actor);
}

void
simgrid_actor_leave(const struct simgrid_actor *actor)
{
  sg_actor_suspend(actor->actor);
}

void
simgrid_actor_resume(const struct simgrid_actor *actor)
{
  sg_actor_resume(actor->actor);
}

void
simgrid_actors_run(void)
{
  simgrid_run_until(simgrid_get_clock());
}
