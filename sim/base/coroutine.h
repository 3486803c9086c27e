/* SPDX-License-Identifier: BSD-3-Clause
 * A function with a stack of its own: it leaves in the middle of its work and goes on there when it is entered again. A switch costs
 * some 50 instructions, where a SimGrid actor costs 1,000 to 2,000. */
#pragma once

struct coroutine;

/* Prepare BODY, which never returns, to run with ARGUMENT.
 * owner: the caller, with coroutine_free. */
struct coroutine *coroutine_new(void (*body)(void *argument), void *argument);

/* Release COROUTINE, which does not run, wherever it is in its work; NULL is allowed. */
void coroutine_free(struct coroutine *coroutine);

/* Let COROUTINE run until it leaves; no other one runs. */
void coroutine_enter(struct coroutine *coroutine);

/* Leave COROUTINE, which calls. */
void coroutine_leave(struct coroutine *coroutine);
