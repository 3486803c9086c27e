/* SPDX-License-Identifier: BSD-3-Clause */
#include "algos/cluster/node_major.h"

#include "algos/step/step.h"

#include <stdbool.h>

enum { SLOT_DATA = 0 /* as in handover.c */ };

struct span node_major_blocks(const struct coll_group *group, unsigned first, unsigned end) {
  const unsigned *places = group->cluster->place.first;
  size_t stride = layout_stride(group), count = places[end] - places[first];
  return (struct span){places[first] * stride, count ? (count - 1) * stride + group->nbytes : 0};
}

struct span node_major_exchanged(const struct coll_group *group, unsigned node) {
  const struct cluster_place *place = &group->cluster->place;
  size_t stride = layout_stride(group), own = group->nranks, theirs = cluster_place_ranks(place, node);
  return (struct span){own * place->first[node] * stride, (own * theirs - 1) * stride + group->nbytes};
}

void node_major_start(struct coll *c, const struct node_major_move *move, bool put) {
  const unsigned *ranks = c->group->cluster->place.ranks;
  size_t stride = layout_stride(c->group);
  for (unsigned place = move->first, next; place < move->end; place = next) {
    next = place + 1;
    while (next < move->end && ranks[next] == ranks[next - 1] + 1) {
      next++;
    }
    struct step_transfer transfer = {.ls = move->buffer + ranks[place] * stride,
                                     .ea = move->ea + (place - move->first) * stride,
                                     .nbytes = (next - place - 1) * stride + c->nbytes,
                                     .slot = SLOT_DATA};
    (put ? step_start_put : step_start_get)(c, &transfer);
  }
}

void node_major_start_all(struct coll *c, bool put) {
  const struct cluster_call *cluster = c->group->cluster;
  node_major_start(c,
                   &(struct node_major_move){.buffer = c->buffer,
                                             .ea = cluster_call_ea(cluster, c->ncalls),
                                             .end = cluster->place.nranks},
                   put);
}

void node_major_get_all(struct coll *c) {
  node_major_start_all(c, false);
  step_finish(c, SLOT_DATA);
}
