/* SPDX-License-Identifier: BSD-3-Clause
 * Hybrid segmented binomial broadcast: the root gives all data to one rank of every other chip, one message
 * per chip; then each chip runs the segmented binomial broadcast alone.
 *
 *   step 1      0 > 8 all data, the only crossing
 *   steps 2..   segmented binomial in 0..7 and in 8..15
 *
 * rounds: one across with all data, then log2 p on the chips with half of the data.
 * source: Ali, Midkiff, Pai 2010, section 5.2, table 2; chips beyond two are ours. */
#include "algos/cost/cost.h"
#include "algos/phase/tree_ways.h"

static void run(struct coll *c) {
  const struct coll_group *group = c->group;
  unsigned chip = group->chip_of[c->rank], root_chip = group->chip_of[c->root];
  unsigned leader = team_leader(group, chip, c->root);
  struct part all = parts_all(c);
  if (c->rank == c->root) {
    for (unsigned i = 1; i < group->nchips; i++) {
      tree_send_part(c, team_leader(group, (root_chip + i) % group->nchips, c->root), all);
    }
  } else if (c->rank == leader) {
    tree_receive_part(c, c->root, all);
  }
  tree_send_segmented(c, (struct tree){.team = team_of_chip(group, chip), .root = leader});
}

static double cost(const struct cost *c) {
  if (!c->two_chips || !ranks_is_power(c->p)) {
    return NAN;
  }
  return ranks_ceil_log2(c->p) * cost_round(c, c->m / 2) + cost_round_across(c, c->m);
}

const struct algo bcast_hybrid_segmented_binomial = {
  .collective = COLL_BCAST,
  .name = "hybrid-segmented-binomial",
  .source = "ali2010",
  .idea = "one message to each other chip and then segmented on every chip",
  .needs = NEED_SEVERAL_CHIPS | NEED_EVEN_CHIPS,
  .run = run,
  .cost = cost,
};
