/* SPDX-License-Identifier: BSD-3-Clause
 * Barrier over a counter in main memory: every rank adds one to the counter atomically and waits until the
 * counter has reached p times the number of calls. The counter only ever grows, so that calls do not mix.
 *
 *   memory: 0 > 1 > 2 > ... > p   every rank reads the counter until then
 *
 * source: Velamati et al. 2007, section 5.3 (after Sistare, vande Vaart, Loh 1999). */
#include "algos/step/step.h"

enum { LINE_BYTES = 128 };

static size_t scratch(const struct coll_group *group) {
  (void)group;
  return LINE_BYTES;
}

static void run(struct coll *c) {
  uint64_t ea = c->group->shared_ea;
  uint32_t *counter = (uint32_t *)c->scratch;
  step_begin(c);
  step_prepare_line(c);
  do {
    step_load_line(c, counter, ea);
    ++*counter;
  } while (!step_store_line(c, counter, ea));
  step_await_count(c, counter, ea, c->nranks * (coll_own_calls(c) + 1));
}

const struct algo barrier_atomic = {
  .collective = COLL_BARRIER,
  .name = "atomic",
  .source = "velamati2007",
  .idea = "an atomic counter in main memory that everybody increments and reads",
  .needs = NEED_SPES,
  .scratch = scratch,
  .shared = LINE_BYTES,
  .run = run,
};
