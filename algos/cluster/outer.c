/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of outer collectives, and the choice of the collective. */
#include "algos/cluster/outer.h"

#include "algos/step/port.h"

/* Return the effective address of the data of the PPE's current call. */
static uint64_t data_ea(const struct cluster_call *cluster) {
  return cluster_call_ea(cluster, cluster->ncalls);
}

void outer_put(const struct coll_group *group, unsigned to, size_t offset, size_t nbytes) {
  const struct cluster_call *cluster = group->cluster;
  net_put(cluster->place.machines[to], data_ea(cluster) + offset, (uint32_t)nbytes);
}

void outer_wait(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes) {
  const struct cluster_call *cluster = group->cluster;
  net_wait(cluster->place.machines[from], data_ea(cluster) + offset, (uint32_t)nbytes);
}

void outer_receive(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes) {
  const struct cluster_call *cluster = group->cluster;
  net_wait(cluster->place.machines[from], cluster->work_ea + offset, (uint32_t)nbytes);
}

void outer_combine(const struct coll_group *group, unsigned from, size_t offset, size_t nbytes) {
  const struct cluster_call *cluster = group->cluster;
  outer_receive(group, from, offset, nbytes);
  if (nbytes) {
    step_ppe_combine(&(struct combine){.op = group->op, .type = group->type, .nbytes = nbytes},
                     data_ea(cluster) + offset, cluster->work_ea + offset);
  }
}

void outer_own(const struct coll_group *group) {
  static void (*const parts[COLL_COUNT])(const struct coll_group *group, unsigned way) = {
    [COLL_BARRIER] = outer_barrier,     [COLL_BCAST] = outer_bcast,         [COLL_REDUCE] = outer_reduce,
    [COLL_ALLREDUCE] = outer_allreduce, [COLL_ALLGATHER] = outer_allgather, [COLL_GATHER] = outer_gather,
    [COLL_SCATTER] = outer_scatter,     [COLL_ALLTOALL] = outer_alltoall,
  };
  parts[group->call.algo->collective](group, cluster_call_value(&group->call, "outer"));
}
