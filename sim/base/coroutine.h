/* SPDX-License-Identifier: BSD-3-Clause
 * A function that runs on a stack of its own: it leaves in the middle of its work and goes on there when it
 * is entered again. How floating-point numbers are rounded (fesetround) is its own, as on a processor of its
 * own. A switch costs some 60 instructions. */
#pragma once

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* Only coroutine.c uses the last three fields. */
struct coroutine {
  void (*body)(void *argument); /* never returns */
  void *argument;
  void *stack; /* its lowest byte */
  size_t nbytes;
  bool begun;
  int rounding;   /* when it has left */
  jmp_buf inside; /* where it has left */
};

/* Let COROUTINE run, from its beginning or from where it has left, until it leaves. No coroutine may call. */
void coroutine_enter(struct coroutine *coroutine);

/* Leave COROUTINE, which calls. */
void coroutine_leave(struct coroutine *coroutine);

/* Forget where COROUTINE, which does not run, is in its work: it is entered at its beginning next. */
void coroutine_forget(struct coroutine *coroutine);

/* Tell whether the coroutine that runs touches ADDRESS because its stack is full; safe in a handler of
 * signals. */
bool coroutine_overflows(const void *address);
