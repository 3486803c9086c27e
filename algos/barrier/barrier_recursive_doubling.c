/* SPDX-License-Identifier: BSD-3-Clause
 * Barrier by recursive doubling (pairwise exchange): partners at distance 1, 2, 4, ... exchange flags, or
 * signals; see doubling.h for the steps.
 *
 * rounds: log2 p, or floor(log2 p) + 2 if p is no power of two.
 * source: Ali, Midkiff, Pai 2010, sections 4 and 5.1, table 1; PE of Velamati et al. 2007, section 5.1; with
 * signals PEBar of Gaona, Fernandez, Acacio 2009, section 3.1. */
#include "algos/cost/cost.h"
#include "algos/phase/doubling.h"
#include "algos/step/ranks.h"

static void run(struct coll *c) {
  synchronize_ranks(c, coll_value(c, 0));
}

static double cost(const struct cost *c) {
  unsigned rounds = ranks_floor_log2(c->p) + (ranks_is_power(c->p) ? 0 : 2);
  return cost_acks(c, rounds);
}

const struct algo barrier_recursive_doubling = {
  .collective = COLL_BARRIER,
  .name = "recursive-doubling",
  .source = "ali2010",
  .idea = "partners at distance 1 2 4 ... exchange flags",
  .params = {{.name = "sync",
              .choices = {[SYNCHRONIZE_BY_FLAG] = {.word = "flag"},
                          [SYNCHRONIZE_BY_SIGNAL] = {.word = "signal",
                                                     .source = "gaona2009",
                                                     .needs = NEED_SIGNAL_BITS}}}},
  .run = run,
  .cost = cost,
};
