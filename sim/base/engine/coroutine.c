/* SPDX-License-Identifier: BSD-3-Clause
 * Coroutines on stacks of SimGrid.
 *
 * makecontext makes a context, and the first entry uses the context; after the first entry jumps switch,
 * without a system call.
 * source: coroutine-ucontext.c of QEMU (first entry). */

/* A checked longjmp takes a jump to another stack for an error. */
#undef _FORTIFY_SOURCE

#include "sim/base/engine/coroutine.h"

#include <fenv.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

/* Below the stack of a coroutine lies a page that nobody may touch: an access just below the stack is an
 * overflow of this stack. */
enum { BELOW = 64 * 1024 };

static const struct coroutine *running; /* NULL: none */
static struct coroutine *beginning;     /* argument of the first entry, which makecontext cannot pass */

static struct {
  coroutine_place place;
  const void *bottom; /* of the stack, for the address sanitizer */
  size_t nbytes;
} outside; /* where the running coroutine was entered */

static void run_body(void) {
  struct coroutine *coroutine = beginning;
  stack_switch_end(NULL, &outside.bottom, &outside.nbytes);
  coroutine->body(coroutine->argument);
  abort(); /* never returns */
}

/* Go on at PLACE; not inline: the compiler allows no jump in a function that keeps a place. */
static _Noreturn void __attribute__((noinline)) jump(coroutine_place place) {
  coroutine_jump(place);
}

static void begin(struct coroutine *coroutine) {
  static ucontext_t context; /* static: the frame of this function is left for ever */
  getcontext(&context);
  context.uc_stack = (stack_t){.ss_sp = coroutine->stack, .ss_size = coroutine->nbytes};
  context.uc_link = NULL;
  makecontext(&context, run_body, 0);
  coroutine->begun = true;
  beginning = coroutine;
  setcontext(&context);
  abort(); /* never returns */
}

/* Round as AFTER says, an FE_ of <fenv.h>, instead of as NOW says. */
static void change_rounding(int now, int after) {
  if (now != after) {
    fesetround(after);
  }
}

void coroutine_enter(struct coroutine *coroutine) {
  void *kept = NULL;
  int rounding = fegetround();
  running = coroutine;
  stack_switch_begin(&kept, coroutine->stack, coroutine->nbytes);
  if (coroutine_keep(outside.place) == 0) {
    if (coroutine->begun) {
      change_rounding(rounding, coroutine->rounding);
      jump(coroutine->inside);
    }
    begin(coroutine);
  }
  stack_switch_end(kept, NULL, NULL);
  change_rounding(coroutine->rounding, rounding);
  running = NULL;
}

void coroutine_leave(struct coroutine *coroutine) {
  void *kept = NULL;
  coroutine->rounding = fegetround();
  stack_switch_begin(&kept, outside.bottom, outside.nbytes);
  if (coroutine_keep(coroutine->inside) == 0) {
    jump(outside.place);
  }
  stack_switch_end(kept, &outside.bottom, &outside.nbytes);
}

void coroutine_forget(struct coroutine *coroutine) {
  if (coroutine->begun) {
    coroutine->begun = false;
    stack_forget(coroutine->stack, coroutine->nbytes);
  }
}

bool coroutine_overflows(const void *address) {
  return running && (uintptr_t)running->stack - (uintptr_t)address - 1 < BELOW;
}
