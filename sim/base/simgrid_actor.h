/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid's actors, as far as the event core needs them: something that runs on a stack of its own, leaves in the middle of its work,
 * and goes on there when the engine lets it. SimGrid's clock, of which there is only one, stands still. */
#pragma once

#include <stdbool.h>

struct simgrid_actor;

/* Start SimGrid; call once in a process before anything else here. */
void simgrid_actors_init(void);

/* Prepare BODY, which never returns, to run with ARGUMENT.
 * owner: the caller, with simgrid_actor_free once it has been started. */
struct simgrid_actor *simgrid_actor_new(void (*body)(void *argument), void *argument);

/* Let ACTOR, which is new, run until it leaves for the first time: before the next simgrid_actors_drive does anything else, or, if
 * an actor calls, perhaps before this returns. */
void simgrid_actor_start(struct simgrid_actor *actor);

/* Release ACTOR, which does not run, wherever it is in its work; its stack is unwound. No actor may call. */
void simgrid_actor_free(struct simgrid_actor *actor);

/* Leave ACTOR, which calls. */
void simgrid_actor_leave(struct simgrid_actor *actor);

/* Let the engine do its WORK with ARGUMENT, piece by piece, until it returns that nothing is left to do. No actor may call. */
void simgrid_actors_drive(bool (*work)(void *argument), void *argument);

/* --- for the engine --- */

/* Let ACTOR, which has left, go on with the next simgrid_actors_go. */
void simgrid_actor_ready(struct simgrid_actor *actor);

/* Let all actors that are ready go on, in this order, until each has left. */
void simgrid_actors_go(void);
