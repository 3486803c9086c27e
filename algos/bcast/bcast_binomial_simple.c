/* SPDX-License-Identifier: BSD-3-Clause
 * Simple binomial broadcast: a rank that has the data tells all its children at once and does not wait between rounds.
 *
 *   0 > 4 2 1        the children's transfers share the sender's on-ramp, so that the one with the longest path
 *   4 > 6 5          below it is served as late as the others: priority inversion
 *   2 > 3   6 > 7
 *
 * rounds: ceil(log2 p), overlapping.
 * source: Ali, Midkiff, Pai 2010, section 5.2, table 2. */
#include "algos/cost/cost.h"
#include "algos/shape/tree.h"
#include "algos/step/step.h"

static void
run(struct coll *c)
{
  struct tree tree = {.team = team_of_all(c->nranks), .root = c->root};
  step_begin(c);
  if (c->rank != c->root) {
    step_take(c, tree_parent(tree, c->rank), c->buffer, c->nbytes);
  }
  for (struct tree_child child = tree_first(tree, c->rank); tree_has(child); child = tree_next(child)) {
    step_post_ea_more(c, tree_child_rank(child), step_peer_ea(c, c->rank, c->buffer));
  }
  step_settle_all(c);
  for (struct tree_child child = tree_first(tree, c->rank); tree_has(child); child = tree_next(child)) {
    step_await_taken(c, tree_child_rank(child));
  }
}

static double
cost(const struct cost *c)
{
  enum cost_parameter gap = c->two_chips ? COST_G1 : COST_G,
                      gap_ack = c->two_chips ? COST_G1_ACK : COST_G_ACK;
  unsigned rounds = ranks_floor_log2(c->p);
  /* Sum over the levels of the largest out-degree - 1: 3 for 8 ranks; on two chips as printed, where this gives 5. */
  unsigned q = c->two_chips ? 7 : rounds * (rounds - 1) / 2;
  if (!ranks_is_power(c->p) || (c->two_chips && c->p != 16)) {
    return NAN;
  }
  return cost_rounds(c, rounds, c->m) + q * cost_gap(c, gap, c->m) +
         cost_between(c, q * cost_gap(c, gap_ack, COST_ACK));
}

/* Return by how much child NUMBER of SHARING is late because it shares the on-ramp with the others, all of which need it
 * for SERVE and turn to it one ISSUE after the other. The first one is alone at first, then has half of the ramp, a third
 * ...; they end in their order, the last one when all has been served. */
static double
lateness(double serve, double issue, unsigned number, unsigned sharing)
{
  double left = serve, at = 0;
  for (unsigned n = number + 1; n < sharing && left * n > issue; n++) {
    left -= issue / n;
    at += issue;
  }
  return fmax(0, at + left * sharing - serve - number * issue);
}

/* Return when the last rank below RANK has its data, if RANK has it at 0: its children are told one after the other, and
 * those on its chip share its on-ramp. */
static double
finish(const struct cost *c, struct tree tree, unsigned rank)
{
  unsigned told = 0, number = 0, sharing = 0, chip = rank / c->spes_per_chip;
  double last = 0, issue = cost_issue_more(c), serve = c->parameter(c, COST_SERVE1, c->m, 0);
  for (struct tree_child child = tree_first(tree, rank); tree_has(child); child = tree_next(child)) {
    sharing += tree_child_rank(child) / c->spes_per_chip == chip;
  }
  for (struct tree_child child = tree_first(tree, rank); tree_has(child); child = tree_next(child)) {
    unsigned below = tree_child_rank(child);
    bool across = below / c->spes_per_chip != chip;
    double step =
      across ? cost_round_across(c, c->m) : cost_round(c, c->m) + lateness(serve, issue, number++, sharing);
    last = fmax(last, told++ * issue + step + finish(c, tree, below));
  }
  return last;
}

static double
refined(const struct cost *c)
{
  return finish(c, (struct tree){.team = team_of_all(c->p)}, 0);
}

const struct algo bcast_binomial_simple = {
  .collective = COLL_BCAST,
  .name = "binomial-simple",
  .source = "ali2010",
  .idea = "down a binomial tree with all children served at once",
  .run = run,
  .cost = cost,
  .refined = refined,
};
