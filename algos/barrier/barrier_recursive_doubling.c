/* SPDX-License-Identifier: BSD-3-Clause
 * Barrier by recursive doubling (pairwise exchange): partners at distance 1, 2, 4, ... exchange flags.
 *
 *   step 1   0-1 2-3 4-5 6-7        ranks beyond the largest power of two m report to
 *   step 2   0-2 1-3 4-6 5-7        rank - m before, and are released by it after
 *   step 3   0-4 1-5 2-6 3-7
 *
 * rounds: log2 p, or floor(log2 p) + 2 if p is no power of two.
 * source: Ali, Midkiff, Pai 2010, sections 4 and 5.1, table 1; PE of Velamati et al. 2007, section 5.1; with signals
 * PEBar of Gaona, Fernandez, Acacio 2009, section 3.1. */
#include "algos/cost.h"
#include "algos/ranks.h"
#include "algos/step.h"

enum { BY_FLAG, BY_SIGNAL };

static void
tell(struct coll *c, unsigned to)
{
  if (coll_value(c, 0) == BY_SIGNAL) {
    step_signal(c, to);
  } else {
    step_notify(c, to);
  }
}

static void
hear(struct coll *c, unsigned from)
{
  if (coll_value(c, 0) == BY_SIGNAL) {
    step_await_signal(c, from);
  } else {
    step_await(c, from);
  }
}

static void
run(struct coll *c)
{
  unsigned r = c->rank, m = ranks_floor_power(c->nranks);
  if (r >= m) {
    step_begin(c);
    tell(c, r - m);
    hear(c, r - m);
    return;
  }
  if (r + m < c->nranks) {
    step_begin(c);
    hear(c, r + m);
  }
  for (unsigned distance = 1; distance < m; distance *= 2) {
    step_begin(c);
    tell(c, r ^ distance);
    hear(c, r ^ distance);
  }
  if (r + m < c->nranks) {
    step_begin(c);
    tell(c, r + m);
  }
}

static double
cost(const struct cost *c)
{
  unsigned rounds = ranks_floor_log2(c->p) + (ranks_is_power(c->p) ? 0 : 2);
  return c->two_chips ? (rounds - 1) * cost_ack(c) + cost_ack_across(c) : rounds * cost_ack(c);
}

const struct algo barrier_recursive_doubling = {
  .collective = COLL_BARRIER,
  .name = "recursive-doubling",
  .source = "ali2010",
  .idea = "partners at distance 1 2 4 ... exchange flags",
  .params =
    {{.name = "sync",
      .choices = {[BY_FLAG] = {.word = "flag"},
                  [BY_SIGNAL] = {.word = "signal", .source = "gaona2009", .needs = NEED_SIGNAL_BITS}}}},
  .run = run,
  .cost = cost,
};
