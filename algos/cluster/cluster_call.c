/* SPDX-License-Identifier: BSD-3-Clause
 * A call on one node. Inner part and release have separate notification arrays, so that neither sees a flag
 * of the other part, and share the data of the call. The release has the arrays of the call, which notifies
 * nobody itself: the flags of a barrier of 16 ranks a node lie in one page of a local store. Only the blocks
 * of a node, moved by an inner gather or scatter, are apart from the buffer, where blocks of other ranks may
 * lie between them. */
#include "algos/cluster/cluster_call.h"

#include "algos/catalogue.h"
#include "algos/step/algo.h"
#include "algos/step/call_map.h"
#include "algos/step/driver.h"
#include "algos/step/layout.h"
#include "algos/step/port.h"
#include "algos/step/step.h"
#include "sim/base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Find the call named by parameter NAME of the call of GROUP.
 * returns: false if the call has no such parameter. */
static bool find_part(const struct coll_group *group, const char *name, struct algorithm *part) {
  unsigned i = algo_param(group->call.algo, name);
  bool is_there = i < COLL_PARAMS_MAX && group->call.algo->params[i].algorithm;
  if (is_there) {
    *part = catalogue_inner(&group->call, i);
  }
  return is_there;
}

unsigned cluster_call_value(const struct algorithm *algorithm, const char *name) {
  unsigned i = algo_param(algorithm->algo, name);
  return i < COLL_PARAMS_MAX ? algorithm->values[i] : 0;
}

/* Tell whether each rank moves its own block in ALGORITHM; such a call has no inner part. */
static bool is_by_each(const struct algorithm *algorithm) {
  return cluster_call_value(algorithm, "by") == CLUSTER_BY_EACH;
}

/* Set up PART, the inner part or the release of the call of GROUP, with notification arrays at ARRAYS and its
 * other regions from AT on. */
static void set_up(const struct coll_group *group, struct coll_group *part, uint32_t arrays, uint32_t at) {
  const struct algo *algo = part->call.algo;
  part->ls_base = arrays;
  part->nranks_all = 0;
  part->cluster = NULL;
  part->data_at = call_map_buffer(group);
  part->scratch_at = at;
  if (algo && (algo->collective == COLL_GATHER || algo->collective == COLL_SCATTER)) {
    part->data_at = part->scratch_at;
    part->scratch_at = (uint32_t)call_map_line(part->data_at + layout_buffer_bytes(part) + CALL_MAP_GUARD);
  }
}

/* Return the first local store address behind PART, at least ARRAYS. */
static uint32_t end_of_part(const struct coll_group *part, uint32_t arrays) {
  if (!part->call.algo) {
    return arrays;
  }
  size_t scratch = part->call.algo->scratch ? part->call.algo->scratch(part) : 0;
  return (uint32_t)call_map_line(part->scratch_at + scratch + CALL_MAP_GUARD);
}

void cluster_call_init(struct coll_group *group, const struct cluster_place *place) {
  struct cluster_call *cluster = xcalloc(1, sizeof *cluster);
  unsigned n = group->nranks;
  group->cluster = cluster;
  group->nranks_all = place->nranks;
  group->names = place->ranks + place->first[place->node];
  cluster->place = *place;
  struct coll_group *inner = &cluster->parts[CLUSTER_INNER].group,
                    *release = &cluster->parts[CLUSTER_RELEASE].group;
  *inner = *release = *group;
  inner->call = release->call = (struct algorithm){0};
  cluster->turn_bytes = cluster_call_turns(group) > 1 ? cluster_call_data(group) : 0;
  uint32_t at = (uint32_t)call_map_scratch(group);
  if (!is_by_each(&group->call) && find_part(group, "inner", &inner->call)) {
    set_up(group, inner, at, (uint32_t)call_map_line(at + step_arrays_bytes(n) + CALL_MAP_GUARD));
  }
  at = end_of_part(inner, at);
  if (find_part(group, "release", &release->call)) {
    release->nbytes = layout_buffer_bytes(group);
  }
  set_up(group, release, group->ls_base, at);
  cluster->line_at = end_of_part(release, release->scratch_at);
  VEC_EACH(part, cluster->parts, CLUSTER_PARTS) {
    part->ranks = xcalloc(n, sizeof(struct coll *));
    part->times = xcalloc(n, sizeof *part->times);
    for (unsigned r = 0; r < n; r++) {
      part->ranks[r] = driver_new(&part->group, r);
    }
  }
}

