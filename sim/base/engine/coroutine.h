/* SPDX-License-Identifier: BSD-3-Clause
 * A coroutine: a function with its own stack, which can suspend and be resumed. Each coroutine has its own
 * rounding mode (fesetround). A switch costs some 60 instructions. */
#pragma once

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* Only coroutine.c uses the last three fields. */
struct coroutine {
  void (*body)(void *argument); /* never returns */
  void *argument;
  void *stack; /* the lowest byte of the stack */
  size_t nbytes;
  bool begun;
  int rounding;   /* context at the last suspension */
  jmp_buf inside; /* context of the last resumption */
};

/* Run COROUTINE from its beginning or from its last suspension, until COROUTINE suspends. A coroutine may not
 * call. */
void coroutine_enter(struct coroutine *coroutine);

/* Suspend COROUTINE, which calls. */
void coroutine_leave(struct coroutine *coroutine);

/* Let the next run of COROUTINE, which is suspended, start at the beginning. */
void coroutine_forget(struct coroutine *coroutine);

/* Tell whether the running coroutine touches ADDRESS because its stack is full; safe in a signal handler. */
bool coroutine_overflows(const void *address);
