/* SPDX-License-Identifier: BSD-3-Clause
 * Gather over several nodes: the blocks of each node are put into its main memory; the PPEs gather the blocks
 * at the root's node; the root gets all blocks.
 *
 *   by=leader   the leader puts the blocks after an inner gather of the ranks of its node
 *   by=each     each rank puts its own block
 *
 * No rank puts the next blocks before the PPE has sent the blocks of this call. The blocks of two calls lie
 * apart, since the root may still get the blocks of this call.
 * source: by analogy with the barrier of Ali, Midkiff, Pai 2010, section 6.1. */
#include "algos/cluster/handover.h"
#include "algos/cluster/host_call.h"
#include "algos/cluster/outer.h"

enum { INNER, OUTER, BY };

static void run(struct coll *c) {
  bool each = coll_value(c, BY) == CLUSTER_BY_EACH, is_leader = handover_is_leader(c);
  bool is_root = is_leader && cluster_place_is_root(&c->group->cluster->place);
  if (!each) {
    cluster_gather_node(c);
  }
  if (each || is_leader) {
    if (!is_root && c->ncalls) {
      handover_await(
        c); /* the PPE has done its part of the previous call; the root knows this from that call */
    }
    handover_give_blocks(c, each);
  }
  if (is_root) {
    handover_await(c);
    handover_get_all(c);
  }
}

static void ppe(const struct coll_group *group) {
  bool each = group->call.values[BY] == CLUSTER_BY_EACH;
  host_call_ppe(group, each, each);
}

const struct algo gather_hierarchical = {
  .collective = COLL_GATHER,
  .name = "hierarchical",
  .source = "ali2010",
  .idea = "gathers inside nodes and one of their PPEs",
  .spans_nodes = true,
  .params = {[INNER] = {.name = "inner", .algorithm = "binomial", .of = COLL_GATHER},
             [OUTER] = {.name = "outer",
                        .choices = {[OUTER_GATHER_BINOMIAL] = {.word = "binomial"},
                                    [OUTER_GATHER_SEQUENTIAL] = {.word = "sequential"}}},
             [BY] = CLUSTER_BY_PARAM},
  .scratch = cluster_call_scratch,
  .run = run,
  .ppe = ppe,
};
