/* SPDX-License-Identifier: BSD-3-Clause
 * The stacks of SimGrid's actors: with a guard page at the end, as long as the system has room. Most of a
 * stack is a place for a coroutine that runs while the actor is suspended. */
#pragma once

enum {
  ACTOR_STACK_KIB = 132,
  ACTOR_STACK_PLACE = 128 * 1024, /* bytes */
  /* Bytes between the frame of an actor's function and the place for the coroutine, which begins in the bytes
   * that a suspension has left on the stack (950 bytes): SimGrid never resumes an actor that has given its
   * place away. So most programs need one page. */
  ACTOR_STACK_OWN = 512
};

/* Choose the stack of the next new actor. */
void actor_stack_next(void);

/* Return the lowest byte of the coroutine's place on the stack of an actor, for the FRAME of the actor's
 * function. */
void *actor_stack_place(void *frame);
