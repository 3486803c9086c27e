/* SPDX-License-Identifier: BSD-3-Clause
 * All-to-all over several nodes: each rank puts the own blocks into the main memory of the node, sorted by
 * receiving node; the PPEs exchange the blocks, all blocks for a node in one message; each rank gets its
 * blocks.
 *
 * The PPE receives the blocks of the next call only after all ranks of its node have put their next blocks,
 * and so have taken the blocks of this call. Blocks between ranks of one node are not sent: the receiver gets
 * such a block from the data, so the data of two calls lies apart.
 * source: by analogy with the barrier of Ali, Midkiff, Pai 2010, section 6.1. */
#include "algos/cluster/handover.h"
#include "algos/cluster/host_call.h"
#include "algos/cluster/outer.h"
#include "algos/step/step.h"

static void run(struct coll *c) {
  const struct cluster_call *cluster = c->group->cluster;
  const struct cluster_place *place = &cluster->place;
  size_t stride = layout_stride(c->group);
  uint64_t data = cluster_call_ea(cluster, c->ncalls);
  for (unsigned node = 0; node < place->nodes; node++) {
    uint64_t ea = data + handover_exchanged(c->group, node).offset;
    unsigned theirs = cluster_place_ranks(place, node);
    handover_start(c,
                   &(struct handover_move){.buffer = c->in,
                                           .ea = ea + c->rank * theirs * stride,
                                           .first = place->first[node],
                                           .end = place->first[node + 1]},
                   true);
  }
  handover_say(c, true);
  handover_await(c);
  for (unsigned node = 0; node < place->nodes; node++) {
    uint64_t from = node == place->node ? data : cluster->work_ea;
    for (unsigned i = place->first[node]; i < place->first[node + 1]; i++) {
      step_start_get(c, &(struct step_transfer){.ls = c->buffer + place->ranks[i] * stride,
                                                .ea = from + ((size_t)i * c->nranks + c->rank) * stride,
                                                .nbytes = c->nbytes});
    }
  }
  step_finish(c, 0);
}

static void ppe(const struct coll_group *group) {
  host_call_ppe(group, true, true);
}

const struct algo alltoall_hierarchical = {
  .collective = COLL_ALLTOALL,
  .name = "hierarchical",
  .source = "ali2010",
  .idea = "blocks sorted by nodes in main memory and an all-to-all of their PPEs",
  .spans_nodes = true,
  .params = {{.name = "outer",
              .choices = {[OUTER_PAIRWISE] = {.word = "pairwise"}, [OUTER_DIRECT] = {.word = "direct"}}}},
  .scratch = cluster_call_scratch,
  .run = run,
  .ppe = ppe,
};
