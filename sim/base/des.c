/* SPDX-License-Identifier: BSD-3-Clause
 * See des.h; the only file that uses SimGrid.
 *
 * Programs are SimGrid actors that are all blocked while the engine works (conservative look-ahead): the engine runs the
 * events of the machine natively up to the end of the first cycle that wakes a program, moves the SimGrid clock there
 * once, resumes those programs, and lets SimGrid run them until all are blocked again. One SimGrid time unit is one SPU
 * cycle, so SimGrid's floating-point clock is exact.
 *
 * SimGrid's clock cannot go back: every run starts at an origin on it, and des_now() counts from there. Actors cost more
 * to create than a short run takes, so they are kept and given the next job; an actor that is stuck or parked in a
 * program is killed after the run. */
#include "sim/base/des.h"

#include "sim/base/xalloc.h"

#include <assert.h>
#include <signal.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct wheel des_wheel;

static void run_woken_programs(struct event *event);

static struct {
  struct des_actor **actors; /* all ever made; the first `nused` have a job */
  unsigned nactors, nused;
  struct des_actor **woken;
  unsigned nwoken;
  struct event resume;  /* they run */
  unsigned nended;      /* ended or parked */
  uint64_t last_end;    /* when the last one of these did */
  uint64_t origin;      /* SimGrid clock of cycle 0 */
  double start_seconds; /* processor time up to the first cycle; 0: not yet */
} core = {.resume.run = run_woken_programs};

static volatile sig_atomic_t interrupt_requested;

static const char one_host[] = "<?xml version='1.0'?>\n"
                               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                               "<platform version=\"4.1\"><zone id=\"blade\" routing=\"Full\">"
                               "<host id=\"cell\" speed=\"1f\"/></zone></platform>\n";

void
des_init(void)
{
  /* SimGrid takes its options only from an argument vector, which must not be the user's. Its own signal handlers
   * abort, so the process's are put back. */
  char *argv[] = {"cellcoll", "--cfg=contexts/stack-size:128", "--log=root.threshold:error", NULL};
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
  simgrid_load_platform(path);
  close(file);
  wheel_init(&des_wheel);
}

void
des_cancel(struct event *event)
{
  wheel_remove(&des_wheel, event);
}

struct des_actor *
des_self(void)
{
  return sg_actor_self_get_data();
}

void *
des_argument(const struct des_actor *actor)
{
  return actor->job.argument;
}

const char *
des_name(const struct des_actor *actor)
{
  return actor->job.name;
}

unsigned
des_unit(const struct des_actor *actor)
{
  return actor->job.unit;
}

uint64_t
des_local(const struct des_actor *actor)
{
  return actor->local;
}

void
des_charge(struct des_actor *actor, uint64_t cycles)
{
  actor->local += cycles;
}

static void
wake(struct des_actor *actor)
{
  assert(!actor->woken);
  actor->armed = 0;
  actor->woken = true;
  core.woken[core.nwoken++] = actor;
  if (!core.resume.pending) {
    des_schedule(&core.resume, des_now(), DES_RESUME, 0);
  }
}

/* The wait of ACTOR begins to take time: from now on pokes can end it. */
static void
arm(struct des_actor *actor)
{
  struct des_wait *wait = actor->wait;
  actor->armed = wait->kinds;
  if (wait->begin) {
    wait->begin(wait);
  }
}

/* The program's own time has come: wake it, unless it also waits for something that has not come yet. */
static void
timer_run(struct event *event)
{
  struct des_actor *actor = EVENT_OWNER(event, struct des_actor, timer);
  if (!actor->wait || actor->wait->ready(actor->wait)) {
    wake(actor);
  } else {
    arm(actor);
  }
}

struct des_wait *
des_ended_wait(const struct des_actor *actor)
{
  return actor->wait;
}

bool
des_wake_if_ready(struct des_actor *actor)
{
  bool ready = actor->wait->ready(actor->wait);
  if (ready) {
    wake(actor);
  }
  return ready;
}

/* Give the processor back to the engine until woken. */
static void
block(struct des_actor *actor)
{
  actor->blocked_since = actor->local;
  while (!actor->woken) {
    sg_actor_suspend(actor->handle);
  }
  actor->woken = false;
  actor->wait = NULL;
  actor->local = des_now();
}

void
des_sync(struct des_actor *actor)
{
  if (actor->local > des_now()) {
    actor->wait = NULL;
    des_schedule(&actor->timer, actor->local, DES_PROGRAM, actor->job.unit);
    block(actor);
  }
}

void
des_wait(struct des_actor *actor, struct des_wait *wait)
{
  if (actor->local > des_now()) {
    actor->wait = wait;
    des_schedule(&actor->timer, actor->local, DES_PROGRAM, actor->job.unit);
    block(actor);
  } else if (!wait->ready(wait)) {
    actor->wait = wait;
    arm(actor);
    block(actor);
  }
}

/* One more program has ended, or is parked. */
static void
count_end(void)
{
  core.nended++;
  core.last_end = des_now();
}

void
des_park(struct des_actor *actor)
{
  actor->parked = true;
  count_end();
  for (;;) {
    sg_actor_suspend(actor->handle);
  }
}

