/* SPDX-License-Identifier: BSD-3-Clause
 * The stacks of SimGrid's actors: with a page at the end that nobody may touch, as long as that can be had. */
#pragma once

#include <stdbool.h>

enum { ACTOR_STACK_KIB = 128 };

/* Choose the stack of the actor that is made next.
 * returns: whether it ends in such a page. */
bool actor_stack_next(void);

/* Tell SimGrid whether the stacks of the actors that it releases now are GUARDED. */
void actor_stack_choose(bool guarded);
