/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid's actors for the event core: coroutines on stacks of SimGrid, resumed by the engine. SimGrid's only
 * clock stands still. */
#pragma once

struct coroutine;
struct err;

enum { ACTOR_STACK_PLACE = 128 * 1024 }; /* bytes of the stack of a program */

/* Load and start SimGrid; call once in a process before anything else here.
 * errors: as simgrid_load; /proc is missing. */
int simgrid_actors_init(struct err *err);

/* Prepare BODY, which never returns, to run with ARGUMENT; `stack` is NULL until SimGrid has begun the actor.
 * owner: nobody; the actor lasts as long as the process. */
struct coroutine *simgrid_actor_new(void (*body)(void *argument), void *argument);

/* Run WORK with ARGUMENT as the engine. An actor may not call. */
void simgrid_actors_drive(void (*work)(void *argument), void *argument);

/* As coroutine_enter, for an actor; for the engine, while WORK runs. */
void simgrid_actor_enter(struct coroutine *actor);
