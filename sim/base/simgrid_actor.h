/* SPDX-License-Identifier: BSD-3-Clause
 * SimGrid's actors, as far as the event core needs them: something that runs on a stack of its own, leaves in
 * the middle of its work, and goes on there when the engine enters it. SimGrid's clock, of which there is
 * only one, stands still. */
#pragma once

struct simgrid_actor;

/* Start SimGrid; call once in a process before anything else here. */
void simgrid_actors_init(void);

/* Prepare BODY, which never returns, to run with ARGUMENT.
 * owner: nobody; it lasts as long as the process. */
struct simgrid_actor *simgrid_actor_new(void (*body)(void *argument), void *argument);

/* Let the engine do its WORK with ARGUMENT. No actor may call. */
void simgrid_actors_drive(void (*work)(void *argument), void *argument);

/* Leave ACTOR, which calls. */
void simgrid_actor_leave(struct simgrid_actor *actor);

/* Forget where ACTOR, which does not run, is in its work: it begins anew when it is entered next. */
void simgrid_actor_forget(struct simgrid_actor *actor);

/* --- for the engine, while it works --- */

/* Let ACTOR run, from its beginning or from where it has left, until it leaves. */
void simgrid_actor_enter(struct simgrid_actor *actor);
