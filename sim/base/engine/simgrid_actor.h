/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid's actors for the event core: a function with its own stack, which suspends and is resumed by the
 * engine. SimGrid's only clock stands still. */
#pragma once

enum { ACTOR_STACK_PLACE = 128 * 1024 }; /* bytes of the stack of a program */

struct simgrid_actor;

/* Start SimGrid; call once in a process before anything else here. */
void simgrid_actors_init(void);

/* Prepare BODY, which never returns, to run with ARGUMENT.
 * owner: nobody; the actor lasts as long as the process. */
struct simgrid_actor *simgrid_actor_new(void (*body)(void *argument), void *argument);

/* Run WORK with ARGUMENT as the engine. An actor may not call. */
void simgrid_actors_drive(void (*work)(void *argument), void *argument);

/* Suspend ACTOR, which calls. */
void simgrid_actor_leave(struct simgrid_actor *actor);

/* Let the next run of ACTOR, which is suspended, start at the beginning. */
void simgrid_actor_forget(struct simgrid_actor *actor);

/* --- for the engine, while WORK runs --- */

/* Run ACTOR from its beginning or from its last suspension, until ACTOR suspends. */
void simgrid_actor_enter(struct simgrid_actor *actor);
