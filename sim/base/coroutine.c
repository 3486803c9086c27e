/* SPDX-License-Identifier: BSD-3-Clause
 * See coroutine.h.
 *
 * A context is made by makecontext, and entered by it once; from then on _setjmp and _longjmp switch, which make no system call.
 * source: coroutine-ucontext.c of QEMU. */

/* A checked longjmp takes a jump to another stack for an error. */
#undef _FORTIFY_SOURCE

#include "sim/base/coroutine.h"

#include "sim/base/stack_switch.h"

#include <stdlib.h>
#include <ucontext.h>

static struct coroutine *beginning; /* what makecontext cannot hand on */

static struct {
  jmp_buf place;
  const void *bottom; /* of its stack, for the address sanitizer */
  size_t nbytes;
} outside; /* where the coroutine that runs was entered */

static void
run_body(void)
{
  struct coroutine *coroutine = beginning;
  stack_switch_end(NULL, &outside.bottom, &outside.nbytes);
  coroutine->body(coroutine->argument);
  abort(); /* it returns never */
}

static void
begin(struct coroutine *coroutine)
{
  static ucontext_t context; /* static: the frame of this function is left for ever */
  getcontext(&context);
  context.uc_stack = (stack_t){.ss_sp = coroutine->stack, .ss_size = coroutine->nbytes};
  context.uc_link = NULL;
  makecontext(&context, run_body, 0);
  coroutine->begun = true;
  beginning = coroutine;
  setcontext(&context);
  abort(); /* it returns never */
}

void
coroutine_enter(struct coroutine *coroutine)
{
  void *kept = NULL;
  stack_switch_begin(&kept, coroutine->stack, coroutine->nbytes);
  if (_setjmp(outside.place) == 0) {
    if (coroutine->begun) {
      _longjmp(coroutine->inside, 1);
    }
    begin(coroutine);
  }
  stack_switch_end(kept, NULL, NULL);
}

void
coroutine_leave(struct coroutine *coroutine)
{
  void *kept = NULL;
  stack_switch_begin(&kept, outside.bottom, outside.nbytes);
  if (_setjmp(coroutine->inside) == 0) {
    _longjmp(outside.place, 1);
  }
  stack_switch_end(kept, &outside.bottom, &outside.nbytes);
}

void
coroutine_forget(struct coroutine *coroutine)
{
  if (coroutine->begun) {
    coroutine->begun = false;
    stack_forget(coroutine->stack, coroutine->nbytes);
  }
}
