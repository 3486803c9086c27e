/* SPDX-License-Identifier: BSD-3-Clause
 * Simple binomial broadcast: a rank with the data tells all its children at once and does not wait between
 * rounds.
 *
 *   0 > 4 2 1        the children's transfers share the sender's on-ramp, so the child with the longest
 *   4 > 6 5          path below it gets its data as late as the other children: priority inversion
 *   2 > 3   6 > 7
 *
 * rounds: ceil(log2 p), overlapping.
 * source: Ali, Midkiff, Pai 2010, section 5.2, table 2. */
#include "algos/cost/cost.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  struct tree tree = tree_binomial(c->nranks, c->root);
  step_begin(c);
  if (c->rank != c->root) {
    step_take(c, tree_parent(tree, c->rank), c->buffer, c->nbytes);
  }
  tree_post_children(c, tree, step_peer_ea(c, c->rank, c->buffer));
  tree_await_children(c, tree);
}

static double cost(const struct cost *c) {
  enum cost_parameter gap = c->two_chips ? COST_G1 : COST_G,
                      gap_ack = c->two_chips ? COST_G1_ACK : COST_G_ACK;
  unsigned rounds = ranks_floor_log2(c->p);
  /* Sum over the levels of the largest out-degree - 1: 3 for 8 ranks; on two chips as printed, where this
   * gives 5. */
  unsigned q = c->two_chips ? 7 : rounds * (rounds - 1) / 2;
  if (!ranks_is_power(c->p) || (c->two_chips && c->p != 16)) {
    return NAN;
  }
  return cost_rounds(c, rounds, c->m) + q * cost_gap(c, gap, c->m) +
         cost_between(c, q * cost_gap(c, gap_ack, COST_ACK));
}

const struct algo bcast_binomial_simple = {
  .collective = COLL_BCAST,
  .name = "binomial-simple",
  .source = "ali2010",
  .idea = "down a binomial tree with all children served at once",
  .run = run,
  .cost = cost,
};
