/* SPDX-License-Identifier: BSD-3-Clause
 * Barrier of several nodes: the ranks of each node synchronize and notify their PPE; the PPEs synchronize;
 * each PPE notifies the leader of its node; the leader notifies the other ranks.
 *
 *   ack=entry   every rank notifies the PPE on entry, beside the barrier of its node, as in the equation
 *   ack=after   the leader notifies the PPE after the barrier of its node
 *
 * source: Ali, Midkiff, Pai 2010, section 6.1. */
#include "algos/cluster/cluster_cost.h"
#include "algos/cluster/handover.h"
#include "algos/cluster/host_call.h"
#include "algos/cluster/outer.h"
#include "algos/cost/cost.h"
#include "algos/shape/tree.h"
#include "algos/step/port.h"
#include "algos/step/step.h"

extern const struct algo barrier_hierarchical;

enum { INNER, OUTER, RELEASE, ACK };
enum { BINOMIAL, ONE_TO_ALL };
enum { ENTRY, AFTER };

/* Notify the ranks of the node down a binomial tree, the farthest child first. */
static void tell_tree(struct coll *c, unsigned leader) {
  struct tree tree = tree_binomial(c->nranks, leader);
  if (c->rank != leader) {
    step_await(c, tree_parent(tree, c->rank));
  }
  TREE_EACH(child, tree, c->rank) {
    step_notify(c, tree_child_rank(child));
  }
}

/* Notify the ranks of the node one after the other. */
static void tell_all(struct coll *c, unsigned leader) {
  if (c->rank != leader) {
    step_await(c, leader);
    return;
  }
  for (unsigned r = 0; r < c->nranks; r++) {
    if (r != leader) {
      step_notify_more(c, r);
    }
  }
  step_settle_all(c);
}

static void run(struct coll *c) {
  const struct cluster_part *release = &c->group->cluster->parts[CLUSTER_RELEASE];
  struct cluster_times *times = &release->times[c->rank];
  bool at_entry = coll_value(c, ACK) == ENTRY;
  if (at_entry) {
    handover_tell(c);
  }
  cluster_make(c, CLUSTER_INNER);
  if (at_entry) {
    handover_settle(c);
  }
  if (handover_is_leader(c)) {
    if (!at_entry) {
      handover_give(c, 0);
    }
    handover_await(c);
  }
  times->begin = spu_cycles();
  (coll_value(c, RELEASE) == BINOMIAL ? tell_tree : tell_all)(release->ranks[c->rank], c->root);
  times->end = spu_cycles();
}

static void ppe(const struct coll_group *group) {
  host_call_ppe(group, group->call.values[ACK] == ENTRY, false);
}

/* Return the cost with INNER as the cost of the part inside nodes: see cluster_cost.h. */
static double whole(const struct cost *c, double inner) {
  double tell = cost_value(c, COST_L_SPE_PPE, COST_ACK);
  double gap = c->p > 1 ? cost_value(c, COST_G_SPE_PPE, COST_ACK) : 0;
  double release = cost_value(c, COST_L_PPE_SPE, COST_ACK);
  release += c->p > 1 ? cost_acks(c, ranks_ceil_log2(c->p)) : 0;
  unsigned hosts = cluster_cost_hosts(c), rounds = ranks_ceil_log2(hosts);
  if (c->blades_per_host) {
    double link = cost_value(c, COST_L3, COST_ACK), back = link + cost_value(c, COST_G3, COST_ACK);
    double between = rounds ? rounds * c->parameter(c, COST_L4, COST_ACK, hosts) : 0;
    return fmax(inner, tell + (c->p - 1) * gap) + link + between + back + release;
  }
  double message = cost_value(c, COST_L_NODE, COST_ACK) + cost_value(c, COST_G_NODE, COST_ACK);
  return fmax(fmax(inner, tell + gap), rounds * message) + release;
}

/* As printed: SPEs tell the PPE at entry, the release goes down a tree. */
static double cost(const struct cost *c) {
  bool printed = c->values[ACK] == ENTRY && c->values[RELEASE] == BINOMIAL;
  return printed ? whole(c, cluster_cost_part(c, &barrier_hierarchical, INNER)) : NAN;
}

const struct algo barrier_hierarchical = {
  .collective = COLL_BARRIER,
  .name = "hierarchical",
  .source = "ali2010",
  .idea = "barriers inside nodes and of their PPEs",
  .spans_nodes = true,
  .params =
    {[INNER] = {.name = "inner", .algorithm = "recursive-doubling", .of = COLL_BARRIER},
     [OUTER] =
       {.name = "outer",
        .choices = {[OUTER_BRUCK] = {.word = "bruck"}, [OUTER_DOUBLING] = {.word = "recursive-doubling"}}},
     [RELEASE] = {.name = "release",
                  .choices = {[BINOMIAL] = {.word = "binomial"}, [ONE_TO_ALL] = {.word = "one-to-all"}}},
     [ACK] = {.name = "ack", .choices = {[ENTRY] = {.word = "entry"}, [AFTER] = {.word = "after"}}}},
  .scratch = cluster_call_scratch,
  .run = run,
  .ppe = ppe,
  .cost = cost,
};
