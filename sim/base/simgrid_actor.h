/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid's actors, as far as the event core needs them: something that runs on a stack of its own, is suspended, and goes on when it
 * is resumed. SimGrid's clock, of which there is only one, stands still. */
#pragma once

struct simgrid_actor;

/* Start SimGrid; call once in a process before anything else here. */
void simgrid_actors_init(void);

/* Prepare BODY, which never returns, to run with ARGUMENT.
 * owner: the caller, with simgrid_actor_free. */
struct simgrid_actor *simgrid_actor_new(void (*body)(void *argument), void *argument);

/* Let the body of ACTOR begin: with the next simgrid_actors_run, or if an actor calls perhaps before this returns. */
void simgrid_actor_start(const struct simgrid_actor *actor);

/* Release ACTOR, which does not run, wherever it is in its work; its stack is unwound. */
void simgrid_actor_free(struct simgrid_actor *actor);

/* Suspend ACTOR, which calls. */
void simgrid_actor_leave(const struct simgrid_actor *actor);

/* Let ACTOR, which is suspended, go on with the next simgrid_actors_run. */
void simgrid_actor_resume(const struct simgrid_actor *actor);

/* Let all actors that can run until they are suspended. */
void simgrid_actors_run(void);
