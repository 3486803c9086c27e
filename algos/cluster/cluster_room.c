/* SPDX-License-Identifier: BSD-3-Clause
 * How much memory a hierarchical call takes, see cluster_call.h: local store for the handover, and main
 * memory of a node for flags and data. */
#include "algos/cluster/cluster_call.h"
#include "algos/step/algo.h"
#include "algos/step/call_map.h"
#include "algos/step/layout.h"

enum { FLAG = 16 /* bytes */ };

size_t cluster_call_scratch(const struct coll_group *group) {
  size_t start = call_map_scratch(group);
  return group->cluster && start < group->ls_bytes ? group->cluster->line_at + CLUSTER_LINE - start
                                                   : CLUSTER_LINE;
}

size_t cluster_call_flags(const struct coll_group *group) {
  return ((size_t)group->nranks + 1) * FLAG;
}

size_t cluster_call_data(const struct coll_group *group) {
  if (group->call.algo->collective == COLL_ALLTOALL) {
    return call_map_line((size_t)group->nranks * group->nranks_all * layout_stride(group));
  }
  return call_map_line(layout_buffer_bytes(group));
}

unsigned cluster_call_turns(const struct coll_group *group) {
  enum collective collective = group->call.algo->collective;
  return collective == COLL_GATHER || collective == COLL_SCATTER || collective == COLL_ALLTOALL ? 2 : 1;
}
