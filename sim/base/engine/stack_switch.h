/* SPDX-License-Identifier: BSD-3-Clause
 * The address sanitizer must know of each switch to another stack: who switches says so before and after. In
 * other builds this is nothing. */
#pragma once

#include <stddef.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

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
