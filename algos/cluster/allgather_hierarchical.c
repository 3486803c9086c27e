/* SPDX-License-Identifier: BSD-3-Clause
 * All-gather over several nodes: the blocks of each node are put into its main memory; the PPEs gather the
 * blocks at all nodes; each leader gets all blocks and broadcasts them on its node.
 *
 *   by=leader   the leader puts the blocks after an inner gather of the ranks of its node
 *   by=each     each rank puts the own block
 *
 * source: by analogy with the barrier of Ali, Midkiff, Pai 2010, section 6.1. */
#include "algos/cluster/handover.h"
#include "algos/cluster/host_call.h"
#include "algos/cluster/outer.h"

enum { INNER, OUTER, RELEASE, BY };

static void run(struct coll *c) {
  bool each = coll_value(c, BY) == CLUSTER_BY_EACH;
  if (!each) {
    cluster_gather_node(c);
  }
  if (each || handover_is_leader(c)) {
    handover_give_blocks(c, each);
  }
  if (handover_is_leader(c)) {
    handover_await(c);
    handover_get_all(c);
  }
  cluster_make(c, CLUSTER_RELEASE);
}

static void ppe(const struct coll_group *group) {
  host_call_ppe(group, group->call.values[BY] == CLUSTER_BY_EACH, false);
}

const struct algo allgather_hierarchical = {
  .collective = COLL_ALLGATHER,
  .name = "hierarchical",
  .source = "ali2010",
  .idea = "gathers inside nodes then an all-gather of their PPEs and broadcasts inside nodes",
  .spans_nodes = true,
  .params = {[INNER] = {.name = "inner", .algorithm = "binomial", .of = COLL_GATHER},
             [OUTER] = {.name = "outer",
                        .choices = {[OUTER_GATHER_DOUBLING] = {.word = "recursive-doubling"},
                                    [OUTER_GATHER_RING] = {.word = "ring"}}},
             [RELEASE] = {.name = "release", .algorithm = "binomial-opt", .of = COLL_BCAST},
             [BY] = CLUSTER_BY_PARAM},
  .scratch = cluster_call_scratch,
  .run = run,
  .ppe = ppe,
};
