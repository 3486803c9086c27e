/* SPDX-License-Identifier: BSD-3-Clause
 * Scatter to several nodes: the root puts all blocks into the main memory of its node; the PPEs scatter the
 * blocks to the nodes.
 *
 *   by=leader   the leader of each node gets the blocks of its node and scatters the blocks there
 *   by=each     each rank gets its own block
 *
 * The PPE receives the blocks of the next call only after the ranks have taken the blocks of this call. The
 * blocks of two calls lie apart, so that the root may put the next blocks while other ranks of its node take
 * the blocks of this call.
 * source: by analogy with the barrier of Ali, Midkiff, Pai 2010, section 6.1. */
#include "algos/cluster/handover.h"
#include "algos/cluster/host_call.h"
#include "algos/cluster/outer.h"

enum { INNER, OUTER, BY };

static void run(struct coll *c) {
  bool is_root = handover_is_leader(c) && cluster_place_is_root(&c->group->cluster->place);
  if (is_root) {
    handover_start_all(c, true);
    handover_say(c, false);
  }
  if (coll_value(c, BY) == CLUSTER_BY_EACH) {
    handover_await(c);
    handover_take_blocks(c, true);
    handover_say(c, true);
    return;
  }
  if (handover_is_leader(c)) {
    handover_await(c);
    handover_take_blocks(c, false);
    if (!is_root) {
      handover_say(c, false);
    }
  }
  cluster_scatter_node(c);
}

static void ppe(const struct coll_group *group) {
  host_call_ppe_down(group, group->call.values[BY] == CLUSTER_BY_EACH);
}

const struct algo scatter_hierarchical = {
  .collective = COLL_SCATTER,
  .name = "hierarchical",
  .source = "ali2010",
  .idea = "a scatter of the PPEs of nodes and one inside each node",
  .spans_nodes = true,
  .params = {[INNER] = {.name = "inner", .algorithm = "binomial", .of = COLL_SCATTER},
             [OUTER] = {.name = "outer",
                        .choices = {[OUTER_SCATTER_BINOMIAL] = {.word = "binomial"},
                                    [OUTER_SCATTER_SEQUENTIAL] = {.word = "sequential"}}},
             [BY] = CLUSTER_BY_PARAM},
  .scratch = cluster_call_scratch,
  .run = run,
  .ppe = ppe,
};
