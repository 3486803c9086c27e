/* SPDX-License-Identifier: BSD-3-Clause
 * Reduction over several nodes for all ranks: to the leader of each node; the leader gives the result to the
 * PPE; the PPEs combine; each leader gets the result and broadcasts the result on its node.
 * source: by analogy with the barrier of Ali, Midkiff, Pai 2010, section 6.1. */
#include "algos/cluster/cluster_cost.h"
#include "algos/cluster/handover.h"
#include "algos/cluster/host_call.h"
#include "algos/cluster/outer.h"
#include "algos/cost/cost.h"

extern const struct algo allreduce_hierarchical;

enum { INNER, OUTER, RELEASE };

static void run(struct coll *c) {
  cluster_make(c, CLUSTER_INNER);
  if (handover_is_leader(c)) {
    handover_give(c, c->nbytes);
    handover_await(c);
    handover_take(c);
  }
  cluster_make(c, CLUSTER_RELEASE);
}

static void ppe(const struct coll_group *group) {
  host_call_ppe(group, false, false);
}

static double analogy(const struct cost *c) {
  const struct algo *self = &allreduce_hierarchical;
  double outer = c->values[OUTER] == OUTER_ALL_DOUBLING ? cluster_cost_doubling(c) : NAN;
  return cluster_cost_part(c, self, INNER) + cluster_cost_up(c) + outer + cluster_cost_down(c) +
         cluster_cost_part(c, self, RELEASE);
}

const struct algo allreduce_hierarchical = {
  .collective = COLL_ALLREDUCE,
  .name = "hierarchical",
  .source = "ali2010",
  .idea = "reductions inside nodes then one of their PPEs and broadcasts inside nodes",
  .spans_nodes = true,
  .params = {[INNER] = {.name = "inner", .algorithm = "binomial", .of = COLL_REDUCE},
             [OUTER] = {.name = "outer",
                        .choices = {[OUTER_ALL_DOUBLING] = {.word = "recursive-doubling"},
                                    [OUTER_ALL_HALVING] = {.word = "halving-doubling"}}},
             [RELEASE] = {.name = "release", .algorithm = "binomial-opt", .of = COLL_BCAST}},
  .scratch = cluster_call_scratch,
  .run = run,
  .ppe = ppe,
  .analogy = analogy,
};