bool
des_stop(struct des_actor *actor)
{
  if (actor->ended || actor->parked) {
    return false;
  }
  if (actor->timer.pending) {
    des_cancel(&actor->timer);
  }
  actor->armed = 0;
  actor->woken = false; /* one that this cycle has woken does not go on either */
  actor->parked = true;
  count_end();
  return true;
}

/* The life of a SimGrid actor: job after job. */
static void
child_transfers_jobs(int argc, char **argv)
{
  (void)argc;
  (void)argv;
  struct des_actor *actor = sg_actor_self_get_data();
  for (;;) {
    block(actor);
    actor->job.program(actor->job.argument);
    des_sync(actor);
    actor->ended = true;
    count_end();
  }
}

static void
start_actor(struct des_actor *actor)
{
  actor->handle = sg_actor_init("program", sg_host_by_name("cell"));
  sg_actor_set_data(actor->handle, actor);
  sg_actor_start(actor->handle, child_transfers_jobs, 0, NULL);
}

struct des_actor *
des_spawn(const struct des_job *job, uint64_t start)
{
  assert(job->unit < 1U << 24);
  if (core.nused == core.nactors) {
    core.actors = xrealloc(core.actors, core.nactors + 1, sizeof(struct des_actor *));
    core.woken = xrealloc(core.woken, core.nactors + 1, sizeof(struct des_actor *));
    core.actors[core.nactors++] = xcalloc(1, sizeof(struct des_actor));
  }
  struct des_actor *actor = core.actors[core.nused++];
  sg_actor_t handle = actor->handle;
  memset(actor, 0, sizeof *actor);
  actor->handle = handle;
  actor->job = *job;
  actor->timer.run = timer_run;
  if (!handle) {
    start_actor(actor);
  }
  des_schedule(&actor->timer, start, DES_PROGRAM, job->unit);
  return actor;
}

/* Let the programs go on that this cycle has woken, unless the run is to stop. */
static void
run_woken_programs(struct event *event)
{
  (void)event;
  if (interrupt_requested) {
    return;
  }
  double clock = (double)(core.origin + des_now());
  simgrid_run_until(clock);
  assert(simgrid_get_clock() == clock);
  for (unsigned i = 0; i < core.nwoken; i++) {
    sg_actor_resume(core.woken[i]->handle);
  }
  core.nwoken = 0;
  simgrid_run_until(clock);
}

static char *
report_stuck(unsigned *count)
{
  char *report = NULL;
  for (unsigned i = 0; i < core.nused; i++) {
    const struct des_actor *actor = core.actors[i];
    if (actor->ended || actor->parked) {
      continue;
    }
    char what[256] = "waits for nothing that can be described";
    if (actor->wait && actor->wait->describe) {
      actor->wait->describe(actor->wait, what, sizeof what);
    }
    char *longer = xasprintf("%s%s %s since cycle %llu\n", report ? report : "", actor->job.name, what,
                             (unsigned long long)actor->blocked_since);
    free(report);
    report = longer;
    ++*count;
  }
  return report;
}

/* Make the core as new. Actors inside a program cannot be given another: they are killed, which unwinds their stacks. */
static void
end_run(void)
{
  for (unsigned i = 0; i < core.nused; i++) {
    if (!core.actors[i]->ended) {
      sg_actor_kill(core.actors[i]->handle);
      core.actors[i]->handle = NULL;
    }
  }
  core.origin += des_now() + 1;
  simgrid_run_until((double)core.origin);
  core.nused = core.nwoken = core.nended = 0;
  core.last_end = 0;
  wheel_reset(&des_wheel);
}

struct des_result
des_run(void)
{
  if (core.start_seconds == 0) {
    core.start_seconds = (double)clock() / CLOCKS_PER_SEC;
  }
  simgrid_run_until((double)core.origin);
  while (!interrupt_requested && wheel_run(&des_wheel)) {
  }
  struct des_result result = {.cycles = core.nended == core.nused ? core.last_end : des_now(),
                              .interrupted = interrupt_requested};
  if (!result.interrupted) {
    result.stuck_report = report_stuck(&result.stuck);
  }
  end_run();
  return result;
}

void
des_interrupt(void)
{
  interrupt_requested = 1;
}

bool
des_interrupted(void)
{
  return interrupt_requested;
}

double
des_start_seconds(void)
{
  return core.start_seconds;
}

/* The bus cycles of 8 beats. */
enum { NAIVE_SLEEP = 16 };

static void
sleep_naively(int argc, char **argv)
{
  (void)argc;
  (void)argv;
  unsigned sleeps = *(const unsigned *)sg_actor_self_get_data();
  for (unsigned i = 0; i < sleeps; i++) {
    sg_actor_sleep_for(NAIVE_SLEEP);
  }
}

void
des_sleep_naively(unsigned actors, unsigned sleeps)
{
  for (unsigned i = 0; i < actors; i++) {
    sg_actor_t handle = sg_actor_init("sleeper", sg_host_by_name("cell"));
    sg_actor_set_data(handle, &sleeps);
    sg_actor_start(handle, sleep_naively, 0, NULL);
  }
  core.origin += (uint64_t)NAIVE_SLEEP * (sleeps + 1);
  simgrid_run_until((double)core.origin);
}
