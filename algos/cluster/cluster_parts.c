/* SPDX-License-Identifier: BSD-3-Clause
 * The program of a rank in a hierarchical call: the inner part and the release, see cluster_call.h. */
#include "algos/cluster/cluster_call.h"
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
  times->inner_begin = c->group->port->cycles();
  driver_call(cluster->inners[c->rank]);
  times->inner_end = c->group->port->cycles();
}

void cluster_release(struct coll *c) {
  struct cluster_call *cluster = c->group->cluster;
  struct cluster_times *times = &cluster->times[c->rank];
  times->release_begin = c->group->port->cycles();
  driver_call(cluster->releases[c->rank]);
  times->release_end = c->group->port->cycles();
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
