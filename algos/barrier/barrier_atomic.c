/* SPDX-License-Identifier: BSD-3-Clause
 * Barrier over a counter in main memory: every rank adds one to it atomically and waits until it has reached p times the
 * number of calls. The counter only ever grows, so that calls do not mix.
 *
 *   memory: 0 > 1 > 2 > ... > p   everybody reads it until then
 *
 * source: Velamati et al. 2007, section 5.3 (after Sistare, vande Vaart, Loh 1999). */
#include "algos/step/step.h"
#include "sim/spu/spu_time.h"

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
  mfc_getllar(c->scratch, c->group->shared_ea, 0, 0);
  mfc_read_atomic_status();
  spu_compute_for(COMPUTE_RECEIVE, c->group->costs.receive);
  return (uint32_t *)c->scratch;
}

static void
run(struct coll *c)
{
  uint32_t wanted = c->nranks * (c->ncalls + 1);
  step_begin(c);
  spu_compute_for(COMPUTE_SEND, c->group->costs.send);
  do {
    ++*read_line(c);
    mfc_putllc(c->scratch, c->group->shared_ea, 0, 0);
  } while (mfc_read_atomic_status() & MFC_PUTLLC_STATUS);
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
