/* SPDX-License-Identifier: BSD-3-Clause
 * Reduction over several nodes: to the leader of each node; the leader gives the result to the PPE; the PPEs
 * combine; the root gets the result of its PPE. A leader gives the next result only after its PPE has sent
 * the last result.
 * source: by analogy with the barrier of Ali, Midkiff, Pai 2010, section 6.1. */
#include "algos/cluster/cluster_cost.h"
#include "algos/cluster/handover.h"
#include "algos/cluster/host_call.h"
#include "algos/cost/cost.h"

extern const struct algo reduce_hierarchical;

static void run(struct coll *c) {
  bool on_root_node = cluster_place_is_root(&c->group->cluster->place);
  cluster_make(c, CLUSTER_INNER);
  if (!handover_is_leader(c)) {
    return;
  }
  if (!on_root_node && c->ncalls) {
    handover_await(c);
  }
  handover_give(c, c->nbytes);
  if (on_root_node) {
    handover_await(c);
    handover_take(c);
  }
}

static void ppe(const struct coll_group *group) {
  host_call_ppe(group, false, false);
}

static double analogy(const struct cost *c) {
  return cluster_cost_part(c, &reduce_hierarchical, 0) + cluster_cost_up(c) + cluster_cost_tree_up(c) +
         cluster_cost_down(c);
}

const struct algo reduce_hierarchical = {
  .collective = COLL_REDUCE,
  .name = "hierarchical",
  .source = "ali2010",
  .idea = "reductions inside nodes and one of their PPEs",
  .spans_nodes = true,
  .params = {{.name = "inner", .algorithm = "binomial", .of = COLL_REDUCE}},
  .scratch = cluster_call_scratch,
  .run = run,
  .ppe = ppe,
  .analogy = analogy,
};
