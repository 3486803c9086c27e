/* SPDX-License-Identifier: BSD-3-Clause
 * The stacks of SimGrid's actors: with a page at the end that nobody may touch, as long as that can be had. Most of such a stack is a
 * place for something else that runs while its actor is suspended. */
#pragma once

#include <stddef.h>

enum {
  ACTOR_STACK_KIB = 144,
  ACTOR_STACK_PLACE = 128 * 1024, /* bytes */
  ACTOR_STACK_OWN = 12 * 1024     /* bytes between that place and the function of the actor; a suspension needs some 3,200 */
};

/* Choose the stack of the actor that is made next. */
void actor_stack_next(void);

/* Return the lowest byte of the place on the stack of an actor, for the FRAME of its function. */
void *actor_stack_place(void *frame);
