/* SPDX-License-Identifier: BSD-3-Clause
 * The stacks of SimGrid's actors: with a page at the end that nobody may touch, as long as that can be had.
 * Most of such a stack is a place for something else that runs while its actor is suspended. */
#pragma once

enum {
  ACTOR_STACK_KIB = 132,
  ACTOR_STACK_PLACE = 128 * 1024, /* bytes */
  /* Bytes between the function of an actor and that place, which begins in what a suspension has left on the
   * stack (950 bytes): SimGrid never resumes an actor that has given its place away. So what most programs
   * need is on one page. */
  ACTOR_STACK_OWN = 512
};

/* Choose the stack of the actor that is made next. */
void actor_stack_next(void);

/* Return the lowest byte of the place on the stack of an actor, for the FRAME of its function. */
void *actor_stack_place(void *frame);
