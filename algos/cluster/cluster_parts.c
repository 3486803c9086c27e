/* SPDX-License-Identifier: BSD-3-Clause
 * See cluster_call.h: the program of a rank, with the inner part and the release; the local store for the
 * handover, and the main memory of a node for flags and data. */
#include "algos/cluster/cluster_call.h"
#include "algos/step/algo.h"
#include "algos/step/call_map.h"
#include "algos/step/driver.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "algos/step/step.h"

void cluster_main(void *argument) {
  struct coll *c = argument;
  const struct cluster_call *cluster = c->group->cluster;
  if (cluster->inner.call.algo) {
    driver_enter(cluster->inners[c->rank]);
  }
  driver_enter(cluster->releases[c->rank]);
  driver_main(c);
}

void cluster_inner(struct coll *c) {
  struct cluster_call *cluster = c->group->cluster;
  struct cluster_times *times = &cluster->times[c->rank];
  times->inner_begin = spu_cycles();
  driver_call(cluster->inners[c->rank]);
  times->inner_end = spu_cycles();
}

void cluster_release(struct coll *c) {
  struct cluster_call *cluster = c->group->cluster;
  struct cluster_times *times = &cluster->times[c->rank];
  times->release_begin = spu_cycles();
  driver_call(cluster->releases[c->rank]);
  times->release_end = spu_cycles();
}

/* Copy the own block of C between its buffer and the blocks of the node by a DMA in the local store. OUT:
 * from the blocks of the node into the buffer; else from the buffer. */
static void copy_own(struct coll *c, bool out) {
  const struct coll *inner = c->group->cluster->inners[c->rank];
  size_t stride = layout_stride(c->group);
  uint8_t *apart = inner->buffer + c->rank * stride,
          *block = c->buffer + group_name(c->group, c->rank) * stride;
  const uint8_t *from = out ? apart : block, *to = out ? block : apart;
  step_store(c, from, step_peer_ea(c, c->rank, to), c->nbytes);
}

void cluster_gather_node(struct coll *c) {
  copy_own(c, false);
  cluster_inner(c);
}

void cluster_scatter_node(struct coll *c) {
  cluster_inner(c);
  copy_own(c, true);
}

/* --- memory --- */

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