void cluster_call_fini(struct coll_group *group) {
  struct cluster_call *cluster = group->cluster;
  VEC_EACH(part, cluster->parts, CLUSTER_PARTS) {
    for (unsigned r = 0; r < group->nranks; r++) {
      driver_free(part->ranks[r]);
    }
    free(part->ranks);
    free(part->times);
  }
  free(cluster);
  group->cluster = NULL;
}

/* --- impossible calls --- */

/* Return the reason why PART, called NAME, of the call of GROUP is impossible; NULL: no reason. */
static const char *refuse_part(const struct coll_group *part, const char *name, char *text, size_t size) {
  struct refusal refusal;
  if (!part->call.algo || !needs_refuse(part, &refusal)) {
    return NULL;
  }
  snprintf(text, size, "%s=%s: %s", name, part->call.algo->name, refusal.text);
  return text;
}

const char *cluster_call_refuse(const struct coll_group *group, char *text, size_t size) {
  const struct coll_group *inner = &group->cluster->parts[CLUSTER_INNER].group,
                          *release = &group->cluster->parts[CLUSTER_RELEASE].group;
  const char *refusal = refuse_part(inner, "inner", text, size);
  refusal = refusal ? refusal : refuse_part(release, "release", text, size);
  if (!refusal && is_by_each(&group->call) && cluster_call_value(&group->call, "inner")) {
    snprintf(text, size, "inner with by=each, which has no inner part, expected by=leader");
    return text;
  }
  if (!refusal && inner->call.algo && release->call.algo &&
      needs_of_call(&inner->call) & needs_of_call(&release->call) & NEED_SIGNAL_BITS) {
    snprintf(text, size,
             "inner=%s and release=%s use the same signal register, expected at most one that does",
             inner->call.algo->name, release->call.algo->name);
    return text;
  }
  return refusal;
}

/* --- the program of a rank --- */

void cluster_main(void *argument) {
  struct coll *c = argument;
  const struct cluster_part *parts = c->group->cluster->parts;
  if (parts[CLUSTER_INNER].group.call.algo) {
    driver_enter(parts[CLUSTER_INNER].ranks[c->rank]);
  }
  driver_enter(parts[CLUSTER_RELEASE].ranks[c->rank]);
  driver_main(c);
}

void cluster_make(struct coll *c, unsigned part) {
  const struct cluster_part *made = &c->group->cluster->parts[part];
  made->times[c->rank].begin = spu_cycles();
  driver_call(made->ranks[c->rank]);
  made->times[c->rank].end = spu_cycles();
}

/* Copy the own block of C between its buffer and the blocks of the node by a DMA in the local store. OUT:
 * from the blocks of the node into the buffer; else from the buffer. */
static void copy_own(struct coll *c, bool out) {
  const struct coll *inner = c->group->cluster->parts[CLUSTER_INNER].ranks[c->rank];
  size_t stride = layout_stride(c->group);
  uint8_t *apart = inner->buffer + c->rank * stride,
          *block = c->buffer + group_name(c->group, c->rank) * stride;
  const uint8_t *from = out ? apart : block, *to = out ? block : apart;
  step_store(c, from, step_peer_ea(c, c->rank, to), c->nbytes);
}

void cluster_gather_node(struct coll *c) {
  copy_own(c, false);
  cluster_make(c, CLUSTER_INNER);
}

void cluster_scatter_node(struct coll *c) {
  cluster_make(c, CLUSTER_INNER);
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
