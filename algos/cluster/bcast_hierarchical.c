/* SPDX-License-Identifier: BSD-3-Clause
 * Broadcast to several nodes: the root puts its data into the main memory of its node; the PPEs broadcast the
 * data; the leader of each other node gets the data; each leader broadcasts the data on the node.
 *
 * The PPE receives the data of the next call only after the leader has taken the data of this call. The root
 * puts the next data only after its PPE has sent the data of this call.
 * source: by analogy with the barrier of Ali, Midkiff, Pai 2010, section 6.1. */
#include "algos/cluster/cluster_cost.h"
#include "algos/cluster/handover.h"
#include "algos/cluster/host_call.h"
#include "algos/cluster/outer.h"
#include "algos/cost/cost.h"

extern const struct algo bcast_hierarchical;

enum { OUTER, RELEASE };

static void run(struct coll *c) {
  bool on_root_node = cluster_place_is_root(&c->group->cluster->place);
  if (handover_is_leader(c) && on_root_node) {
    if (c->ncalls) {
      handover_await(c);
    }
    handover_give(c, c->nbytes);
  } else if (handover_is_leader(c)) {
    handover_await(c);
    handover_take(c);
    handover_give(c, 0);
  }
  cluster_make(c, CLUSTER_RELEASE);
}

static void ppe(const struct coll_group *group) {
  host_call_ppe_down(group, false);
}

static double analogy(const struct cost *c) {
  double outer = NAN;
  if (c->values[OUTER] == OUTER_BINOMIAL) {
    outer = cluster_cost_tree_down(c);
  } else if (c->values[OUTER] == OUTER_CHAIN) {
    outer = cluster_cost_chain(c, OUTER_CHAIN_PIECE);
  }
  return cluster_cost_up(c) + outer + cluster_cost_down(c) +
         cluster_cost_part(c, &bcast_hierarchical, RELEASE);
}

const struct algo bcast_hierarchical = {
  .collective = COLL_BCAST,
  .name = "hierarchical",
  .source = "ali2010",
  .idea = "a broadcast of the PPEs of nodes and one inside each node",
  .spans_nodes = true,
  .params = {[OUTER] = {.name = "outer",
                        .choices = {[OUTER_BINOMIAL] = {.word = "binomial"},
                                    [OUTER_CHAIN] = {.word = "chain"},
                                    [OUTER_SCATTER_ALLGATHER] = {.word = "scatter-allgather"}}},
             [RELEASE] = {.name = "release", .algorithm = "binomial-opt", .of = COLL_BCAST}},
  .scratch = cluster_call_scratch,
  .run = run,
  .ppe = ppe,
  .analogy = analogy,
};
