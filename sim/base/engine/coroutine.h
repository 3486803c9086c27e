/* SPDX-License-Identifier: BSD-3-Clause
 * A coroutine: a function with its own stack, which can suspend and be resumed. Each coroutine has its own
 * rounding mode (fesetround). A switch costs some 50 instructions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

/* The target of a switch. With the jumps of the compiler the suspending function saves the registers; clang
 * has such jumps on x86-64 only. */
#if defined __clang__ && !defined __x86_64__
#include <setjmp.h>
typedef jmp_buf coroutine_place;
#define coroutine_keep(place) _setjmp(place)
#define coroutine_jump(place) _longjmp(place, 1)
#else
typedef void *coroutine_place[5];
#define coroutine_keep(place) __builtin_setjmp(place)
#define coroutine_jump(place) __builtin_longjmp(place, 1)
#endif

/* Only coroutine.c uses the last three fields. */
struct coroutine {
  void (*body)(void *argument); /* never returns */
  void *argument;
  void *stack; /* the lowest byte of the stack */
  size_t nbytes;
  bool begun;
  int rounding; /* context at the last suspension */
  coroutine_place inside;
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

/* --- switches to another stack, of which the address sanitizer must know; nothing in other builds --- */

/* Say that what runs goes on, next, on the stack of NBYTES from BOTTOM on; KEPT: for who comes back, NULL if
 * nobody does. */
static inline void stack_switch_begin(void **kept, const void *bottom, size_t nbytes) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(kept, bottom, nbytes);
#else
  (void)kept, (void)bottom, (void)nbytes;
#endif
}

/* Say that what runs is on its stack now, again if it has KEPT anything; BOTTOM and NBYTES, unless NULL,
 * become those of the stack that was left. */
static inline void stack_switch_end(void *kept, const void **bottom, size_t *nbytes) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(kept, bottom, nbytes);
#else
  (void)kept, (void)bottom, (void)nbytes;
#endif
}

/* Say that nothing on the stack of NBYTES from BOTTOM on is used any more. */
static inline void stack_forget(const void *bottom, size_t nbytes) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(bottom, nbytes);
#else
  (void)bottom, (void)nbytes;
#endif
}
