/* SPDX-License-Identifier: BSD-3-Clause
 * See naive_loop.h. The only use of SimGrid beside the event core, which leaves SimGrid's clock alone. */
#include "validate/bench/naive_loop.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

/* The SPU cycles of 8 beats. */
enum { SLEEP = 16 };

static void sleep_often(int argc, char **argv) {
  (void)argc;
  (void)argv;
  unsigned sleeps = *(const unsigned *)sg_actor_self_get_data();
  for (unsigned i = 0; i < sleeps; i++) {
    sg_actor_sleep_for(SLEEP);
  }
}

void naive_loop_run(unsigned actors, unsigned sleeps) {
  for (unsigned i = 0; i < actors; i++) {
    sg_actor_t handle = sg_actor_init("sleeper", sg_host_by_name("cell"));
    sg_actor_set_data(handle, &sleeps);
    sg_actor_start(handle, sleep_often, 0, NULL);
  }
  simgrid_run_until(simgrid_get_clock() + (double)SLEEP * (sleeps + 1));
}
