/* SPDX-License-Identifier: BSD-3-Clause
 * Barrier over a counter in main memory: every rank adds one to it atomically and waits until it has reached p times the
 * number of calls. The counter only ever grows, so that calls do not mix.
 *
 *   memory: 0 > 1 > 2 > ... > p   everybody reads it until then
 *
 * source: Velamati et al. 2007, section 5.3 (after Sistare, vande Vaart, Loh 1999). */
#include "algos/step/step.h"

enum { LINE_BYTES = 128 };

static size_t
scratch(const struct coll_group *group)
{
  (void)group;
  return LINE_BYTES;
}

/* Read the line of the counter, with a reservation.
 * returns: the counter in it. */
static uint32_t *
read_line(struct coll *c)
{
  step_load_line(c, c->scratch, c->group->shared_ea);
  return (uint32_t *)c->scratch;
}

static void
run(struct coll *c)
{
  uint32_t wanted = c->nranks * (c->ncalls + 1);
  step_begin(c);
  step_prepare_line(c);
  do {
    ++*read_line(c);
  } while (!step_store_line(c, c->scratch, c->group->shared_ea));
  while ((int32_t)(*read_line(c) - wanted) < 0) {
  }
}

const struct algo barrier_atomic = {
  .collective = COLL_BARRIER,
  .name = "atomic",
  .source = "velamati2007",
  .idea = "an atomic counter in main memory that everybody increments and reads",
  .scratch = scratch,
  .shared = LINE_BYTES,
  .run = run,
};
