/* SPDX-License-Identifier: BSD-3-Clause
 * See actor_stack.h.
 *
 * A stack with a guard page makes two mappings, of which a process can have no more than 65,530 on Linux.
 * Those beyond GUARDED_MAX have none; SimGrid gets them by calloc, which must map them, as else it would fill
 * them with zeros, page by page. */
#include "sim/base/engine/actor_stack.h"

#include <limits.h>
#include <malloc.h>
#include <stdint.h>
#include <xbt/config.h>

/* The guarded stacks take 30,000 mappings. The other stacks and the memory of nodes take 10,300 for 97,920
 * SPEs on 6,120 nodes. A stack without a guard page costs one more page, for malloc's header. */
enum { GUARDED_MAX = 15000 };

void actor_stack_next(void) {
  static unsigned nmade;
  nmade++;
  if (nmade == GUARDED_MAX + 1) {
    mallopt(M_MMAP_THRESHOLD, 1024 * ACTOR_STACK_KIB);
    mallopt(M_MMAP_MAX, INT_MAX);
  }
  sg_cfg_set_int("contexts/guard-size", nmade <= GUARDED_MAX);
}

void *actor_stack_place(void *frame) {
  return (uint8_t *)frame - ACTOR_STACK_OWN - ACTOR_STACK_PLACE;
}
