/* SPDX-License-Identifier: BSD-3-Clause
 * See coroutine.h.
 *
 * A context is made by makecontext, and entered by it once; from then on _setjmp and _longjmp switch, which make no system call.
 * source: coroutine-ucontext.c of QEMU. */

/* A checked longjmp takes a jump to another stack for an error. */
#undef _FORTIFY_SOURCE

#include "sim/base/coroutine.h"

#include "sim/base/actor_stack.h"
#include "sim/base/xalloc.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

enum { STACK_BYTES = 1024 * ACTOR_STACK_KIB };

struct coroutine {
  void (*body)(void *argument);
  void *argument;
  uint8_t *stack;     /* below lies a page that nobody may touch */
  jmp_buf inside;     /* where it has left */
  jmp_buf outside;    /* where it was entered */
  const void *bottom; /* of the stack outside, for the address sanitizer */
  size_t bottom_bytes;
};

/* --- the address sanitizer, which must know of each stack --- */

static void
begin_switch(void **kept, const void *bottom, size_t nbytes)
{
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(kept, bottom, nbytes);
#else
  (void)kept, (void)bottom, (void)nbytes;
#endif
}

static void
end_switch(void *kept, const void **bottom, size_t *nbytes)
{
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(kept, bottom, nbytes);
#else
  (void)kept, (void)bottom, (void)nbytes;
#endif
}

static void
forget_stack(const uint8_t *stack)
{
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(stack, STACK_BYTES);
#else
  (void)stack;
#endif
}

/* --- switches --- */

static struct coroutine *starting; /* what makecontext cannot hand on */

static void
run_body(void)
{
  struct coroutine *coroutine = starting;
  end_switch(NULL, &coroutine->bottom, &coroutine->bottom_bytes);
  coroutine_leave(coroutine);
  coroutine->body(coroutine->argument);
  abort(); /* it returns never */
}

void
coroutine_enter(struct coroutine *coroutine)
{
  void *kept = NULL;
  begin_switch(&kept, coroutine->stack, STACK_BYTES);
  if (_setjmp(coroutine->outside) == 0) {
    _longjmp(coroutine->inside, 1);
  }
  end_switch(kept, NULL, NULL);
}

void
coroutine_leave(struct coroutine *coroutine)
{
  void *kept = NULL;
  begin_switch(&kept, coroutine->bottom, coroutine->bottom_bytes);
  if (_setjmp(coroutine->inside) == 0) {
    _longjmp(coroutine->outside, 1);
  }
  end_switch(kept, &coroutine->bottom, &coroutine->bottom_bytes);
}

/* Enter COROUTINE for the first time; it leaves at once. */
static void
start(struct coroutine *coroutine)
{
  ucontext_t context;
  void *kept = NULL;
  getcontext(&context);
  context.uc_stack = (stack_t){.ss_sp = coroutine->stack, .ss_size = STACK_BYTES};
  context.uc_link = NULL;
  makecontext(&context, run_body, 0);
  starting = coroutine;
  begin_switch(&kept, coroutine->stack, STACK_BYTES);
  if (_setjmp(coroutine->outside) == 0) {
    setcontext(&context);
  }
  end_switch(kept, NULL, NULL);
}

/* --- what there is of them --- */

static size_t
page_bytes(void)
{
  return (size_t)sysconf(_SC_PAGESIZE);
}

struct coroutine *
coroutine_new(void (*body)(void *argument), void *argument)
{
  struct coroutine *coroutine = xcalloc(1, sizeof *coroutine);
  coroutine->body = body;
  coroutine->argument = argument;
  uint8_t *guard = mmap(NULL, page_bytes() + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (guard == MAP_FAILED) {
    xalloc_fail("stack of a program");
  }
  mprotect(guard, page_bytes(), PROT_NONE);
  coroutine->stack = guard + page_bytes();
  start(coroutine);
  return coroutine;
}

void
coroutine_free(struct coroutine *coroutine)
{
  if (coroutine) {
    forget_stack(coroutine->stack);
    munmap(coroutine->stack - page_bytes(), page_bytes() + STACK_BYTES);
    free(coroutine);
  }
}
